package io.gpdb.storage.column;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random operations on bitmaps, compared with arrays of booleans. */
class BitmapsTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261123);

  @ParameterizedTest
  @ValueSource(ints = {1, 31, 32, 33, 64, 65, 200})
  void operationsOnRangesAreThoseOnTheirBits(int n) {
    Random random = new Random(SEED + n);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bitmap = arena.allocate(Bitmaps.bytes(n), 8);
      MemorySegment other = arena.allocate(Bitmaps.bytes(n), 8);
      boolean[] bits = new boolean[n];
      boolean[] others = new boolean[n];
      for (int step = 0; step < 2000; step++) {
        int from = random.nextInt(n);
        int count = random.nextInt(n - from + 1);
        int to = random.nextInt(n - count + 1);
        boolean on = random.nextBoolean();
        switch (random.nextInt(4)) {
          case 0 -> {
            Bitmaps.set(bitmap, from, on);
            bits[from] = on;
          }
          case 1 -> {
            Bitmaps.setRange(bitmap, from, count, on);
            Arrays.fill(bits, from, from + count, on);
          }
          case 2 -> {
            Bitmaps.copyRange(bitmap, from, other, to, count);
            System.arraycopy(bits, from, others, to, count);
          }
          default -> {
            Bitmaps.setTail(other, from, on);
            Arrays.fill(others, from, n, on);
          }
        }
        assertSame(bitmap, bits);
        assertSame(other, others);
      }
    }
  }

  private static void assertSame(MemorySegment bitmap, boolean[] bits) {
    int n = bits.length;
    int set = 0;
    for (int i = 0; i < n; i++) {
      assertThat(Bitmaps.test(bitmap, i))
          .as("seed %d, bit %d of %d", SEED, i, n)
          .isEqualTo(bits[i]);
      set += bits[i] ? 1 : 0;
    }
    assertThat(Bitmaps.count(bitmap, 0, n)).isEqualTo(set);
    assertThat(Bitmaps.allSet(bitmap, n)).isEqualTo(set == n);
    int first = Bitmaps.next(bitmap, 0, n, true);
    assertThat(first == n).isEqualTo(set == 0);
    assertThat(first == n || bits[first]).isTrue();
  }

  @Test
  void theTailIsTheRestOfItsWordAndAllWordsBehind() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bitmap = arena.allocate(12, 4);
      Bitmaps.setTail(bitmap, 33, true);
      assertThat(Bitmaps.count(bitmap, 0, 96)).isEqualTo(63);
      assertThat(Bitmaps.next(bitmap, 0, 96, true)).isEqualTo(33);
      Bitmaps.setTail(bitmap, 64, false);
      assertThat(Bitmaps.count(bitmap, 0, 96)).isEqualTo(31);
      Bitmaps.setTail(bitmap, 96, true);
      assertThat(Bitmaps.count(bitmap, 0, 96)).isEqualTo(31);
    }
  }

  /** Each thread clears half of the bits, in an order of its own, so that they meet in words. */
  @Test
  void noBitIsLostThatThreadsClearAtOnce() throws InterruptedException {
    int[] steps = {0x9E3779B1, 0x85EBCA6B};
    int half = 1 << 21;
    try (Arena arena = Arena.ofShared()) {
      HostBuffer bitmap =
          new HostBuffer(arena.allocate(Bitmaps.bytes(2L * half), 8), HostMemory.INSTANCE);
      Bitmaps.setRange(bitmap, 0, 2 * half, true);
      List<Thread> clearing = new ArrayList<>();
      for (int t = 0; t < steps.length; t++) {
        int own = t;
        clearing.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int i = 0; i < half; i++) {
                        int bit = 2 * (i * steps[own] & (half - 1)) + own;
                        Bitmaps.clearShared(bitmap, bit);
                      }
                    }));
      }
      for (Thread thread : clearing) {
        thread.join();
      }
      assertThat(Bitmaps.count(bitmap, 0, 2 * half)).isZero();
    }
  }
}
