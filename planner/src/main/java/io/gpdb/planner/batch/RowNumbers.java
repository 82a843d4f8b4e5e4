package io.gpdb.planner.batch;

import io.gpdb.storage.memory.BufferAllocator;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;

/**
 * Row numbers of a table and of its tablets. The loops go over arrays: over buffers they would be
 * thirty times slower until the JIT compiler has compiled them, which is often after the statement.
 */
public final class RowNumbers {
  private RowNumbers() {}

  /** i64 numbers: {@code base} and the i32 positions, n of them. */
  public static HostBuffer inTable(
      DeviceBuffer positions, int n, long base, BufferAllocator memory) {
    int[] from = new int[n];
    positions.onHost().read(0, from, 0, n);
    long[] to = new long[n];
    for (int i = 0; i < n; i++) {
      to[i] = base + from[i];
    }
    HostBuffer numbers = memory.pin((long) n * Long.BYTES);
    numbers.write(0, to, 0, n);
    return numbers;
  }

  /** i32 rows in the tablet that all of the n i64 numbers are in. */
  public static HostBuffer inTablet(DeviceBuffer numbers, int n, BufferAllocator memory) {
    long[] from = new long[n];
    numbers.onHost().read(0, from, 0, n);
    int[] to = new int[n];
    for (int i = 0; i < n; i++) {
      to[i] = (int) (from[i] & Tablet.ROWS - 1);
    }
    HostBuffer rows = memory.pin((long) n * Integer.BYTES);
    rows.write(0, to, 0, n);
    return rows;
  }
}
