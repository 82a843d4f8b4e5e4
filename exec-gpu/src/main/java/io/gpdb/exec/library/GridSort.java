package io.gpdb.exec.library;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/** Stable sort of rows by keys. */
public final class GridSort {
  public GridSort(Device device, String name, LaneInputs inputs, List<SortKey> keys) {
    KernelLibrary.unfinished();
  }

  /** The rows 0 to {@code rows}-1 as i32 numbers in order; equal rows stay in row order. */
  public MemorySegment permutation(LaneBindings bindings, int rows, SegmentAllocator results) {
    return KernelLibrary.unfinished();
  }

  /** The text of the first key's normalisation, for EXPLAIN KERNEL. */
  public Kernel kernel() {
    return KernelLibrary.unfinished();
  }
}
