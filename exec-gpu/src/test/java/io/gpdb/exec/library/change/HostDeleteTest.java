package io.gpdb.exec.library.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.base.TestColumn;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rows are deleted by the host as by the kernel, byte by byte. */
class HostDeleteTest {
  private static final int[] COUNTS = {0, 1, 31, 32, 33, 64, 65, 1024, 4096};
  private static final int CAPACITY = 65_536;

  /** The same tablets each time they are made of one seed. */
  private static final class Run {
    final List<GridApplyDelete.Group> groups = new ArrayList<>();
    final List<HostBuffer> memory = new ArrayList<>();

    Run(long seed) {
      Random random = new Random(seed);
      boolean logged = random.nextInt(3) > 0;
      int tablets = random.nextInt(5);
      for (int t = 0; t < tablets; t++) {
        groups.add(group(random, logged));
      }
    }

    private GridApplyDelete.Group group(Random random, boolean logged) {
      int n = COUNTS[random.nextInt(COUNTS.length)];
      int from = random.nextInt(CAPACITY);
      int[] rows =
          IntStream.generate(() -> from + random.nextInt(CAPACITY - from))
              .limit(n)
              .distinct()
              .toArray();
      HostBuffer live = HostBuffer.collected(CAPACITY / 8);
      for (int i = 0; i < CAPACITY / 32; i++) {
        live.setInt(i, random.nextInt() | random.nextInt());
      }
      memory.add(live);
      UpdateLog log = null;
      if (logged) {
        long base = HclLayout.GROUP_ENTRIES * (long) random.nextInt(3);
        long words = HclLayout.regionWords(Math.max(1, rows.length), 1);
        HostBuffer entries = HostBuffer.collected(4 * (base + words));
        memory.add(entries);
        log = new UpdateLog.Hcl(entries, base);
      }
      return new GridApplyDelete.Group(TestColumn.ints(rows), rows.length, live, log);
    }

    List<byte[]> bytes() {
      return memory.stream().map(m -> m.segment().toArray(ValueLayout.JAVA_BYTE)).toList();
    }
  }

  @Test
  void theHostDoesWhatTheKernelDoes() {
    Long replay = Long.getLong("gpdb.seed");
    long first = replay == null ? 1 : replay;
    GridApplyDelete kernel = new GridApplyDelete(Cases.device(Mode.REFERENCE));
    for (long seed = first; seed < first + 150; seed++) {
      Run byHost = new Run(seed);
      Run byKernel = new Run(seed);
      assertThat(HostDelete.redo(byHost.groups)).as("seed %d", seed).isTrue();
      kernel.launch(byKernel.groups);
      List<byte[]> found = byHost.bytes();
      List<byte[]> wanted = byKernel.bytes();
      for (int i = 0; i < wanted.size(); i++) {
        assertThat(found.get(i)).as("seed %d, memory %d", seed, i).isEqualTo(wanted.get(i));
      }
    }
  }

  @Test
  void manyRowsAreLeftToTheKernel() {
    HostBuffer live = HostBuffer.collected(CAPACITY / 8);
    HostBuffer rows = HostBuffer.collected(4L * CAPACITY);
    int half = HostBatch.ROWS_MAX / 2 + 1;
    GridApplyDelete.Group group = new GridApplyDelete.Group(rows, half, live, null);
    assertThat(HostDelete.redo(List.of(group, group))).isFalse();
  }
}
