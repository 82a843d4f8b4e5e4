package io.gpdb.exec.library.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.base.TestColumn;
import io.gpdb.exec.library.change.GridApplyBatch.Sum;
import io.gpdb.exec.library.change.GridApplyBatch.Target;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A batch whose new values are there, or are added to the old ones, is changed by the host as by
 * the kernel, byte by byte.
 */
class HostBatchTest {
  private static final int[] COUNTS = {0, 1, 31, 32, 33, 64, 65, 300, 1024, 1025};
  private static final int CAPACITY = 4096;

  /** The same tablets, batch and memory each time it is made of one seed. */
  private static final class Run {
    final LaneInputs inputs = new LaneInputs();
    final LaneBindings bound;
    final List<Element> elements = new ArrayList<>();
    final List<LaneInputs.Column> given = new ArrayList<>();
    final List<@Nullable Sum> sums = new ArrayList<>();
    final List<LaneInputs.Stored> reads = new ArrayList<>();
    final List<BatchRows> groups = new ArrayList<>();
    final List<HostBuffer> memory = new ArrayList<>();

    Run(long seed) {
      Random random = new Random(seed);
      int columns = 1 + random.nextInt(3);
      for (int c = 0; c < columns; c++) {
        Element element = Element.values()[random.nextInt(Element.values().length)];
        elements.add(element);
        given.add(inputs.column("given" + c, element));
        boolean whole = element == Element.I32 || element == Element.I64;
        sums.add(whole && random.nextBoolean() ? sum(random, given.getLast()) : null);
        if (sums.getLast() != null) {
          reads.add(new LaneInputs.Stored(inputs.column("old" + c, element), c));
        }
      }
      bound = new LaneBindings(inputs);
      for (int c = 0; c < columns; c++) {
        TestColumn values = TestColumn.random(elements.get(c), CAPACITY, false, (int) seed + c);
        bound.column(given.get(c), values.values, null);
      }
      boolean logged = random.nextInt(3) > 0;
      int tablets = 1 + random.nextInt(4);
      for (int t = 0; t < tablets; t++) {
        groups.add(group(random, (int) seed + 10 * t, logged));
      }
    }

    private static Sum sum(Random random, LaneInputs.Column operand) {
      return new Sum(random.nextBoolean(), random.nextBoolean() ? operand : null, 17);
    }

    private BatchRows group(Random random, int seed, boolean logged) {
      int n = COUNTS[random.nextInt(COUNTS.length)];
      int[] rows = shuffled(random, n);
      BatchRows group =
          new BatchRows(
              TestColumn.ints(rows),
              TestColumn.ints(shuffled(random, n)),
              n,
              elements.size(),
              reads.size());
      for (int c = 0; c < elements.size(); c++) {
        Element element = elements.get(c);
        TestColumn column = TestColumn.random(element, CAPACITY, false, seed + c);
        HostBuffer undo = HostBuffer.collected(Math.max(8, 8L * n));
        group.column(c, column.values, null).captureInto(c, undo, null);
        for (int r = 0; r < reads.size(); r++) {
          if (reads.get(r).column() == c) {
            group.read(r, column.values, null);
          }
        }
        memory.add(column.values);
        memory.add(undo);
        if (logged) {
          int words = HclLayout.updateEntryWords(element);
          long base = HclLayout.GROUP_ENTRIES * (long) random.nextInt(3);
          HostBuffer log =
              HostBuffer.collected(4 * (base + HclLayout.regionWords(Math.max(1, n), words)));
          group.log(c, new UpdateLog.Hcl(log, base));
          memory.add(log);
        }
      }
      return group;
    }

    private static int[] shuffled(Random random, int n) {
      int[] all = IntStream.range(0, CAPACITY).toArray();
      for (int i = 0; i < n; i++) {
        int other = i + random.nextInt(CAPACITY - i);
        int kept = all[i];
        all[i] = all[other];
        all[other] = kept;
      }
      return Arrays.copyOf(all, n);
    }

    List<Target> targets() {
      return IntStream.range(0, elements.size()).mapToObj(this::target).toList();
    }

    private Target target(int c) {
      Sum sum = sums.get(c);
      return sum == null
          ? Target.given(c, elements.get(c), given.get(c))
          : new Target(c, elements.get(c), lane -> added(lane, c, sum), null, sum);
    }

    private LaneValue added(Lane lane, int c, Sum sum) {
      KernelBuilder b = lane.builder();
      LaneInputs.Stored old =
          reads.stream().filter(read -> read.column() == c).findFirst().orElseThrow();
      LaneInputs.Column operand = sum.operand();
      Reg added =
          operand != null
              ? lane.column(operand).value()
              : elements.get(c) == Element.I64 ? b.i64(sum.number()) : b.i32((int) sum.number());
      BinaryOp op = sum.minus() ? BinaryOp.SUB : BinaryOp.ADD;
      return LaneValue.of(b.binary(op, lane.column(old.input()).value(), added));
    }

    /** By the kernel: the program alone does not say that the values are there. */
    void byKernel() {
      List<Target> computed =
          targets().stream().map(t -> new Target(t.column(), t.element(), t.program())).toList();
      new GridApplyBatch(Cases.device(Mode.REFERENCE), "given", inputs, reads, computed)
          .redo(bound, groups);
    }

    List<byte[]> bytes() {
      return memory.stream().map(m -> m.segment().toArray(ValueLayout.JAVA_BYTE)).toList();
    }
  }

  @Test
  void theHostDoesWhatTheKernelDoes() {
    Long replay = Long.getLong("gpdb.seed");
    long first = replay == null ? 1 : replay;
    for (long seed = first; seed < first + 150; seed++) {
      Run byHost = new Run(seed);
      Run byKernel = new Run(seed);
      assertThat(HostBatch.redo(byHost.targets(), byHost.bound, byHost.groups))
          .as("seed %d", seed)
          .isTrue();
      byKernel.byKernel();
      List<byte[]> found = byHost.bytes();
      List<byte[]> wanted = byKernel.bytes();
      for (int i = 0; i < wanted.size(); i++) {
        assertThat(found.get(i)).as("seed %d, memory %d", seed, i).isEqualTo(wanted.get(i));
      }
    }
  }

  @Test
  void aSumBeyondItsTypeIsLeftToTheKernelAndChangesNothing() {
    LaneInputs inputs = new LaneInputs();
    LaneInputs.Column given = inputs.column("given", Element.I32);
    TestColumn added = new TestColumn(Element.I32, new long[] {1, 2, 3}, null);
    LaneBindings bound = new LaneBindings(inputs).column(given, added.values, null);
    for (boolean minus : new boolean[] {false, true}) {
      long edge = minus ? Integer.MIN_VALUE + 2 : Integer.MAX_VALUE - 2;
      TestColumn column = new TestColumn(Element.I32, new long[] {5, edge, 7}, null);
      byte[] before = column.values.segment().toArray(ValueLayout.JAVA_BYTE);
      Target target =
          new Target(0, Element.I32, lane -> lane.column(given), null, new Sum(minus, given, 0));
      for (int position = 0; position < 3; position++) {
        BatchRows group =
            new BatchRows(TestColumn.ints(0, 1), TestColumn.ints(0, position), 2, 1, 0)
                .column(0, column.values, null)
                .captureInto(0, HostBuffer.collected(8), null);
        boolean fits = position < 2;
        assertThat(HostBatch.redo(List.of(target), bound, List.of(group))).isEqualTo(fits);
        if (fits) {
          assertThat(column.values.intAt(1))
              .isEqualTo((int) edge + (minus ? -1 : 1) * (position + 1));
        }
        assertThat(column.values.intAt(2)).isEqualTo(7);
        if (!fits) {
          assertThat(column.values.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
        }
        column.values.write(0, new int[] {5, (int) edge, 7}, 0, 3);
      }
    }
  }

  @Test
  void computedValuesAndNullsAreLeftToTheKernel() {
    Run run = new Run(3);
    List<Target> computed =
        run.targets().stream().map(t -> new Target(t.column(), t.element(), t.program())).toList();
    assertThat(HostBatch.redo(computed, run.bound, run.groups)).isFalse();
    TestColumn nulls = TestColumn.random(run.elements.getFirst(), CAPACITY, true, 1);
    run.bound.column(run.given.getFirst(), nulls.values, nulls.validity);
    assertThat(HostBatch.redo(run.targets(), run.bound, run.groups)).isFalse();
  }
}
