package io.gpdb.exec.library.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.base.TestColumn;
import io.gpdb.exec.library.change.GridApplyBatch.Target;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneInputs.Stored;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A batch over three tablets that sets {@code total = total + delta} (i64, both read and set),
 * {@code code = given} (i32) and {@code flag = total < delta} (i8).
 */
class GridApplyBatchTest {
  private static final int TOTAL = 0;
  private static final int CODE = 1;
  private static final int FLAG = 2;
  private static final int TABLETS = 3;
  private static final int TRAP = 7;

  /** The tablets, the batch, and what must come out. */
  private static final class Run {
    final LaneInputs inputs = new LaneInputs();
    final LaneInputs.Column total = inputs.column("total", Element.I64);
    final LaneInputs.Column delta = inputs.column("delta", Element.I64);
    final LaneInputs.Column given = inputs.column("given", Element.I32);
    final GridApplyBatch kernel;
    final LaneBindings bindings = new LaneBindings(inputs);
    final int n;
    final boolean nulls;
    final TestColumn deltas;
    final TestColumn codes;
    final TestColumn[][] columns = new TestColumn[TABLETS][];
    final int[][] rows = new int[TABLETS][];
    final int[][] positions = new int[TABLETS][];
    final HostBuffer[][] undo = new HostBuffer[TABLETS][3];
    final HostBuffer[][] undoValid = new HostBuffer[TABLETS][3];

    Run(Mode mode, int n, boolean nulls) {
      this.n = n;
      this.nulls = nulls;
      kernel =
          new GridApplyBatch(
              Cases.device(mode),
              "batch test",
              inputs,
              List.of(new Stored(total, TOTAL)),
              List.of(
                  new Target(TOTAL, Element.I64, this::sum),
                  new Target(CODE, Element.I32, lane -> lane.column(given)),
                  new Target(FLAG, Element.I8, this::less)));
      deltas = TestColumn.random(Element.I64, Math.max(1, TABLETS * n), nulls, 5);
      codes = TestColumn.random(Element.I32, Math.max(1, TABLETS * n), nulls, 6);
      bindings.column(delta, deltas.values, deltas.validity);
      bindings.column(given, codes.values, codes.validity);
      Random random = new Random(n);
      for (int t = 0; t < TABLETS; t++) {
        int capacity = Math.clamp(2L * n, 64, 65_536);
        columns[t] =
            new TestColumn[] {
              TestColumn.random(Element.I64, capacity, nulls, 10 + t),
              TestColumn.random(Element.I32, capacity, nulls, 20 + t),
              TestColumn.random(Element.I8, capacity, nulls, 30 + t)
            };
        rows[t] = random.ints(0, capacity).distinct().limit(Math.min(n, capacity)).toArray();
        positions[t] = new int[rows[t].length];
        for (int i = 0; i < positions[t].length; i++) {
          positions[t][i] = i * TABLETS + t;
        }
      }
    }

    private LaneValue sum(Lane lane) {
      KernelBuilder b = lane.builder();
      LaneValue a = lane.column(total);
      LaneValue d = lane.column(delta);
      return new LaneValue(b.add(a.value(), d.value()), both(b, a, d));
    }

    private LaneValue less(Lane lane) {
      KernelBuilder b = lane.builder();
      LaneValue a = lane.column(total);
      LaneValue d = lane.column(delta);
      return new LaneValue(b.lt(a.value(), d.value()), both(b, a, d));
    }

    private static Reg both(KernelBuilder b, LaneValue x, LaneValue y) {
      Reg p = x.present();
      Reg q = y.present();
      return p == null ? q : q == null ? p : b.and(p, q);
    }

    List<BatchRows> groups() {
      List<BatchRows> groups = new ArrayList<>();
      for (int t = 0; t < TABLETS; t++) {
        int count = rows[t].length;
        BatchRows group =
            new BatchRows(TestColumn.ints(rows[t]), TestColumn.ints(positions[t]), count, 3, 1);
        for (int c = 0; c < 3; c++) {
          TestColumn column = columns[t][c];
          undo[t][c] = HostBuffer.collected(Math.max(8, count * 8L));
          undoValid[t][c] =
              column.validity == null
                  ? null
                  : HostBuffer.collected(Math.max(8, DenseColumn.bitmapBytes(count)));
          group.column(c, column.values, column.validity);
          group.captureInto(c, undo[t][c], undoValid[t][c]);
        }
        group.read(0, columns[t][TOTAL].values, columns[t][TOTAL].validity);
        groups.add(group);
      }
      return groups;
    }

    /** The new value of target c for row i of tablet t's list; null for NULL. */
    Long expected(int t, int c, int i) {
      int p = positions[t][i];
      TestColumn totals = columns[t][TOTAL];
      boolean known = totals.present[rows[t][i]] && deltas.present[p];
      long a = totals.raw[rows[t][i]];
      return switch (c) {
        case TOTAL -> known ? a + deltas.raw[p] : null;
        case CODE -> codes.present[p] ? codes.raw[p] : null;
        default -> known ? (a < deltas.raw[p] ? 1L : 0L) : null;
      };
    }

    void assertStored() {
      for (int t = 0; t < TABLETS; t++) {
        for (int c = 0; c < 3; c++) {
          TestColumn column = columns[t][c];
          long[] raw = column.raw.clone();
          boolean[] present = column.present.clone();
          for (int i = 0; i < rows[t].length; i++) {
            Long value = expected(t, c, i);
            present[rows[t][i]] = value != null;
            raw[rows[t][i]] = value == null ? 0 : value;
          }
          GridApplyTest.assertHolds(column.element, column.values, column.validity, raw, present);
        }
      }
    }

    void assertCaptured() {
      for (int t = 0; t < TABLETS; t++) {
        for (int c = 0; c < 3; c++) {
          long[] raw = new long[rows[t].length];
          boolean[] present = new boolean[rows[t].length];
          for (int i = 0; i < raw.length; i++) {
            raw[i] = columns[t][c].raw[rows[t][i]];
            present[i] = columns[t][c].present[rows[t][i]];
          }
          GridApplyTest.assertHolds(
              columns[t][c].element, undo[t][c], undoValid[t][c], raw, present);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void computesCapturesLogsAndStoresInOneLaunch(Mode mode, int n, boolean nulls) {
    if (n > 2000) {
      return;
    }
    Run run = new Run(mode, n, nulls);
    List<BatchRows> groups = run.groups();
    HostBuffer[][] logs = new HostBuffer[TABLETS][3];
    for (int t = 0; t < TABLETS; t++) {
      for (int c = 0; c < 3; c++) {
        int words = HclLayout.updateEntryWords(run.columns[t][c].element);
        long bytes = Math.max(4, HclLayout.regionBytes(run.rows[t].length, words));
        logs[t][c] = HostBuffer.collected(bytes);
        groups.get(t).log(c, new UpdateLog.Hcl(logs[t][c], 0));
      }
    }
    long before = Cases.device(mode).counters().snapshot().launches();
    run.kernel.redo(run.bindings, groups);
    assertThat(Cases.device(mode).counters().snapshot().launches() - before).isEqualTo(1);
    run.assertStored();
    run.assertCaptured();
    for (int t = 0; t < TABLETS; t++) {
      for (int i = 0; i < run.rows[t].length; i++) {
        assertEntry(run, t, i, logs[t]);
      }
    }
  }

  private static void assertEntry(Run run, int t, int i, HostBuffer[] logs) {
    for (int c = 0; c < 3; c++) {
      int words = HclLayout.updateEntryWords(run.columns[t][c].element);
      Long value = run.expected(t, c, i);
      int word0 = word(logs[c], i, 0, words);
      int row = run.rows[t][i];
      assertThat(word0).isEqualTo(value == null ? row | HclLayout.NULL_FLAG : row);
      long raw = value == null ? 0 : value;
      assertThat(word(logs[c], i, 1, words)).isEqualTo((int) raw);
      if (words == 3) {
        assertThat(word(logs[c], i, 2, words)).isEqualTo((int) (raw >>> 32));
      }
    }
  }

  private static int word(HostBuffer log, int entry, int word, int words) {
    return log.intAt(HclLayout.wordIndex(0, entry, word, words));
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"REFERENCE", "INTERPRETED", "COMPILED"})
  void undoLogsOldValuesAndThenStoresInPlace(Mode mode) {
    for (boolean nulls : new boolean[] {false, true}) {
      Run run = new Run(mode, 70, nulls);
      List<BatchRows> groups = run.groups();
      for (int t = 0; t < TABLETS; t++) {
        for (int c = 0; c < 3; c++) {
          int words = HclLayout.updateEntryWords(run.columns[t][c].element);
          HostBuffer log = HostBuffer.collected(HclLayout.regionBytes(70, words));
          groups.get(t).log(c, new UpdateLog.Hcl(log, 0));
        }
      }
      run.kernel.undoLog(run.bindings, groups);
      run.assertCaptured();
      run.kernel.undoStore(run.bindings, groups);
      run.assertStored();
    }
  }

  @Test
  void valuesComputedAsideAreThoseThatWouldBeStored() {
    for (boolean nulls : new boolean[] {false, true}) {
      Run run = new Run(Mode.COMPILED, 100, nulls);
      List<BatchRows> groups = run.groups();
      HostBuffer[][] values = new HostBuffer[TABLETS][3];
      HostBuffer[][] validity = new HostBuffer[TABLETS][3];
      for (int t = 0; t < TABLETS; t++) {
        for (int c = 0; c < 3; c++) {
          values[t][c] = HostBuffer.collected(800);
          validity[t][c] = HostBuffer.collected(16);
          groups.get(t).newValues(c, values[t][c], validity[t][c]);
        }
      }
      run.kernel.compute(run.bindings, groups);
      for (int t = 0; t < TABLETS; t++) {
        for (int c = 0; c < 3; c++) {
          long[] raw = new long[run.rows[t].length];
          boolean[] present = new boolean[raw.length];
          for (int i = 0; i < raw.length; i++) {
            Long value = run.expected(t, c, i);
            present[i] = value != null;
            raw[i] = value == null ? 0 : value;
          }
          GridApplyTest.assertHolds(
              run.columns[t][c].element, values[t][c], validity[t][c], raw, present);
        }
      }
    }
  }

  @Test
  void nullsThatMayComeAreKnownBeforeTheLaunch() {
    Run plain = new Run(Mode.COMPILED, 10, false);
    assertThat(plain.kernel.targetsWithNulls(plain.bindings, new BitSet())).isEqualTo(new BitSet());
    assertThat(plain.kernel.targetsWithNulls(plain.bindings, BitSet.valueOf(new long[] {1})))
        .isEqualTo(BitSet.valueOf(new long[] {0b101}));
    Run nulls = new Run(Mode.COMPILED, 10, true);
    assertThat(nulls.kernel.targetsWithNulls(nulls.bindings, new BitSet()))
        .isEqualTo(BitSet.valueOf(new long[] {0b111}));
  }

  @Test
  void whatWasCapturedUndoesALaunchThatTrapped() {
    LaneInputs inputs = new LaneInputs();
    LaneInputs.Column value = inputs.column("value", Element.I32);
    GridApplyBatch kernel =
        new GridApplyBatch(
            Cases.device(Mode.COMPILED),
            "trapping batch",
            inputs,
            List.of(new Stored(value, 0)),
            List.of(
                new Target(
                    0,
                    Element.I32,
                    lane -> {
                      Reg old = lane.column(value).value();
                      lane.trap(lane.builder().eq(old, 300), TRAP);
                      return LaneValue.of(lane.builder().add(old, 1));
                    })));
    int[] before = new int[1000];
    int[] rows = new int[1000];
    int[] positions = new int[1000];
    for (int i = 0; i < before.length; i++) {
      before[i] = i;
      rows[i] = 999 - i;
      positions[i] = 5000 + i;
    }
    HostBuffer column = TestColumn.ints(before);
    HostBuffer undo = TestColumn.ints(new int[1000]);
    BatchRows group =
        new BatchRows(TestColumn.ints(rows), TestColumn.ints(positions), 1000, 1, 1)
            .column(0, column, null)
            .captureInto(0, undo, null)
            .read(0, column, null);
    KernelTrap trap =
        catchThrowableOfType(
            KernelTrap.class, () -> kernel.redo(new LaneBindings(inputs), List.of(group)));
    assertThat(trap.code()).isEqualTo(TRAP);
    assertThat(trap.detail()).isEqualTo(5000 + 999 - 300);
    assertThat(column.intAt(300)).isEqualTo(300);
    assertThat(column.intAt(999)).isEqualTo(1000);
    for (int i = 0; i < rows.length; i++) {
      assertThat(undo.intAt(i)).isEqualTo(rows[i]);
    }
  }
}
