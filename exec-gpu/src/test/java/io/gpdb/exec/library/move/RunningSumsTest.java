package io.gpdb.exec.library.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.storage.memory.HostBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums made by the host, held against those of kernels. */
class RunningSumsTest {
  private static final int PIECE = RunningSums.PIECE;

  @ParameterizedTest
  @ValueSource(ints = {1, 31, 4096, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 5})
  void hostAndKernelsMakeTheSameSums(int n) {
    SplittableRandom random = new SplittableRandom(n);
    HostBuffer counts = HostBuffer.collected((long) n << 2);
    for (int i = 0; i < n; i++) {
      counts.setInt(i, random.nextInt(Integer.MAX_VALUE));
    }
    HostBuffer byHost = HostBuffer.collected((long) n << 3);
    HostBuffer byKernels = HostBuffer.collected((long) n << 3);
    try (Device device = new EmulatedDevice(new EmulatedOptions(Mode.AUTO, 3, false))) {
      GridPrefixSum prefix = new GridPrefixSum(device);
      prefix.offsets(counts, n, byHost);
      prefix.offsetsByKernels(counts, n, byKernels);
    }
    assertThat(byHost.segment().mismatch(byKernels.segment())).isEqualTo(-1);
    assertThat(byHost.longAt(0)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 33, PIECE, 2 * PIECE + 1})
  void hostAndKernelsRankTheSameBits(int n) {
    SplittableRandom random = new SplittableRandom(n);
    HostBuffer byHost = HostBuffer.collected((long) n << 3);
    HostBuffer byKernels = HostBuffer.collected((long) n << 3);
    long bits = 0;
    for (int i = 0; i < n; i++) {
      long word = random.nextLong() >>> 32 & random.nextLong();
      bits += Long.bitCount(word);
      byHost.setLong(i, word);
      byKernels.setLong(i, word);
    }
    try (Device device = new EmulatedDevice(new EmulatedOptions(Mode.AUTO, 3, false))) {
      RankedBits ranked = new RankedBits(device);
      assertThat((long) ranked.rank(byHost, n)).isEqualTo(bits);
      assertThat((long) ranked.rankByKernels(byKernels, n)).isEqualTo(bits);
    }
    assertThat(byHost.segment().mismatch(byKernels.segment())).isEqualTo(-1);
  }
}
