package io.gpdb.planner.run;

import io.gpdb.storage.table.Tablet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

/**
 * Row numbers of a table and of its tablets. The loops go over arrays: over segments they would be
 * thirty times slower until the JIT compiler has come to them, which is often after the statement.
 */
public final class RowNumbers {
  private RowNumbers() {}

  /** i64 numbers: {@code base} and the i32 positions, n of them. */
  static MemorySegment inTable(MemorySegment positions, int n, long base, SegmentAllocator memory) {
    int[] from = new int[n];
    MemorySegment.copy(positions, ValueLayout.JAVA_INT, 0, from, 0, n);
    long[] to = new long[n];
    for (int i = 0; i < n; i++) {
      to[i] = base + from[i];
    }
    MemorySegment numbers = memory.allocate((long) n * Long.BYTES, Long.BYTES);
    MemorySegment.copy(to, 0, numbers, ValueLayout.JAVA_LONG, 0, n);
    return numbers;
  }

  /** i32 rows in the tablet that all of the n i64 numbers are in. */
  public static MemorySegment inTablet(MemorySegment numbers, int n, SegmentAllocator memory) {
    long[] from = new long[n];
    MemorySegment.copy(numbers, ValueLayout.JAVA_LONG, 0, from, 0, n);
    int[] to = new int[n];
    for (int i = 0; i < n; i++) {
      to[i] = (int) (from[i] & Tablet.ROWS - 1);
    }
    MemorySegment rows = memory.allocate((long) n * Integer.BYTES, Long.BYTES);
    MemorySegment.copy(to, 0, rows, ValueLayout.JAVA_INT, 0, n);
    return rows;
  }
}
