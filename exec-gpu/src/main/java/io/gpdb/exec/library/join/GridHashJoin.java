package io.gpdb.exec.library.join;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.group.GroupFloatSums;
import io.gpdb.exec.library.group.GroupTable;
import io.gpdb.exec.library.group.GroupTableKernels;
import io.gpdb.exec.library.group.KeyStaging;
import io.gpdb.exec.library.group.KeyWords;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.exec.library.move.GridPrefixSum;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Equi-join. Called by the planner: {@link #build} once over the build side's dense columns (or one
 * tablet), then {@link JoinBuild#probe} per batch of the probe side. Thread-safe.
 *
 * <p>The build side's keys are numbered by a {@link GroupTable}; its rows are sorted by number, so
 * that the rows of a key are adjacent, in row order. A probe looks its key up, counts, and after a
 * prefix sum writes its pairs: their order follows from row numbers alone. A NULL key matches
 * nothing.
 */
public final class GridHashJoin {
  final KeyWords buildWords;
  final KeyStaging staging;
  final GroupTableKernels tableKernels;
  final JoinKernels joinKernels;
  final JoinProbe probe;
  final GroupFloatSums groupOrder;
  final GridPrefixSum prefix;

  /** Which probe rows come out. */
  public enum Kind {
    /** Every pair. */
    INNER,
    /** Every pair; a probe row without a match once, with build row -1. */
    LEFT,
    /** Each probe row with a match once, with its first match. */
    SEMI,
    /** Each probe row without a match once; a NULL key matches nothing, so its row comes out. */
    ANTI
  }

  /** The keys of both sides have equal register types, pairwise; else INVALID. */
  public GridHashJoin(
      Device device,
      String name,
      Kind kind,
      LaneInputs buildInputs,
      List<LaneProgram> buildKeys,
      LaneInputs probeInputs,
      List<LaneProgram> probeKeys) {
    String identifier = KernelLibrary.identifier(name);
    buildWords = new KeyWords(buildInputs, buildKeys, false);
    KeyWords probeWords = new KeyWords(probeInputs, probeKeys, false);
    checkTypes(name, buildWords.types(), probeWords.types());
    staging = new KeyStaging(device, identifier + "_build", buildInputs, null, buildWords, false);
    tableKernels = new GroupTableKernels(device);
    joinKernels = new JoinKernels(device);
    probe = new JoinProbe(device, identifier + "_probe", kind, probeInputs, probeWords);
    groupOrder = new GroupFloatSums(device);
    prefix = new GridPrefixSum(device);
  }

  private static void checkTypes(String name, List<Type> build, List<Type> probe) {
    if (build.isEmpty() || !build.equals(probe)) {
      throw new IllegalArgumentException(
          name + ": join keys differ in type: build=" + build + ", probe=" + probe);
    }
  }

  /** Builds over rows below {@code rows} that are live (bitmap; null: all). */
  public JoinBuild build(LaneBindings bindings, int rows, @Nullable DeviceBuffer live) {
    JoinBuild built = new JoinBuild(this);
    try {
      built.fill(bindings, rows, live);
      return built;
    } catch (RuntimeException e) {
      built.close();
      throw e;
    }
  }

  /** The probe's text for rows that are all live and without NULLs, for EXPLAIN KERNEL. */
  public Kernel kernel() {
    return probe.kernel(LaneVariant.plain());
  }
}
