package io.gpdb.exec.library;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GridChecksumTest {
  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void theChecksumIsThatOfAPlainLoop(Mode mode, int n, boolean negative) {
    int[] words = new Random(n).ints(n).map(w -> negative ? w | 1 << 31 : w).toArray();
    long sum = 0;
    long weighted = 0;
    int parity = 0;
    for (int i = 0; i < n; i++) {
      long word = Integer.toUnsignedLong(words[i]);
      sum += word;
      weighted += (i + 1) * word;
      parity ^= words[i];
    }
    MemorySegment segment = TestColumn.ints(words);
    assertThat(new GridChecksum(Cases.device(mode)).of(segment, n))
        .isEqualTo(new GridChecksum.Checksum(sum, weighted, parity));
  }
}
