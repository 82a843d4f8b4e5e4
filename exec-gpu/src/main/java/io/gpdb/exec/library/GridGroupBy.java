package io.gpdb.exec.library;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Filter, groups, aggregates. */
public final class GridGroupBy {
  /** In {@link #start}: nothing is known about a key's values. */
  public static final int UNKNOWN = 0;

  public GridGroupBy(
      Device device,
      String name,
      LaneInputs inputs,
      @Nullable LaneProgram filter,
      List<LaneProgram> keys,
      List<Aggregate> aggregates) {
    KernelLibrary.unfinished();
  }

  /**
   * Begins one execution.
   *
   * @param keyLimits one per key: its values are NULL or in [0, limit) for all rows to come (codes
   *     of a dictionary of that size), or {@link #UNKNOWN}
   */
  public Grouping start(int... keyLimits) {
    return KernelLibrary.unfinished();
  }

  /** The text for rows that are all live and without NULLs, for EXPLAIN KERNEL. */
  public Kernel kernel() {
    return KernelLibrary.unfinished();
  }

  /** One execution. Used by one thread at a time. */
  public static final class Grouping implements AutoCloseable {
    Grouping() {}

    /** Adds the rows of a tablet; tablets in their order. */
    public void add(LaneBindings bindings, int rows, @Nullable MemorySegment live) {
      KernelLibrary.unfinished();
    }

    /** The groups of all rows added. */
    public Groups finish(SegmentAllocator results) {
      return KernelLibrary.unfinished();
    }

    @Override
    public void close() {
      KernelLibrary.unfinished();
    }
  }
}
