package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.BlockProgram;
import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.emulated.common.LaneMask;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Runs the steps of a kernel while some may not have been compiled well by the JIT compiler, and
 * finds out when all are: by the time that each takes for a lane. Loops are shared by all kernels
 * of the process, so most steps of most kernels are fast at once. Those that run once a block, not
 * in each of its turns, stay slow for long, but take next to nothing of its time: helpers come as
 * soon as slow steps take little of it.
 *
 * <p>HotSpot counts calls, so that a slow step mostly runs a few warps at a time: it is compiled
 * after a tenth of the lanes. Now and then it runs whole, which is timed. Used by several threads:
 * races delay or hasten the end only.
 */
final class ColdSteps {
  /** Steps of fewer lanes say nothing about their speed. */
  private static final int JUDGED_LANES_MIN = 64;

  private static final int PART_LANES = 32;

  /** One run in so many of a slow step is whole and timed. */
  private static final int TIMED_SHARE = 8;

  /**
   * What HotSpot's first compiler made of a simple loop may be as fast as a step has to be, on one
   * thread. By so many runs the second has been asked, after 600 calls of parts, and has answered.
   */
  private static final int COMPILED_RUNS = 48;

  private static final int BLOCKS_MIN = 2;

  /**
   * A kernel whose steps take longer than expected counts as warm after so long, all threads
   * together.
   */
  private static final long COLD_NANOS_MAX = 50_000_000;

  /** A few helpers come when slow steps take at most one part in this many of a block's time. */
  private static final int SLOW_SHARE_OF_FEW = 2;

  /** All helpers come when they take at most one part in this many. */
  private static final int SLOW_SHARE = 8;

  /** A step that waits for memory never looks fast: it counts as fast after so long. */
  private static final long STEP_NANOS_MAX = 5_000_000;

  private static final class Pace {
    final StepKind kind;
    int runs;
    boolean isFast;

    /** About what all its runs took, by those that were timed. */
    long totalNanos;

    Pace(StepKind kind) {
      this.kind = kind;
    }

    void took(long nanos, int lanes) {
      totalNanos += nanos * TIMED_SHARE;
      long picos = nanos * 1000 / lanes;
      isFast |=
          picos < kind.surePicos
              || (picos < kind.fastPicos && runs > COMPILED_RUNS)
              || totalNanos > STEP_NANOS_MAX;
    }
  }

  private final LongSupplier nanoTime;
  private final List<Pace> paces = new ArrayList<>();
  private int blocks;
  private long nanos;
  private volatile int helpersMax;
  private volatile boolean isWarm;

  ColdSteps(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** The number by which a step is run. */
  int add(StepKind kind) {
    paces.add(new Pace(kind));
    return paces.size() - 1;
  }

  boolean isWarm() {
    return isWarm;
  }

  int helpersMax() {
    return helpersMax;
  }

  /** A block has been run. */
  void ran(BlockState state, long blockNanos) {
    long slowNanos = state.slowNanos;
    state.slowNanos = 0;
    nanos += blockNanos;
    boolean anyRan = false;
    boolean allFast = true;
    for (Pace pace : paces) {
      anyRan |= pace.runs > 0;
      allFast &= pace.runs == 0 || pace.isFast;
    }
    blocks += anyRan ? 1 : 0;
    isWarm = (allFast && blocks >= BLOCKS_MIN) || nanos > COLD_NANOS_MAX;
    helpersMax = Math.max(helpersMax, helpersMax(slowNanos, blockNanos));
  }

  private int helpersMax(long slowNanos, long blockNanos) {
    if (isWarm || (blocks >= BLOCKS_MIN && slowNanos * SLOW_SHARE <= blockNanos)) {
      return Integer.MAX_VALUE;
    }
    boolean isMostlyFast = blocks >= BLOCKS_MIN && slowNanos * SLOW_SHARE_OF_FEW <= blockNanos;
    return isMostlyFast ? BlockProgram.FEW_HELPERS : 0;
  }

  void run(BlockStep step, int number, BlockState state, LaneMask mask) {
    Pace pace = paces.get(number);
    int lanes = mask.hi - mask.lo;
    if (pace.isFast || pace.kind == StepKind.CONTROL || lanes < JUDGED_LANES_MIN) {
      step.run(state, mask);
      return;
    }
    boolean isJudged = pace.runs++ % TIMED_SHARE == 0 || !pace.kind.isDivisible;
    long start = nanoTime.getAsLong();
    if (isJudged) {
      step.run(state, mask);
    } else {
      runInParts(step, state, mask);
    }
    long took = nanoTime.getAsLong() - start;
    state.slowNanos += took;
    if (isJudged) {
      pace.took(took, lanes);
    }
  }

  static void runInParts(BlockStep step, BlockState state, LaneMask mask) {
    int hi = mask.hi;
    state.tableBuffer = -1;
    for (int lo = mask.lo; lo < hi; ) {
      int end = Math.min(hi, (lo & -PART_LANES) + PART_LANES);
      LaneMask part = mask.part(lo, end);
      if (part.count > 0) {
        step.run(state, part);
      }
      lo = end;
    }
  }
}
