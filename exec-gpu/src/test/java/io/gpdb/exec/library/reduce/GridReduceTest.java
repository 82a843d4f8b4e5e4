package io.gpdb.exec.library.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.TestColumn;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostBuffer;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GridReduceTest {
  private final LaneInputs inputs = new LaneInputs();
  private final LaneInputs.Column x = inputs.column("x", Element.I32);
  private final LaneInputs.Column y = inputs.column("y", Element.I64);
  private final LaneInputs.Column f = inputs.column("f", Element.F64);
  private final LaneProgram xs = lane -> lane.column(x);
  private final LaneProgram ys = lane -> lane.column(y);
  private final LaneProgram fs = lane -> lane.column(f);
  private final LaneProgram below100 =
      lane -> {
        LaneValue a = lane.column(x);
        return new LaneValue(lane.builder().lt(a.value(), 100), a.present());
      };

  /** 1000 / x: an integer division, which needs a guard. */
  private final LaneProgram quotient =
      lane -> {
        LaneValue a = lane.column(x);
        var b = lane.builder();
        var divisor = b.select(b.eq(a.value(), 0), b.i32(1), a.value());
        return new LaneValue(b.binary(BinaryOp.DIV, b.i32(1000), divisor), a.present());
      };

  private final List<Aggregate> aggregates =
      List.of(
          Aggregate.countRows(),
          Aggregate.count(xs),
          Aggregate.sum(xs),
          Aggregate.sum(ys),
          Aggregate.min(xs),
          Aggregate.max(ys),
          Aggregate.min(fs),
          Aggregate.max(fs),
          Aggregate.sum(quotient));

  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void aggregatesAreThoseOfTheRowsThatPass(Mode mode, int rows, boolean nulls) {
    requireAggregates(mode, rows, nulls, ReduceShape.HOST);
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 4095, 4096, 4097, 16_384, 16_385, 20_481, 65_536})
  void lanesThatTakeSeveralRowsATurnHaveTheSameAggregates(int rows) {
    for (int lanes : List.of(32, 256, 1024)) {
      for (int rowsOfATurn : List.of(2, 4, 16)) {
        for (int blockRowsMax : List.of(ReduceShape.BLOCK_ROWS, 4 * ReduceShape.BLOCK_ROWS)) {
          ReduceShape shape = new ReduceShape(lanes, rowsOfATurn, blockRowsMax, 1);
          requireAggregates(Mode.INTERPRETED, rows, rows % 2 == 0, shape);
        }
      }
    }
  }

  private void requireAggregates(Mode mode, int rows, boolean nulls, ReduceShape shape) {
    TestColumn a = TestColumn.random(Element.I32, rows, nulls, 1);
    TestColumn b = TestColumn.random(Element.I64, rows, nulls, 2);
    TestColumn c = TestColumn.random(Element.F64, rows, nulls, 3);
    boolean[] live = TestColumn.randomBits(rows, 90, 4);
    for (int variant = 0; variant < 4; variant++) {
      boolean filtered = (variant & 1) != 0;
      boolean allLive = (variant & 2) != 0;
      boolean[] passes = new boolean[rows];
      for (int r = 0; r < rows; r++) {
        passes[r] = (allLive || live[r]) && (!filtered || (a.present[r] && a.raw[r] < 100));
      }
      GridReduce reduce =
          new GridReduce(
              Cases.device(mode), "t", inputs, filtered ? below100 : null, aggregates, shape);
      HostBuffer bitmap = allLive ? null : TestColumn.bitmap(live);
      GridReduce.Partial partial = reduce.run(bind(a, b, c), rows, bitmap);
      GridReduce.Partial result = reduce.empty().merge(partial).merge(reduce.empty());
      assertThat(result.rows()).isEqualTo(count(passes, null));
      assertThat(result.raw(0)).isEqualTo(count(passes, null));
      assertThat(result.raw(1)).isEqualTo(count(passes, a));
      check(result, 2, a, passes, Aggregate.Function.SUM);
      check(result, 3, b, passes, Aggregate.Function.SUM);
      check(result, 4, a, passes, Aggregate.Function.MIN);
      check(result, 5, b, passes, Aggregate.Function.MAX);
      check(result, 6, c, passes, Aggregate.Function.MIN);
      check(result, 7, c, passes, Aggregate.Function.MAX);
      long quotients = 0;
      for (int r = 0; r < rows; r++) {
        quotients += passes[r] && a.present[r] ? 1000 / (a.raw[r] == 0 ? 1 : a.raw[r]) : 0;
      }
      assertThat(result.exactSum(8)).isEqualTo(quotients);
    }
  }

  private LaneBindings bind(TestColumn a, TestColumn b, TestColumn c) {
    return new LaneBindings(inputs)
        .column(x, a.values, a.validity)
        .column(y, b.values, b.validity)
        .column(f, c.values, c.validity);
  }

  private static long count(boolean[] passes, TestColumn column) {
    long count = 0;
    for (int r = 0; r < passes.length; r++) {
      count += passes[r] && (column == null || column.present[r]) ? 1 : 0;
    }
    return count;
  }

  private static void check(
      GridReduce.Partial result,
      int aggregate,
      TestColumn column,
      boolean[] passes,
      Aggregate.Function function) {
    boolean any = count(passes, column) > 0;
    assertThat(result.isNull(aggregate)).isEqualTo(!any);
    if (!any) {
      return;
    }
    boolean isFloat = column.element == Element.F64;
    long expected = 0;
    boolean first = true;
    for (int r = 0; r < passes.length; r++) {
      if (passes[r] && column.present[r]) {
        long raw = column.raw[r];
        int order =
            isFloat
                ? Double.compare(
                    Double.longBitsToDouble(raw) + 0.0, Double.longBitsToDouble(expected) + 0.0)
                : Long.compare(raw, expected);
        expected =
            switch (function) {
              case SUM -> expected + raw;
              case MIN -> first || order < 0 ? raw : expected;
              case MAX -> first || order > 0 ? raw : expected;
              case COUNT -> expected + 1;
            };
        first = false;
      }
    }
    if (isFloat) {
      assertThat(Double.longBitsToDouble(result.raw(aggregate)))
          .isEqualTo(Double.longBitsToDouble(expected));
    } else {
      assertThat(result.raw(aggregate)).isEqualTo(expected);
    }
  }

  @Test
  void aSumBeyond64BitsRaisesAndIsKnownExactly() {
    long[] raw = new long[3000];
    Arrays.fill(raw, Long.MAX_VALUE);
    TestColumn big = new TestColumn(Element.I64, raw, null);
    GridReduce reduce = sumOfYs(Cases.device(Mode.REFERENCE));
    GridReduce.Partial sum = reduce.run(bind(big, big, big), 3000, null);
    BigInteger expected = BigInteger.valueOf(Long.MAX_VALUE).multiply(BigInteger.valueOf(3000));
    assertThat(sum.exactSum(0)).isEqualTo(expected);
    assertThatThrownBy(() -> sum.raw(0))
        .isInstanceOfSatisfying(
            GpdbException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.NUMERIC_OUT_OF_RANGE));
  }

  @Test
  void aSumThatLeaves64BitsAndComesBackIsExact() {
    long[] raw = new long[4000];
    Arrays.fill(raw, 0, 2000, Long.MIN_VALUE);
    Arrays.fill(raw, 2000, 4000, Long.MAX_VALUE);
    TestColumn big = new TestColumn(Element.I64, raw, null);
    GridReduce reduce = sumOfYs(Cases.device(Mode.REFERENCE));
    assertThat(reduce.run(bind(big, big, big), 4000, null).raw(0)).isEqualTo(-2000);
  }

  private GridReduce sumOfYs(Device device) {
    return new GridReduce(device, "sum", inputs, null, List.of(Aggregate.sum(ys)));
  }

  @Test
  void floatSumsAreTheStatedTreeOnEveryExecutor() {
    int rows = 40_000;
    TestColumn c = TestColumn.random(Element.F64, rows, true, 5);
    double expected = 0.0;
    for (int block = 0; block * 16_384 < rows; block++) {
      double[] lanes = new double[1024];
      for (int i = 0; i < 16_384 && block * 16_384 + i < rows; i++) {
        int r = block * 16_384 + i;
        lanes[i % 1024] += c.present[r] ? Double.longBitsToDouble(c.raw[r]) : 0.0;
      }
      double[] warps = new double[32];
      for (int w = 0; w < 32; w++) {
        warps[w] = tree(Arrays.copyOfRange(lanes, w * 32, w * 32 + 32));
      }
      expected += tree(warps);
    }
    for (Mode mode : Mode.values()) {
      for (ReduceShape shape : List.of(ReduceShape.HOST, ReduceShape.GPU)) {
        Device device = Cases.device(mode);
        GridReduce reduce =
            new GridReduce(device, "f", inputs, null, List.of(Aggregate.sum(fs)), shape);
        double sum = Double.longBitsToDouble(reduce.run(bind(c, c, c), rows, null).raw(0));
        assertThat(sum).as("%s, %s", mode, shape).isEqualTo(expected);
      }
    }
  }

  @Test
  void whereWindowsEndDoesNotMatter() {
    Random random = new Random(12);
    for (Mode mode : Mode.values()) {
      GridReduce reduce =
          new GridReduce(
              Cases.device(mode),
              "w",
              inputs,
              below100,
              List.of(Aggregate.sum(fs), Aggregate.max(ys)));
      GridReduce.Partial apart = null;
      GridReduce.Partial inWindows = null;
      GridReduce.Window window = reduce.start();
      for (int t = 0; t < 20; t++) {
        int rows = random.nextInt(4) == 0 ? 0 : random.nextInt(20_000);
        boolean nulls = random.nextBoolean();
        TestColumn a = TestColumn.random(Element.I32, rows, nulls, random.nextLong());
        TestColumn b = TestColumn.random(Element.I64, rows, false, random.nextLong());
        TestColumn c = TestColumn.random(Element.F64, rows, nulls, random.nextLong());
        boolean[] bits = TestColumn.randomBits(rows, 90, random.nextLong());
        HostBuffer live = random.nextBoolean() ? TestColumn.bitmap(bits) : null;
        GridReduce.Partial next = reduce.run(bind(a, b, c), rows, live);
        apart = apart == null ? next : apart.merge(next);
        window.add(bind(a, b, c), rows, live);
        if (random.nextInt(5) == 0) {
          inWindows = window.finish(inWindows);
          window = reduce.start();
        }
      }
      inWindows = window.finish(inWindows);
      assertThat(inWindows.rows()).isEqualTo(apart.rows()).isPositive();
      assertThat(inWindows.raw(0)).as(mode.name()).isEqualTo(apart.raw(0));
      assertThat(inWindows.raw(1)).isEqualTo(apart.raw(1));
    }
  }

  /** Blocks of a tablet are added before the next tablet's, also where one pass has both. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tabletsOfOnePassAreMergedAsTheyAreApart(boolean floats) {
    Random random = new Random(5);
    int rows = 17_000;
    GridReduce reduce =
        new GridReduce(
            Cases.device(Mode.COMPILED),
            "pass",
            inputs,
            null,
            List.of(
                floats ? Aggregate.sum(fs) : Aggregate.max(fs),
                Aggregate.sum(ys),
                Aggregate.min(ys),
                Aggregate.max(ys)));
    GridReduce.Partial apart = null;
    GridReduce.Window window = reduce.start();
    for (int t = 0; t < 12; t++) {
      boolean[] present = new boolean[rows];
      Arrays.fill(present, t != 5);
      long[] units = new long[rows];
      Arrays.setAll(units, i -> Double.doubleToRawLongBits(random.nextDouble()));
      TestColumn a = new TestColumn(Element.I32, new long[rows], null);
      TestColumn b = new TestColumn(Element.I64, random.longs(rows).toArray(), present);
      TestColumn c = new TestColumn(Element.F64, units, present);
      GridReduce.Partial next = reduce.run(bind(a, b, c), rows, null);
      apart = apart == null ? next : apart.merge(next);
      window.add(bind(a, b, c), rows, null);
    }
    GridReduce.Partial together = window.finish(null);
    assertThat(together.rows()).isEqualTo(apart.rows());
    assertThat(together.exactSum(1)).isEqualTo(apart.exactSum(1));
    for (int i : new int[] {0, 2, 3}) {
      assertThat(together.raw(i)).isEqualTo(apart.raw(i));
    }
  }

  private static double tree(double[] lanes) {
    for (int half = 16; half > 0; half /= 2) {
      for (int i = 0; i < half; i++) {
        lanes[i] = lanes[i] + lanes[i + half];
      }
    }
    return lanes[0];
  }
}
