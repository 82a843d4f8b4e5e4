package io.gpdb.storage.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteHashTest {
  private static final long FACTOR = 0x9e3779b97f4a7c15L;
  private static final int LENGTH_MAX = 40;

  /** The definition, byte by byte: words of eight bytes, the lowest first, the last not full. */
  private static int hash(byte[] b) {
    long h = b.length * FACTOR;
    for (int at = 0; at < b.length; at += 8) {
      long word = 0;
      for (int i = Math.min(b.length, at + 8) - 1; i >= at; i--) {
        word = word << 8 | (b[i] & 0xff);
      }
      h = Long.rotateLeft((h ^ word) * FACTOR, 29);
    }
    h ^= h >>> 32;
    h *= FACTOR;
    return (int) (h >>> 32);
  }

  private static byte[] random(Random random, int length) {
    byte[] b = new byte[length];
    random.nextBytes(b);
    return b;
  }

  @Test
  void theHashDependsOnNothingAroundTheBytes() {
    Random random = new Random(5);
    for (int length = 0; length <= LENGTH_MAX; length++) {
      for (int off = 0; off < 9; off++) {
        byte[] b = random(random, off + length + off % 3);
        byte[] own = Arrays.copyOfRange(b, off, off + length);
        assertThat(ByteHash.of(b, off, length)).isEqualTo(hash(own));
      }
    }
  }

  @Test
  void stringsAreEqualWhereAllTheirBytesAre() {
    Random random = new Random(6);
    try (Arena arena = Arena.ofConfined()) {
      for (int length = 0; length <= LENGTH_MAX; length++) {
        byte[] b = random(random, length + 3);
        MemorySegment s = arena.allocate(length + 5L);
        MemorySegment.copy(MemorySegment.ofArray(b), 3, s, 5, length);
        assertThat(ByteHash.equal(s, 5, b, 3, length)).isTrue();
        for (int at = 0; at < length; at++) {
          byte[] other = b.clone();
          other[3 + at] ^= (byte) (1 << random.nextInt(8));
          assertThat(ByteHash.equal(s, 5, other, 3, length)).as("%d of %d", at, length).isFalse();
        }
      }
    }
  }
}
