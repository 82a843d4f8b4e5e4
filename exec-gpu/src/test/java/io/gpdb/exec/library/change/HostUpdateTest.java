package io.gpdb.exec.library.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.base.TestColumn;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Columns whose new values are there are changed by the host as by the kernels, byte by byte. */
class HostUpdateTest {
  private static final int[] COUNTS = {0, 1, 31, 32, 33, 64, 65, 300, 1024, 1025};
  private static final int CAPACITY = 4096;

  /** The same columns and memory each time it is made of one seed. */
  private static final class Run {
    final List<ColumnUpdate> updates = new ArrayList<>();
    final List<HostBuffer> memory = new ArrayList<>();

    Run(long seed) {
      Random random = new Random(seed);
      for (int u = 0, count = 1 + random.nextInt(5); u < count; u++) {
        updates.add(update(random, (int) seed + 10 * u));
      }
    }

    private ColumnUpdate update(Random random, int seed) {
      Element element = Element.values()[random.nextInt(Element.values().length)];
      int n = COUNTS[random.nextInt(COUNTS.length)];
      int[] rows = IntStream.range(0, n).map(i -> (i * 37 + seed) % CAPACITY).toArray();
      TestColumn column = TestColumn.random(element, CAPACITY, false, seed);
      TestColumn values = TestColumn.random(element, Math.max(1, n), false, seed + 1);
      HostBuffer undo = HostBuffer.collected(Math.max(8, 8L * n));
      memory.add(column.values);
      memory.add(undo);
      ColumnUpdate update =
          new ColumnUpdate(element, TestColumn.ints(rows), n)
              .newValues(values.values, null)
              .column(column.values, null)
              .captureInto(undo, null);
      return random.nextInt(3) == 0 ? update : update.log(log(random, element, n));
    }

    private UpdateLog log(Random random, Element element, int n) {
      int words = HclLayout.updateEntryWords(element);
      long base = HclLayout.GROUP_ENTRIES * (long) random.nextInt(3);
      HostBuffer log =
          HostBuffer.collected(4 * (base + HclLayout.regionWords(Math.max(1, n), words)));
      memory.add(log);
      return new UpdateLog.Hcl(log, base);
    }

    List<byte[]> bytes() {
      return memory.stream().map(m -> m.segment().toArray(ValueLayout.JAVA_BYTE)).toList();
    }
  }

  @Test
  void theHostDoesWhatTheKernelsDo() {
    Long replay = Long.getLong("gpdb.seed");
    long first = replay == null ? 1 : replay;
    for (long seed = first; seed < first + 150; seed++) {
      Run byHost = new Run(seed);
      Run byKernel = new Run(seed);
      assertThat(HostUpdate.redo(byHost.updates)).as("seed %d", seed).isTrue();
      new GridApplyUpdate(Cases.device(Mode.REFERENCE)).redo(byKernel.updates);
      List<byte[]> found = byHost.bytes();
      List<byte[]> wanted = byKernel.bytes();
      for (int i = 0; i < wanted.size(); i++) {
        assertThat(found.get(i)).as("seed %d, memory %d", seed, i).isEqualTo(wanted.get(i));
      }
    }
  }

  @Test
  void nullsAndManyRowsAreLeftToTheKernels() {
    HostBuffer bits = TestColumn.bitmap(new boolean[32]);
    assertThat(HostUpdate.redo(List.of(update(8, null, null)))).isTrue();
    assertThat(HostUpdate.redo(List.of(update(8, bits, null)))).isFalse();
    assertThat(HostUpdate.redo(List.of(update(8, null, bits)))).isFalse();
    ColumnUpdate many = update(HostBatch.ROWS_MAX / 2 + 1, null, null);
    assertThat(HostUpdate.redo(List.of(many))).isTrue();
    assertThat(HostUpdate.redo(List.of(many, many))).isFalse();
  }

  private static ColumnUpdate update(
      int n, @Nullable HostBuffer newValidity, @Nullable HostBuffer validity) {
    return new ColumnUpdate(Element.I32, TestColumn.ints(IntStream.range(0, n).toArray()), n)
        .newValues(HostBuffer.collected(4L * n), newValidity)
        .column(HostBuffer.collected(4L * n), validity)
        .captureInto(HostBuffer.collected(4L * n), null);
  }
}
