package io.gpdb.exec.library;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Type;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Filter and aggregates without groups, one pass per tablet. */
public final class GridReduce {
  public GridReduce(
      Device device,
      String name,
      LaneInputs inputs,
      @Nullable LaneProgram filter,
      List<Aggregate> aggregates) {
    KernelLibrary.unfinished();
  }

  /** Reduces one tablet. */
  public Partial run(LaneBindings bindings, int rows, @Nullable MemorySegment live) {
    return KernelLibrary.unfinished();
  }

  /** The partial of no rows. */
  public Partial empty() {
    return KernelLibrary.unfinished();
  }

  /** The text for rows that are all live and without NULLs, for EXPLAIN KERNEL. */
  public Kernel kernel() {
    return KernelLibrary.unfinished();
  }

  /** The aggregates of some rows. Immutable. */
  public static final class Partial {
    Partial() {}

    /** The aggregates of these rows followed by {@code next}'s: merge tablets in their order. */
    public Partial merge(Partial next) {
      return KernelLibrary.unfinished();
    }

    /** Rows that passed the filter. */
    public long rows() {
      return KernelLibrary.unfinished();
    }

    public Type type(int aggregate) {
      return KernelLibrary.unfinished();
    }

    public boolean isNull(int aggregate) {
      return KernelLibrary.unfinished();
    }

    /** The aggregate as raw bits; NUMERIC_OUT_OF_RANGE when an integer sum does not fit i64. */
    public long raw(int aggregate) {
      return KernelLibrary.unfinished();
    }

    /** An integer sum, however large. */
    public BigInteger exactSum(int aggregate) {
      return KernelLibrary.unfinished();
    }
  }
}
