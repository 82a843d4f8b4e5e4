package io.gpdb.exec.library;

import io.gpdb.exec.Device;
import java.lang.foreign.MemorySegment;

/** Running sums. */
public final class GridPrefixSum {
  public GridPrefixSum(Device device) {
    KernelLibrary.unfinished();
  }

  /** {@code offsets[i]} (i64) = sum of counts[0..i) (i32, not negative); the sum of all. */
  public long exclusive(MemorySegment counts, int n, MemorySegment offsets) {
    return KernelLibrary.unfinished();
  }
}
