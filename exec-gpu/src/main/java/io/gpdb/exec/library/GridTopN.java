package io.gpdb.exec.library;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The first n rows of an order. */
public final class GridTopN {
  public GridTopN(
      Device device,
      String name,
      LaneInputs inputs,
      @Nullable LaneProgram filter,
      List<SortKey> keys) {
    KernelLibrary.unfinished();
  }

  /** Begins one execution that keeps {@code limit} rows, 1 or more. */
  public Top start(int limit) {
    return KernelLibrary.unfinished();
  }

  /** The text for rows that are all live and without NULLs, for EXPLAIN KERNEL. */
  public Kernel kernel() {
    return KernelLibrary.unfinished();
  }

  /** One execution. Used by one thread at a time. */
  public static final class Top implements AutoCloseable {
    Top() {}

    /** Offers the rows of a tablet; its row r is known as firstRow + r. Tablets in their order. */
    public void add(LaneBindings bindings, int rows, @Nullable MemorySegment live, long firstRow) {
      KernelLibrary.unfinished();
    }

    /** i64 row numbers, at most limit of them, in order; equal rows by row number. */
    public MemorySegment finish(SegmentAllocator results) {
      return KernelLibrary.unfinished();
    }

    @Override
    public void close() {
      KernelLibrary.unfinished();
    }
  }
}
