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
    throw new UnsupportedOperationException();
  }

  /** Reduces one tablet. */
  public Partial run(LaneBindings bindings, int rows, @Nullable MemorySegment live) {
    throw new UnsupportedOperationException();
  }

  /** The partial of no rows. */
  public Partial empty() {
    throw new UnsupportedOperationException();
  }

  /** The text for rows that are all live and without NULLs, for EXPLAIN KERNEL. */
  public Kernel kernel() {
    throw new UnsupportedOperationException();
  }

  /** The aggregates of some rows. Immutable. */
  public static final class Partial {
    Partial() {}

    /** The aggregates of these rows followed by {@code next}'s: merge tablets in their order. */
    public Partial merge(Partial next) {
      throw new UnsupportedOperationException();
    }

    /** Rows that passed the filter. */
    public long rows() {
      throw new UnsupportedOperationException();
    }

    public Type type(int aggregate) {
      throw new UnsupportedOperationException();
    }

    public boolean isNull(int aggregate) {
      throw new UnsupportedOperationException();
    }

    /** The aggregate as raw bits; NUMERIC_OUT_OF_RANGE when an integer sum does not fit i64. */
    public long raw(int aggregate) {
      throw new UnsupportedOperationException();
    }

    /** An integer sum, however large. */
    public BigInteger exactSum(int aggregate) {
      throw new UnsupportedOperationException();
    }
  }
}
