package io.gpdb.exec.library.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.TestBuffers;
import io.gpdb.exec.library.base.TestColumn;
import io.gpdb.exec.library.key.BoundRows;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.exec.library.reduce.Aggregate;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GridGroupByTest {
  private final LaneInputs inputs = new LaneInputs();
  private final LaneInputs.Column code = inputs.column("code", Element.I32);
  private final LaneInputs.Column wide = inputs.column("wide", Element.I64);
  private final LaneInputs.Column x = inputs.column("x", Element.I32);
  private final LaneInputs.Column f = inputs.column("f", Element.F64);
  private final LaneProgram codes = lane -> lane.column(code);
  private final LaneProgram wides = lane -> lane.column(wide);
  private final LaneProgram xs = lane -> lane.column(x);
  private final LaneProgram fs = lane -> lane.column(f);
  private final LaneProgram narrowFs =
      lane -> {
        LaneValue value = lane.column(f);
        return new LaneValue(lane.builder().convert(value.value(), Type.F32), value.present());
      };
  private final LaneProgram below500 =
      lane -> {
        LaneValue a = lane.column(x);
        return new LaneValue(lane.builder().lt(a.value(), 500), a.present());
      };

  private final List<Aggregate> aggregates =
      List.of(
          Aggregate.countRows(),
          Aggregate.count(xs),
          Aggregate.sum(xs),
          Aggregate.sum(wides),
          Aggregate.min(fs),
          Aggregate.max(xs),
          Aggregate.sum(fs));

  /** The columns of a table for tests, in two tablets. */
  private record Data(TestColumn codes, TestColumn wides, TestColumn xs, TestColumn fs) {
    int rows() {
      return xs.raw.length;
    }

    static Data random(int rows, boolean nulls, int distinct, long seed) {
      Random random = new Random(seed);
      long[] codes = random.ints(rows, 0, distinct).asLongStream().toArray();
      boolean[] present = TestColumn.randomBits(rows, 90, seed);
      return new Data(
          new TestColumn(Element.I32, codes, nulls ? present : null),
          TestColumn.random(Element.I64, rows, nulls, seed + 1),
          TestColumn.random(Element.I32, rows, nulls, seed + 2),
          TestColumn.random(Element.F64, rows, nulls, seed + 3));
    }
  }

  private LaneBindings bind(Data data) {
    return new LaneBindings(inputs)
        .column(code, data.codes.values, data.codes.validity)
        .column(wide, data.wides.values, data.wides.validity)
        .column(x, data.xs.values, data.xs.validity)
        .column(f, data.fs.values, data.fs.validity);
  }

  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void denseGroupsAreThoseOfAPlainLoop(Mode mode, int rows, boolean nulls) {
    check(mode, rows, nulls, 5, List.of(codes), 5);
    check(mode, rows, nulls, 2000, List.of(codes), 2000);
    // As on a GPU: with copies of the accumulators, and regions that a kernel folds.
    List<Aggregate> exact = new ArrayList<>(aggregates.subList(0, 6));
    exact.add(Aggregate.min(narrowFs));
    for (int distinct : new int[] {1, 6, 200}) {
      GridGroupBy plan =
          new GridGroupBy(Cases.device(mode), "g", inputs, below500, List.of(codes), exact, false);
      check(plan, rows, nulls, distinct, distinct);
    }
  }

  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void hashedGroupsAreThoseOfAPlainLoop(Mode mode, int rows, boolean nulls) {
    check(mode, rows, nulls, 7, List.of(codes), GridGroupBy.UNKNOWN);
    check(mode, rows, nulls, 3, List.of(codes, xs), 0, 0);
    check(mode, rows, nulls, 50, List.of(wides, codes), 0, 0);
  }

  /** So many that kernels put them in order, with a minimum of REAL in place of a float sum. */
  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void manyGroupsAreThoseOfAPlainLoop(Mode mode, int rows, boolean nulls) {
    if (rows < 1023) {
      return;
    }
    List<Aggregate> exact = new ArrayList<>(aggregates.subList(0, 6));
    exact.add(Aggregate.min(narrowFs));
    check(mode, rows, nulls, 2000, exact, List.of(codes), 2000);
    check(mode, rows, nulls, 2000, exact, List.of(codes), GridGroupBy.UNKNOWN);
    check(mode, rows, nulls, 30, exact, List.of(codes, codes, codes), 0, 0, 0);
    check(mode, rows, nulls, 30, exact, List.of(wides, codes), 0, 0);
    check(mode, rows, nulls, 30, exact, List.of(narrowFs, xs), 0, 0);
    check(mode, rows, nulls, 30, List.of(), List.of(xs), 0);
  }

  private void check(
      Mode mode, int rows, boolean nulls, int distinct, List<LaneProgram> keys, int... limits) {
    check(mode, rows, nulls, distinct, aggregates, keys, limits);
  }

  private void check(
      Mode mode,
      int rows,
      boolean nulls,
      int distinct,
      List<Aggregate> aggregates,
      List<LaneProgram> keys,
      int... limits) {
    GridGroupBy plan = new GridGroupBy(Cases.device(mode), "g", inputs, below500, keys, aggregates);
    check(plan, rows, nulls, distinct, limits);
  }

  private void check(GridGroupBy plan, int rows, boolean nulls, int distinct, int... limits) {
    List<LaneProgram> keys = plan.keys;
    Data first = Data.random(rows, nulls, distinct, 1);
    Data second = Data.random(Math.min(rows, 2000), nulls, distinct, 77);
    boolean[] live = TestColumn.randomBits(rows, 70, 5);
    Map<List<Object>, Expected> expected = new LinkedHashMap<>();
    loop(expected, keys, first, live);
    loop(expected, keys, second, null);
    try (Grouping grouping = plan.start(limits)) {
      grouping.add(
          List.of(
              new BoundRows(bind(first), rows, TestColumn.bitmap(live)),
              new BoundRows(bind(second), second.xs.raw.length, null)));
      List<ElementType> elements = keys.stream().map(this::element).toList();
      compare(grouping.finish(elements, TestBuffers.COLLECTED), expected);
    }
  }

  /** Windows whose keys make the space grow, move, and give way to the table. */
  @ParameterizedTest
  @MethodSource("seeds")
  void groupsDoNotDependOnWhereTheirKeysAre(long seed) {
    Random random = new Random(seed);
    List<LaneProgram> keys = random.nextBoolean() ? List.of(wides) : List.of(wides, codes);
    List<Aggregate> computed = new ArrayList<>(aggregates);
    computed.set(3, Aggregate.count(wides)); // their sums may not fit
    if (random.nextBoolean()) {
      computed.removeLast();
    }
    Mode mode = random.nextInt(4) == 0 ? Mode.INTERPRETED : Mode.COMPILED;
    GridGroupBy plan = new GridGroupBy(Cases.device(mode), "g", inputs, below500, keys, computed);
    Map<List<Object>, Expected> expected = new LinkedHashMap<>();
    long[] bases = {0, 0, -3, 1L << 31, Long.MIN_VALUE, Long.MAX_VALUE - 40, -5_000};
    long base = bases[random.nextInt(bases.length)];
    long rows = 0;
    try (Grouping grouping = plan.start(new int[keys.size()])) {
      for (int window = random.nextInt(4); window >= 0; window--) {
        List<BoundRows> tablets = new ArrayList<>();
        for (int tablet = random.nextInt(3); tablet >= 0; tablet--) {
          long from = random.nextInt(3) > 0 ? base : bases[random.nextInt(bases.length)];
          Data data = keyed(random, from, random.nextInt(200));
          boolean[] live =
              random.nextBoolean() ? TestColumn.randomBits(data.rows(), 70, seed) : null;
          tablets.add(
              new BoundRows(
                  bind(data), data.rows(), live == null ? null : TestColumn.bitmap(live)));
          loop(expected, keys, data, live);
          rows += data.rows();
        }
        grouping.add(tablets);
      }
      expected.values().forEach(group -> group.wideSum = group.wideCount);
      expected.values().forEach(group -> group.wideCount = 1);
      compare(finished(grouping, keys.size()), expected);
    }
  }

  /** Windows of so many tablets that the keys of some tell where those of the others may be. */
  @ParameterizedTest
  @MethodSource("seeds")
  void tabletsWithOtherKeysThanThoseThatWereLookedAtCountOnce(long seed) {
    Random random = new Random(seed);
    List<LaneProgram> keys = random.nextBoolean() ? List.of(wides) : List.of(wides, codes);
    List<Aggregate> exact =
        List.of(
            Aggregate.countRows(),
            Aggregate.count(xs),
            Aggregate.sum(xs),
            Aggregate.count(wides),
            Aggregate.min(fs),
            Aggregate.max(xs),
            Aggregate.min(narrowFs));
    GridGroupBy plan =
        new GridGroupBy(Cases.device(Mode.COMPILED), "g", inputs, below500, keys, exact);
    Map<List<Object>, Expected> expected = new LinkedHashMap<>();
    long base = random.nextBoolean() ? 0 : random.nextLong() / 4;
    long rows = 0;
    try (Grouping grouping = plan.start(new int[keys.size()])) {
      for (int window = random.nextInt(3); window >= 0; window--) {
        List<BoundRows> tablets = new ArrayList<>();
        for (int tablet = 8 + random.nextInt(6); tablet > 0; tablet--) {
          boolean other = random.nextInt(6) == 0;
          long from = other ? base + random.nextInt(1 + random.nextInt(100_000)) : base;
          Data data = keyed(random, from, 600 + random.nextInt(2000));
          tablets.add(new BoundRows(bind(data), data.rows(), null));
          loop(expected, keys, data, null);
          rows += data.rows();
        }
        grouping.add(tablets);
      }
      expected.values().forEach(group -> group.wideSum = group.wideCount);
      expected.values().forEach(group -> group.wideCount = 1);
      compare(finished(grouping, keys.size()), expected);
    }
  }

  /** So many groups that their rows are put into partitions first, some of which are empty. */
  @ParameterizedTest
  @CsvSource({"COMPILED, 1", "COMPILED, 2", "COMPILED, 3", "INTERPRETED, 4", "REFERENCE, 5"})
  void rowsOfManyPlacesAreAddedByPartitions(Mode mode, long seed) {
    Random random = new Random(seed);
    List<Aggregate> exact =
        List.of(
            Aggregate.countRows(),
            Aggregate.count(xs),
            Aggregate.sum(xs),
            Aggregate.sum(wides),
            Aggregate.min(fs),
            Aggregate.max(xs),
            Aggregate.min(narrowFs));
    int places = 33_000 + random.nextInt(9000);
    GridGroupBy plan =
        new GridGroupBy(Cases.device(mode), "g", inputs, below500, List.of(codes), exact);
    Map<List<Object>, Expected> expected = new LinkedHashMap<>();
    long rows = 0;
    try (Grouping grouping = plan.start(seed == 1 ? places : GridGroupBy.UNKNOWN)) {
      for (int window = 0; window < 2; window++) {
        List<BoundRows> tablets = new ArrayList<>();
        for (int tablet = 0; tablet < 3; tablet++) {
          int n = tablet == 1 ? random.nextInt(200) : 30_000 + random.nextInt(9000);
          int distinct = random.nextBoolean() ? places : places / 9; // some partitions are empty
          Data data = Data.random(n, tablet == 2, distinct, random.nextLong());
          boolean[] live = tablet == 0 ? TestColumn.randomBits(n, 70, seed) : null;
          tablets.add(new BoundRows(bind(data), n, live == null ? null : TestColumn.bitmap(live)));
          loop(expected, List.of(codes), data, live);
          rows += n;
        }
        grouping.add(tablets);
      }
      compare(finished(grouping, 1), expected);
    }
  }

  static LongStream seeds() {
    Long one = Long.getLong("gpdb.seed");
    long some = 24 * Long.getLong("gpdb.fuzz", 1);
    return one == null ? LongStream.range(0, some) : LongStream.of(one);
  }

  private static Data keyed(Random random, long base, int rows) {
    int width = 1 + random.nextInt(random.nextInt(3) == 0 ? 70_000 : 40);
    long[] raw = new long[rows];
    for (int i = 0; i < rows; i++) {
      raw[i] = base + Math.min(random.nextInt(width), Long.MAX_VALUE - Math.max(base, 0));
    }
    long seed = random.nextLong();
    long[] codes = new Random(seed).ints(rows, -20, 20).asLongStream().toArray();
    int present = 50 * random.nextInt(3);
    boolean[] bits = present == 100 ? null : TestColumn.randomBits(rows, present, seed);
    return new Data(
        new TestColumn(Element.I32, codes, null),
        new TestColumn(Element.I64, raw, bits),
        TestColumn.random(Element.I32, rows, false, seed + 2),
        TestColumn.random(Element.F64, rows, true, seed + 3));
  }

  private static final class Expected {
    long rows;
    long counted;
    long sum;
    long wideSum;
    long wideCount;
    double min;
    long floats;
    long max = Long.MIN_VALUE;
    double floatSum;

    /** Values of the first aggregates; the last is a sum of DOUBLE or a minimum of REAL. */
    List<Object> cells(List<Element> elements) {
      boolean narrow = elements.contains(Element.F32);
      Long last = narrow ? Float.floatToIntBits((float) min) : Double.doubleToLongBits(floatSum);
      Long least = Double.doubleToLongBits(min);
      return Arrays.<Object>asList(
              rows,
              counted,
              sum,
              wideCount > 0 ? wideSum : null,
              floats > 0 ? least : null,
              max,
              floats > 0 ? last : null)
          .subList(0, elements.size());
    }
  }

  private void loop(
      Map<List<Object>, Expected> groups, List<LaneProgram> keys, Data data, boolean[] live) {
    for (int r = 0; r < data.xs.raw.length; r++) {
      if ((live != null && !live[r]) || !data.xs.present[r] || data.xs.raw[r] >= 500) {
        continue;
      }
      List<Object> key = new ArrayList<>();
      for (LaneProgram program : keys) {
        key.add(key(program, data, r));
      }
      Expected group = groups.computeIfAbsent(key, _ -> new Expected());
      group.rows++;
      group.counted++;
      group.sum += data.xs.raw[r];
      group.max = Math.max(group.max, data.xs.raw[r]);
      if (data.wides.present[r]) {
        group.wideCount++;
        group.wideSum += data.wides.raw[r];
      }
      if (data.fs.present[r]) {
        double value = Double.longBitsToDouble(data.fs.raw[r]) + 0.0;
        group.min = group.floats++ == 0 ? value : Math.min(group.min, value);
        group.floatSum += value;
      }
    }
  }

  private Object key(LaneProgram program, Data data, int row) {
    if (program == narrowFs) {
      float value = (float) Double.longBitsToDouble(data.fs.raw[row]) + 0.0f;
      return data.fs.present[row] ? (Object) (long) Float.floatToIntBits(value) : "null";
    }
    TestColumn column = program == codes ? data.codes : program == xs ? data.xs : data.wides;
    return column.present[row] ? (Object) column.raw[row] : "null";
  }

  private ElementType element(LaneProgram key) {
    return key == codes
        ? ElementType.I16
        : key == xs ? ElementType.I32 : key == narrowFs ? ElementType.F32 : ElementType.I64;
  }

  private static Groups finished(Grouping grouping, int keys) {
    return grouping.finish(Collections.nCopies(keys, ElementType.I64), TestBuffers.COLLECTED);
  }

  /** The sum of floats is compared where there is one. */
  private static void compare(Groups groups, Map<List<Object>, Expected> expected) {
    assertThat(groups.count()).isEqualTo(expected.size());
    int i = 0;
    for (Map.Entry<List<Object>, Expected> entry : expected.entrySet()) {
      List<Object> key = new ArrayList<>();
      for (DenseColumn column : groups.keys()) {
        boolean present = TestColumn.bit(column.validity(), i);
        key.add(present ? (Object) value(column, i) : "null");
      }
      Expected group = entry.getValue();
      List<Object> actual = new ArrayList<>(List.<Object>of(key));
      for (int a = 0; a < groups.aggregates().size(); a++) {
        actual.add(cell(groups, a, i));
      }
      List<Object> wanted = new ArrayList<>(List.<Object>of(entry.getKey()));
      wanted.addAll(group.cells(groups.aggregates().stream().map(DenseColumn::element).toList()));
      if (!actual.equals(wanted)) {
        assertThat(actual).as("group " + i).isEqualTo(wanted);
      }
      i++;
    }
  }

  private static Long cell(Groups groups, int aggregate, int i) {
    DenseColumn column = groups.aggregates().get(aggregate);
    return TestColumn.bit(column.validity(), i) ? value(column, i) : null;
  }

  private static long value(DenseColumn column, int i) {
    return TestColumn.read(column.element(), column.values(), i);
  }

  @Test
  void theTableGrowsWithItsGroups() {
    int rows = 30_000;
    GridGroupBy plan =
        new GridGroupBy(Cases.device(Mode.COMPILED), "d", inputs, null, List.of(wides), List.of());
    try (Grouping grouping = plan.start(GridGroupBy.UNKNOWN)) {
      for (int batch = 0; batch < 4; batch++) {
        long[] raw = new long[rows];
        for (int r = 0; r < rows; r++) {
          raw[r] = (r + batch * (rows / 2L)) * 0x1_0000_0001L;
        }
        TestColumn column = new TestColumn(Element.I64, raw, null);
        LaneBindings bindings = new LaneBindings(inputs).column(wide, column.values, null);
        grouping.add(List.of(new BoundRows(bindings, rows, null)));
      }
      Groups groups = finished(grouping, 1);
      assertThat(groups.count()).isEqualTo(rows * 5 / 2);
      DeviceBuffer keys = groups.keys().get(0).values();
      for (int i = 0; i < groups.count(); i++) {
        assertThat(keys.onHost().longAt(i)).isEqualTo(i * 0x1_0000_0001L);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 600})
  void aGroupsSumBeyond64BitsRaises(int groupCount) {
    long[] raw = new long[4 + groupCount];
    Arrays.fill(raw, Long.MAX_VALUE / 2);
    TestColumn big = new TestColumn(Element.I64, raw, null);
    long[] groupOf = LongStream.range(0, raw.length).map(i -> Math.max(0, i - 4)).toArray();
    TestColumn same = new TestColumn(Element.I32, groupOf, null);
    GridGroupBy plan =
        new GridGroupBy(
            Cases.device(Mode.REFERENCE),
            "s",
            inputs,
            null,
            List.of(codes),
            List.of(Aggregate.sum(wides)));
    LaneBindings bindings =
        new LaneBindings(inputs).column(code, same.values, null).column(wide, big.values, null);
    try (Grouping grouping = plan.start(groupCount)) {
      grouping.add(List.of(new BoundRows(bindings, 2, null)));
      Groups fits = finished(grouping, 1);
      assertThat(value(fits.aggregates().get(0), 0)).isEqualTo(Long.MAX_VALUE / 2 * 2);
      grouping.add(List.of(new BoundRows(bindings, raw.length, null)));
      assertThatThrownBy(() -> finished(grouping, 1))
          .isInstanceOfSatisfying(
              GpdbException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.NUMERIC_OUT_OF_RANGE));
    }
  }

  @Test
  void aCodeBeyondItsLimitIsAnError() {
    TestColumn column = new TestColumn(Element.I32, new long[] {0, 1, 2}, null);
    GridGroupBy plan =
        new GridGroupBy(Cases.device(Mode.REFERENCE), "d", inputs, null, List.of(codes), List.of());
    try (Grouping grouping = plan.start(2)) {
      LaneBindings bindings = new LaneBindings(inputs).column(code, column.values, null);
      assertThatThrownBy(() -> grouping.add(List.of(new BoundRows(bindings, 3, null))))
          .isInstanceOf(GpdbException.class)
          .hasMessageContaining("row=2");
    }
  }

  @Test
  void minusZeroAndEveryNanAreOneGroupEach() {
    long[] raw = {
      Double.doubleToRawLongBits(-0.0),
      0L,
      0x7ff8000000000001L,
      Double.doubleToRawLongBits(Double.NaN),
      0xfff8000000000000L
    };
    TestColumn column = new TestColumn(Element.F64, raw, null);
    GridGroupBy plan =
        new GridGroupBy(Cases.device(Mode.REFERENCE), "d", inputs, null, List.of(fs), List.of());
    try (Grouping grouping = plan.start(GridGroupBy.UNKNOWN)) {
      LaneBindings bindings = new LaneBindings(inputs).column(f, column.values, null);
      grouping.add(List.of(new BoundRows(bindings, 5, null)));
      assertThat(finished(grouping, 1).count()).isEqualTo(2);
    }
  }
}
