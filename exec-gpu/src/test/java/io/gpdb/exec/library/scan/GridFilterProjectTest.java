package io.gpdb.exec.library.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.OverflowOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.SelectedRows;
import io.gpdb.exec.library.base.TestBuffers;
import io.gpdb.exec.library.base.TestColumn;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.exec.library.scan.GridFilterProject.Output;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GridFilterProjectTest {
  private static final int OVERFLOW = 7;

  private final LaneInputs inputs = new LaneInputs();
  private final LaneInputs.Column x = inputs.column("x", Element.I32);
  private final LaneInputs.Column y = inputs.column("y", Element.I64);
  private final LaneInputs.Column f = inputs.column("f", Element.F64);
  private final LaneInputs.Parameter limit = inputs.parameter("?0", Type.I32);
  private final LaneInputs.Table table = inputs.table("lower case", Element.I16);

  /** x < limit. */
  private final LaneProgram below =
      lane -> {
        LaneValue a = lane.column(x);
        LaneValue k = lane.parameter(limit);
        KernelBuilder b = lane.builder();
        Reg present = k.present() == null ? a.present() : k.present();
        return new LaneValue(b.lt(a.value(), k.value()), present);
      };

  /** x + x, failing on overflow. */
  private final LaneProgram twice =
      lane -> {
        LaneValue a = lane.column(x);
        lane.trap(lane.builder().overflow(OverflowOp.ADD, a.value(), a.value()), OVERFLOW);
        return new LaneValue(lane.builder().add(a.value(), a.value()), a.present());
      };

  private final LaneProgram isEven =
      lane -> {
        LaneValue a = lane.column(y);
        return new LaneValue(lane.builder().eq(lane.builder().and(a.value(), 1), 0), a.present());
      };

  private final LaneProgram looked =
      lane -> {
        LaneValue a = lane.column(x);
        Reg index = lane.builder().and(a.value(), 7);
        return new LaneValue(lane.lookUp(table, index), a.present());
      };

  private GridFilterProject operator(Mode mode, boolean filtered) {
    return new GridFilterProject(
        Cases.device(mode),
        "test.filter",
        inputs,
        filtered ? below : null,
        List.of(
            new Output(Element.I32, twice),
            new Output(Element.I8, isEven),
            new Output(Element.F64, lane -> lane.column(f)),
            new Output(Element.I16, looked)),
        true);
  }

  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void rowsThatPassComeOutInOrder(Mode mode, int rows, boolean nulls) {
    boolean[] live = TestColumn.randomBits(rows, 80, 9);
    for (int variant = 0; variant < 4; variant++) {
      check(mode, rows, nulls, (variant & 1) != 0, (variant & 2) != 0 ? live : null);
    }
  }

  /** A tablet with what is to come of it. */
  private final class Sample {
    final int rows;
    final TestColumn xs;
    final TestColumn ys;
    final TestColumn fs;
    final TestColumn looks = TestColumn.random(Element.I16, 8, false, 4);
    final boolean[] live;

    Sample(int rows, boolean nulls, boolean[] live, long seed) {
      this.rows = rows;
      this.live = live;
      xs = TestColumn.random(Element.I32, rows, nulls, seed + 1);
      ys = TestColumn.random(Element.I64, rows, nulls, seed + 2);
      fs = TestColumn.random(Element.F64, rows, nulls, seed + 3);
    }

    LaneBindings bindings() {
      return bind(xs, ys, fs).parameter(limit, 100).table(table, looks.values);
    }

    HostBuffer bitmap() {
      return live == null ? null : TestColumn.bitmap(live);
    }

    void check(SelectedRows selected, boolean filtered) {
      List<Integer> expected = new ArrayList<>();
      for (int r = 0; r < rows; r++) {
        boolean passes = !filtered || (xs.present[r] && xs.raw[r] < 100);
        if (passes && (live == null || live[r])) {
          expected.add(r);
        }
      }
      assertThat(selected.count()).isEqualTo(expected.size());
      for (int i = 0; i < expected.size(); i++) {
        int r = expected.get(i);
        assertThat(TestColumn.read(Element.I32, selected.rowIds(), i)).isEqualTo(r);
        assertValue(selected.columns().get(0), i, xs.present[r], 2 * xs.raw[r]);
        assertValue(selected.columns().get(1), i, ys.present[r], 1 - (ys.raw[r] & 1));
        assertValue(selected.columns().get(2), i, fs.present[r], fs.raw[r]);
        assertValue(selected.columns().get(3), i, xs.present[r], looks.raw[(int) xs.raw[r] & 7]);
      }
    }
  }

  private void check(Mode mode, int rows, boolean nulls, boolean filtered, boolean[] live) {
    Sample sample = new Sample(rows, nulls, live, 0);
    sample.check(
        operator(mode, filtered)
            .run(sample.bindings(), rows, sample.bitmap(), TestBuffers.COLLECTED),
        filtered);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tabletsOfOneWindowKeepTheirRowsApart(boolean filtered) {
    Random random = new Random(11);
    for (Mode mode : Mode.values()) {
      for (int round = 0; round < 5; round++) {
        List<Sample> tablets = new ArrayList<>();
        GridFilterProject.Window window = operator(mode, filtered).start();
        for (int t = 0; t < 7; t++) {
          int rows = random.nextInt(3) == 0 ? random.nextInt(2) : random.nextInt(3000);
          boolean[] live = TestColumn.randomBits(rows, 80, random.nextLong());
          boolean gaps = random.nextBoolean();
          Sample tablet =
              new Sample(rows, random.nextBoolean(), gaps ? live : null, random.nextLong());
          tablets.add(tablet);
          window.add(tablet.bindings(), rows, tablet.bitmap());
        }
        List<SelectedRows> selected = window.finish(TestBuffers.COLLECTED);
        for (int t = 0; t < tablets.size(); t++) {
          tablets.get(t).check(selected.get(t), filtered);
        }
      }
    }
  }

  private static void assertValue(DenseColumn column, int i, boolean present, long raw) {
    assertThat(TestColumn.bit(column.validity(), i)).isEqualTo(present);
    long expected = present ? raw : 0;
    assertThat(TestColumn.read(column.element(), column.values(), i)).isEqualTo(expected);
  }

  private LaneBindings bind(TestColumn xs, TestColumn ys, TestColumn fs) {
    return new LaneBindings(inputs)
        .column(x, xs.values, xs.validity)
        .column(y, ys.values, ys.validity)
        .column(f, fs.values, fs.validity);
  }

  @Test
  void aRowThatDoesNotPassCannotTrap() {
    long[] raw = new long[100];
    raw[70] = Integer.MAX_VALUE;
    TestColumn xs = new TestColumn(Element.I32, raw, null);
    TestColumn other = new TestColumn(Element.I64, raw, null);
    LaneBindings bindings =
        bind(xs, other, other)
            .parameter(limit, 1)
            .table(table, TestColumn.random(Element.I16, 8, false, 1).values);
    assertThat(
            operator(Mode.REFERENCE, true).run(bindings, 100, null, TestBuffers.COLLECTED).count())
        .isEqualTo(99);
    bindings.parameter(limit, Integer.MAX_VALUE);
    assertThat(
            operator(Mode.REFERENCE, true).run(bindings, 100, null, TestBuffers.COLLECTED).count())
        .isEqualTo(99);
    assertThatThrownBy(
            () -> operator(Mode.REFERENCE, false).run(bindings, 100, null, TestBuffers.COLLECTED))
        .isInstanceOfSatisfying(
            KernelTrap.class,
            trap -> {
              assertThat(trap.code()).isEqualTo(OVERFLOW);
              assertThat(trap.detail()).isEqualTo(70);
            });
  }

  @Test
  void aNullParameterLetsNothingPass() {
    TestColumn xs = TestColumn.random(Element.I32, 50, false, 1);
    TestColumn ys = TestColumn.random(Element.I64, 50, false, 1);
    LaneBindings bindings =
        bind(xs, ys, ys)
            .parameterNull(limit)
            .table(table, TestColumn.random(Element.I16, 8, false, 1).values);
    SelectedRows selected =
        operator(Mode.REFERENCE, true).run(bindings, 50, null, TestBuffers.COLLECTED);
    assertThat(selected.count()).isZero();
  }
}
