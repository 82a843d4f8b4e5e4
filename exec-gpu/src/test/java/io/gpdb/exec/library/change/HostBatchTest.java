package io.gpdb.exec.library.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.base.TestColumn;
import io.gpdb.exec.library.change.GridApplyBatch.Target;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A batch whose new values are there is changed by the host as by the kernel, byte by byte. */
class HostBatchTest {
  private static final int[] COUNTS = {0, 1, 31, 32, 33, 64, 65, 300, 1024, 1025};
  private static final int CAPACITY = 4096;

  /** The same tablets, batch and memory each time it is made of one seed. */
  private static final class Run {
    final LaneInputs inputs = new LaneInputs();
    final LaneBindings bound;
    final List<Element> elements = new ArrayList<>();
    final List<LaneInputs.Column> given = new ArrayList<>();
    final List<BatchRows> groups = new ArrayList<>();
    final List<HostBuffer> memory = new ArrayList<>();

    Run(long seed) {
      Random random = new Random(seed);
      int columns = 1 + random.nextInt(3);
      for (int c = 0; c < columns; c++) {
        Element element = Element.values()[random.nextInt(Element.values().length)];
        elements.add(element);
        given.add(inputs.column("given" + c, element));
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

    private BatchRows group(Random random, int seed, boolean logged) {
      int n = COUNTS[random.nextInt(COUNTS.length)];
      int[] rows = shuffled(random, n);
      BatchRows group =
          new BatchRows(
              TestColumn.ints(rows), TestColumn.ints(shuffled(random, n)), n, elements.size(), 0);
      for (int c = 0; c < elements.size(); c++) {
        Element element = elements.get(c);
        TestColumn column = TestColumn.random(element, CAPACITY, false, seed + c);
        HostBuffer undo = HostBuffer.collected(Math.max(8, 8L * n));
        group.column(c, column.values, null).captureInto(c, undo, null);
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
      return IntStream.range(0, elements.size())
          .mapToObj(c -> Target.given(c, elements.get(c), given.get(c)))
          .toList();
    }

    /** By the kernel: the program alone does not say that the values are there. */
    void byKernel() {
      List<Target> computed =
          targets().stream().map(t -> new Target(t.column(), t.element(), t.program())).toList();
      new GridApplyBatch(Cases.device(Mode.REFERENCE), "given", inputs, List.of(), computed)
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
