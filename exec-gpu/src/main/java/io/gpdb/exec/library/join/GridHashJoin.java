package io.gpdb.exec.library.join;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.group.accumulator.GroupFloatSums;
import io.gpdb.exec.library.key.GroupTable;
import io.gpdb.exec.library.key.GroupTableKernels;
import io.gpdb.exec.library.key.KeyParts;
import io.gpdb.exec.library.key.KeyStaging;
import io.gpdb.exec.library.key.KeyWords;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.exec.library.move.GridPack;
import io.gpdb.exec.library.move.GridPick;
import io.gpdb.exec.library.move.GridPrefixSum;
import io.gpdb.exec.library.move.RankedBits;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Equi-join. Called by the planner: {@link #build} once over the build side's dense columns (or one
 * tablet), then {@link JoinBuild#start} per window of batches of the probe side. Thread-safe.
 *
 * <p>The build side's keys are numbered: by {@link KeyRanks} where they are whole numbers close
 * together, else by a {@link GroupTable}. Where whole numbers follow each other in row order, a
 * key's distance from the first is its row, and nothing is built. Where keys have several rows,
 * rows are sorted by number, so that those of a key are adjacent, in row order. A probe looks keys
 * up and keeps the rows that make pairs; their order follows from row numbers alone. A NULL key
 * matches nothing.
 */
public final class GridHashJoin {
  final Kind kind;
  final KeyWords buildWords;
  final boolean wholeNumbers;
  final KeyStaging staging;
  private final KeyWords probeWords;
  private final KeyStaging probeStaging;
  final GroupTableKernels tableKernels;
  final KeyRankKernels rankKernels;
  final JoinKernels joinKernels;
  final PairKernels pairKernels;
  final JoinProbe probe;
  final GroupFloatSums groupOrder;
  final GridPrefixSum prefix;
  final RankedBits bits;
  final GridPick pick;
  final GridPack pack;

  /** Which probe rows come out. */
  public enum Kind {
    /** Every pair. */
    INNER,
    /** Every pair; a probe row without a match once, with build row -1. */
    LEFT,
    /** Each probe row with a match once. */
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
    this.kind = kind;
    String identifier = KernelLibrary.identifier(name);
    buildWords = new KeyWords(buildInputs, buildKeys, false);
    probeWords = new KeyWords(probeInputs, probeKeys, false);
    checkTypes(name, buildWords.types(), probeWords.types());
    wholeNumbers = buildWords.types().stream().noneMatch(GridHashJoin::isFloat);
    staging = new KeyStaging(device, identifier + "_build", buildInputs, null, buildWords, false);
    probeStaging =
        new KeyStaging(device, identifier + "_keys", probeInputs, null, probeWords, false);
    tableKernels = new GroupTableKernels(device);
    rankKernels = new KeyRankKernels(device);
    joinKernels = new JoinKernels(device);
    pairKernels = new PairKernels(device);
    probe = new JoinProbe(device, identifier + "_probe", kind, probeInputs, probeWords);
    groupOrder = new GroupFloatSums(device);
    prefix = new GridPrefixSum(device);
    bits = new RankedBits(device);
    pick = new GridPick(device);
    pack = new GridPack(device);
  }

  private static boolean isFloat(Type type) {
    return type == Type.F32 || type == Type.F64;
  }

  private static void checkTypes(String name, List<Type> build, List<Type> probe) {
    if (build.isEmpty() || !build.equals(probe)) {
      throw new IllegalArgumentException(
          name + ": join keys differ in type: build=" + build + ", probe=" + probe);
    }
  }

  /**
   * Builds over rows below {@code rows} that are live (bitmap; null: all).
   *
   * @param probes how many rows will be looked up, about: for many, more memory is worth it
   */
  public JoinBuild build(
      LaneBindings bindings, int rows, @Nullable DeviceBuffer live, long probes) {
    JoinBuild built = new JoinBuild(this);
    try {
      built.fill(bindings, rows, live, probes);
      return built;
    } catch (RuntimeException e) {
      built.close();
      throw e;
    }
  }

  /**
   * Divides rows of the build side by their keys: those that make pairs with rows of the probe side
   * are in the parts of these.
   *
   * @param count of parts
   * @param level of rows that are divided again: each divides by another hash
   * @return by row, its part; -1 of rows with a NULL key and of those that are not live
   */
  public int[] buildParts(
      LaneBindings bindings, int rows, @Nullable DeviceBuffer live, int count, int level) {
    return new KeyParts(staging, buildWords.count()).of(bindings, rows, live, count, level);
  }

  /** As {@link #buildParts}, rows of the probe side. */
  public int[] probeParts(
      LaneBindings bindings, int rows, @Nullable DeviceBuffer live, int count, int level) {
    return new KeyParts(probeStaging, probeWords.count()).of(bindings, rows, live, count, level);
  }

  /**
   * The probe's text for rows that are all live and without NULLs, and keys with one row each,
   * close together where they are whole numbers, for EXPLAIN KERNEL.
   */
  public Kernel kernel() {
    KeyLook.Lookup lookup = wholeNumbers ? KeyLook.Lookup.RANKS : KeyLook.Lookup.HASH;
    return probe.kernel(new JoinProbe.Form(lookup, JoinProbe.Rows.ORDERED), LaneVariant.plain());
  }
}
