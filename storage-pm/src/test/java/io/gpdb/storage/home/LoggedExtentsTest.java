package io.gpdb.storage.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Extents that only the log names, and pieces of free space. */
class LoggedExtentsTest {
  private static Extent extent(int number) {
    return Extent.unsealed(8192L * number, 1000L * number);
  }

  @Test
  void theLogOwnsAnExtentUntilItIsAChunksOrACheckpointHoldsItsCommit() {
    LoggedExtents logged = new LoggedExtents();
    for (int number = 1; number <= 6; number++) {
      logged.own(extent(number), 10_000L * number);
    }
    assertThat(logged.bytes()).isEqualTo(21_000);
    assertThat(logged.takeUpTo(9_999)).isEmpty();
    assertThat(logged.takeUpTo(20_000)).containsExactlyInAnyOrder(extent(1), extent(2));
    assertThat(logged.bytes()).isEqualTo(18_000);
    assertThat(logged.extents())
        .containsExactlyInAnyOrder(extent(3), extent(4), extent(5), extent(6));
    assertThat(logged.adopt(extent(4), 39_999)).isNull();
    LoggedExtents.Owned adopted = Objects.requireNonNull(logged.adopt(extent(4), 40_000));
    assertThat(adopted.sequence()).isEqualTo(40_000);
    assertThat(adopted.extent()).isEqualTo(extent(4));
    assertThat(logged.bytes()).isEqualTo(14_000);
    assertThat(logged.adopt(extent(4), 90_000)).isNull();
    assertThat(logged.adopt(extent(1), 90_000)).isNull();
    assertThat(logged.bytes()).isEqualTo(14_000);
    assertThat(logged.takeUpTo(Long.MAX_VALUE)).hasSize(3);
    assertThat(logged.bytes()).isZero();
    assertThat(logged.extents()).isEmpty();
  }

  @Test
  void aRangeIsCutOutOfSeveralBlocksAndTheRestStaysFree() {
    long mib = 1 << 20;
    for (long from : new long[] {8192, 12288, mib - 4096, mib, mib + 4096}) {
      for (long to : new long[] {2 * mib, 2 * mib + 4096, 3 * mib - 4096, 4 * mib}) {
        ExtentAllocator allocator = new ExtentAllocator();
        allocator.addRange(8192, 4 * mib);
        assertThat(allocator.takeRange(from, to)).isTrue();
        assertThat(allocator.freeBytes()).isEqualTo(4 * mib - 8192 - (to - from));
        assertThat(allocator.takeRange(from, from + 4096)).isFalse();
        assertThat(allocator.takeRange(to - 4096, to)).isFalse();
        assertThat(allocator.freeBefore(4 * mib)).isEqualTo(to);
        assertThat(allocator.takeRange(from - 4096, to)).isFalse();
        assertThat(allocator.freeBytes()).isEqualTo(4 * mib - 8192 - (to - from));
        allocator.addRange(from, to);
        assertThat(allocator.takeRange(8192, 4 * mib)).isTrue();
        assertThat(allocator.freeBytes()).isZero();
      }
    }
  }

  @Test
  void aRangeWithAHoleIsNotTakenAtAll() {
    ExtentAllocator allocator = new ExtentAllocator();
    allocator.addRange(8192, 1 << 20);
    allocator.addRange((1 << 20) + 4096, 2 << 20);
    long free = allocator.freeBytes();
    assertThat(allocator.takeRange(16384, 2 << 20)).isFalse();
    assertThat(allocator.freeBytes()).isEqualTo(free);
    assertThat(allocator.takeRange(16384, 1 << 20)).isTrue();
    assertThat(allocator.freeBefore(2 << 20)).isEqualTo((1 << 20) + 4096);
    assertThat(allocator.freeBefore(16384)).isEqualTo(8192);
    assertThat(allocator.freeBefore(8192)).isEqualTo(8192);
  }
}
