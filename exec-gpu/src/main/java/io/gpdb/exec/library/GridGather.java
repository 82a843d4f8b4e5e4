package io.gpdb.exec.library;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel.Element;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import org.jspecify.annotations.Nullable;

/** Picks elements by index. */
public final class GridGather {
  public GridGather(Device device) {
    KernelLibrary.unfinished();
  }

  /** {@code target[i] = source[indexes[i]]} for i below n; 0 where the i32 index is -1. */
  public void values(
      Element element, MemorySegment source, MemorySegment indexes, int n, MemorySegment target) {
    KernelLibrary.unfinished();
  }

  /**
   * Bit i of target = bit indexes[i] of source (null: all set), clear where the index is -1; whole
   * i32 words.
   */
  public void validity(
      @Nullable MemorySegment source, MemorySegment indexes, int n, MemorySegment target) {
    KernelLibrary.unfinished();
  }

  /**
   * Both halves of a column.
   *
   * @param outer whether -1 occurs among the indexes
   */
  public DenseColumn column(
      DenseColumn source, MemorySegment indexes, int n, boolean outer, SegmentAllocator results) {
    return KernelLibrary.unfinished();
  }
}
