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
    throw new UnsupportedOperationException();
  }

  /** Begins one execution that keeps {@code limit} rows, 1 or more. */
  public Top start(int limit) {
    throw new UnsupportedOperationException();
  }

  /** The text for rows that are all live and without NULLs, for EXPLAIN KERNEL. */
  public Kernel kernel() {
    throw new UnsupportedOperationException();
  }

  /** One execution. Used by one thread at a time. */
  public static final class Top implements AutoCloseable {
    Top() {}

    /** Offers the rows of a tablet; its row r is known as firstRow + r. Tablets in their order. */
    public void add(LaneBindings bindings, int rows, @Nullable MemorySegment live, long firstRow) {
      throw new UnsupportedOperationException();
    }

    /** i64 row numbers, at most limit of them, in order; equal rows by row number. */
    public MemorySegment finish(SegmentAllocator results) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      throw new UnsupportedOperationException();
    }
  }
}
