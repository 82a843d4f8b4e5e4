package io.gpdb.exec.library;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Equi-join. */
public final class GridHashJoin {
  /** Which probe rows come out. */
  public enum Kind {
    /** Every pair. */
    INNER,
    /** Every pair; a probe row without a match once, with build row -1. */
    LEFT,
    /** Each probe row with a match once. */
    SEMI,
    /** Each probe row without a match once; a NULL key matches nothing. */
    ANTI
  }

  /** The keys of both sides have equal register types, pairwise. */
  public GridHashJoin(
      Device device,
      String name,
      Kind kind,
      LaneInputs buildInputs,
      List<LaneProgram> buildKeys,
      LaneInputs probeInputs,
      List<LaneProgram> probeKeys) {
    KernelLibrary.unfinished();
  }

  /** Builds the hash table over rows below {@code rows} that are live. */
  public Built build(LaneBindings bindings, int rows, @Nullable MemorySegment live) {
    return KernelLibrary.unfinished();
  }

  /** The probe's text for rows that are all live and without NULLs, for EXPLAIN KERNEL. */
  public Kernel kernel() {
    return KernelLibrary.unfinished();
  }

  /** The build side. Probing is thread-safe. */
  public static final class Built implements AutoCloseable {
    Built() {}

    public JoinPairs probe(
        LaneBindings bindings, int rows, @Nullable MemorySegment live, SegmentAllocator results) {
      return KernelLibrary.unfinished();
    }

    @Override
    public void close() {
      KernelLibrary.unfinished();
    }
  }
}
