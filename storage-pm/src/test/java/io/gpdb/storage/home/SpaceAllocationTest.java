package io.gpdb.storage.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SpaceAllocationTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261121L);
  private static final long MIB = 1 << 20;

  /** Compared with the first run in a plain list of free mebibytes. */
  @Test
  void largeExtentsTakeTheLowestRunOfWholeMebibytes() {
    Random random = new Random(SEED);
    int mebibytes = 40;
    ExtentAllocator allocator = new ExtentAllocator();
    allocator.addRange(0, mebibytes * MIB);
    boolean[] used = new boolean[mebibytes];
    List<int[]> taken = new ArrayList<>();
    int refused = 0;
    for (int i = 0; i < 4_000; i++) {
      int count = 1 + random.nextInt(5);
      if (random.nextInt(3) > 0) {
        int expected = firstRun(used, count);
        long offset = allocator.take(count * MIB - random.nextInt(1 << 19));
        assertThat(offset).as("step %d", i).isEqualTo(expected < 0 ? -1 : expected * MIB);
        refused += expected < 0 ? 1 : 0;
        if (expected >= 0) {
          Arrays.fill(used, expected, expected + count, true);
          taken.add(new int[] {expected, count});
        }
      } else if (!taken.isEmpty()) {
        int[] given = taken.remove(random.nextInt(taken.size()));
        allocator.give(given[0] * MIB, given[1] * MIB);
        Arrays.fill(used, given[0], given[0] + given[1], false);
      }
    }
    assertThat(refused).isPositive();
  }

  private static int firstRun(boolean[] used, int count) {
    int free = 0;
    for (int i = 0; i < used.length; i++) {
      free = used[i] ? 0 : free + 1;
      if (free == count) {
        return i + 1 - count;
      }
    }
    return -1;
  }

  /** Held against taking them. */
  @Test
  void thereIsRoomForSoManyExtentsAsCanBeTaken() {
    Random random = new Random(SEED);
    ExtentAllocator allocator = new ExtentAllocator();
    allocator.addRange(8192, 16 * MIB);
    List<long[]> kept = new ArrayList<>();
    int refused = 0;
    for (int i = 0; i < 2_000; i++) {
      long bytes = 1 + random.nextInt(1 << (8 + random.nextInt(13)));
      int extents = 1 + random.nextInt(8);
      boolean hasRoom = allocator.hasRoom(bytes, extents);
      List<long[]> taken = new ArrayList<>();
      for (int e = 0; e < extents; e++) {
        long offset = allocator.take(bytes);
        if (offset >= 0) {
          taken.add(new long[] {offset, bytes});
        }
      }
      assertThat(taken.size() == extents).as("%d of %d bytes", extents, bytes).isEqualTo(hasRoom);
      refused += hasRoom ? 0 : 1;
      kept.addAll(taken);
      while (kept.size() > 40 + random.nextInt(20)) {
        long[] given = kept.remove(random.nextInt(kept.size()));
        allocator.give(given[0], given[1]);
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void extentsAreAlignedAndNeverOverlapAndAllSpaceComesBack() {
    Random random = new Random(SEED);
    ExtentAllocator allocator = new ExtentAllocator();
    allocator.addRange(8192, 64 * MIB);
    TreeMap<Long, Long> taken = new TreeMap<>();
    for (int i = 0; i < 20_000; i++) {
      if (random.nextInt(5) < 3) {
        long bytes =
            1
                + (random.nextInt(20) == 0
                    ? random.nextInt(5 << 20)
                    : random.nextInt(1 << (9 + random.nextInt(12))));
        long offset = allocator.take(bytes);
        if (offset >= 0) {
          assertThat(offset % ExtentAllocator.alignment(bytes)).isZero();
          assertFree(taken, offset, ExtentAllocator.occupiedBytes(bytes));
          taken.put(offset, bytes);
        }
      } else if (!taken.isEmpty()) {
        Long near = taken.floorKey((long) random.nextInt(64 << 20));
        long offset = near == null ? taken.firstKey() : near;
        allocator.give(offset, taken.remove(offset));
      }
    }
    taken.forEach(allocator::give);
    assertThat(allocator.freeBytes()).as("seed %d", SEED).isEqualTo(64 * MIB - 8192);
    assertThat(allocator.take(63 * MIB)).isEqualTo(MIB);
  }

  private static void assertFree(TreeMap<Long, Long> taken, long offset, long bytes) {
    var before = taken.floorEntry(offset + bytes - 1);
    if (before != null) {
      long end = before.getKey() + ExtentAllocator.occupiedBytes(before.getValue());
      assertThat(end).as("seed %d", SEED).isLessThanOrEqualTo(offset);
    }
  }

  @Test
  void aRangeFromTheBeginningIsMadeOfWholeBlocks() {
    ExtentAllocator allocator = new ExtentAllocator();
    allocator.addRange(0, 3 * MIB);
    assertThat(allocator.freeBytes()).isEqualTo(3 * MIB);
    assertThat(allocator.take(3 * MIB)).isZero();
  }

  @Test
  void anExtentCanBeTakenWhereItIsWanted() {
    ExtentAllocator allocator = new ExtentAllocator();
    allocator.addRange(8192, 4 * MIB);
    assertThat(allocator.takeAt(MIB, 5000)).isTrue();
    assertThat(allocator.takeAt(MIB, 5000)).isFalse();
    assertThat(allocator.takeAt(MIB - 4096, 8192)).as("partly taken").isFalse();
    assertThat(allocator.takeAt(5 * MIB, 1)).isFalse();
    assertThat(allocator.freeBytes()).isEqualTo(4 * MIB - 8192 - 8192);
    allocator.give(MIB, 5000);
    assertThat(allocator.take(3 * MIB)).isEqualTo(MIB);
  }
}
