package io.gpdb.exec.library.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Entries of a log are applied by the host as by the kernel, byte by byte. */
class HostReplayTest {
  private static final int[] COUNTS = {0, 1, 31, 32, 33, 64, 65, 1024, 1025};
  private static final int CAPACITY = 8192;

  /** The same log and column each time they are made of one seed. */
  private static final class Run {
    final Element element;
    final boolean rowMajor;
    final int n;
    final long base;
    final HostBuffer log;
    final HostBuffer values;
    final HostBuffer validity;
    final HostBuffer live = filled(new Random(7), CAPACITY / 32);

    Run(long seed) {
      Random random = new Random(seed);
      element = Element.values()[random.nextInt(Element.values().length)];
      rowMajor = random.nextBoolean();
      n = COUNTS[random.nextInt(COUNTS.length)];
      base = HclLayout.GROUP_ENTRIES * (long) random.nextInt(3);
      boolean nulls = random.nextBoolean();
      int words = HclLayout.updateEntryWords(element);
      log = filled(random, (int) (base + HclLayout.regionWords(Math.max(1, n), words)));
      int from = random.nextInt(CAPACITY - 2048);
      int[] rows = random.ints(from, CAPACITY).distinct().limit(n).toArray();
      for (int i = 0; i < n; i++) {
        boolean isNull = nulls && random.nextInt(3) == 0;
        long at = rowMajor ? base + (long) i * words : HclLayout.wordIndex(base, i, 0, words);
        log.setInt(at, isNull ? rows[i] | HclLayout.NULL_FLAG : rows[i]);
      }
      values = filled(random, CAPACITY * element.bytes() / 4);
      validity = nulls || random.nextBoolean() ? filled(random, CAPACITY / 32) : null;
    }

    private static HostBuffer filled(Random random, int words) {
      HostBuffer buffer = HostBuffer.collected(4L * words);
      // No bits of a NaN: kernels know one NaN only, and so do columns.
      IntStream.range(0, words).forEach(i -> buffer.setInt(i, random.nextInt() & ~(1 << 30)));
      return buffer;
    }
  }

  private static byte[] bytes(HostBuffer buffer) {
    return buffer == null ? new byte[0] : buffer.segment().toArray(ValueLayout.JAVA_BYTE);
  }

  @Test
  void theHostDoesWhatTheKernelDoes() {
    Long replay = Long.getLong("gpdb.seed");
    long first = replay == null ? 1 : replay;
    GridReplay kernels = new GridReplay(Cases.device(Mode.REFERENCE));
    for (long seed = first; seed < first + 200; seed++) {
      Run a = new Run(seed);
      Run b = new Run(seed);
      int width = a.element.bytes();
      assertThat(HostReplay.update(width, a.rowMajor, a.log, a.base, a.n, a.values, a.validity))
          .as("seed %d", seed)
          .isTrue();
      kernels.launch(b.element, b.rowMajor, b.log, b.base, b.n, b.values, b.validity);
      assertThat(bytes(a.values)).as("values, seed %d", seed).isEqualTo(bytes(b.values));
      assertThat(bytes(a.validity)).as("validity, seed %d", seed).isEqualTo(bytes(b.validity));
    }
  }

  @Test
  void theHostClearsWhatTheKernelClears() {
    long seed = Long.getLong("gpdb.seed", 20261127L);
    Random random = new Random(seed);
    GridReplay kernels = new GridReplay(Cases.device(Mode.REFERENCE));
    for (int n : COUNTS) {
      int from = random.nextInt(CAPACITY - 2048);
      int[] rows = random.ints(from, CAPACITY).distinct().limit(n).toArray();
      HostBuffer log = HostBuffer.collected(4L * (32 + n + 32));
      log.write(32, rows, 0, n);
      Run a = new Run(1);
      Run b = new Run(1);
      assertThat(HostReplay.clearLive(log, 32, n, a.live)).isTrue();
      kernels.launchClear(log, 32, n, b.live);
      assertThat(bytes(a.live)).as("n %d, seed %d", n, seed).isEqualTo(bytes(b.live));
    }
  }
}
