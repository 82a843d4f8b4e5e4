package io.gpdb.exec.emulated.compiled;

import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.emulated.common.BlockPersists;
import io.gpdb.exec.emulated.common.BlockProgram;
import io.gpdb.exec.emulated.common.BlockTraps;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs blocks by the interpreted executor until the compiled one is known to be faster. Fresh code
 * is 5 to 50 times slower until the JIT compiler has compiled it well, which takes seconds where
 * much else waits to be compiled. So it gets a block now and then, as many as take a small share of
 * the time, and is taken for good when its blocks take less time than the others. One thread at a
 * time tries it: threads that run fresh code together wait for each other at the counters by which
 * HotSpot profiles it, and 16 of them take longer than one would for all.
 *
 * <p>States: <i>warming</i>, then <i>settled</i> on the compiled or, when that has lost for long,
 * on the interpreted executor. Both compute the same bits, block by block. Thread-safe: the figures
 * are kept by races that only delay the choice.
 */
public final class WarmingProgram implements BlockProgram {
  /** Trials may take the interpreted blocks' time divided by this, or by the workers. */
  static final int TRIAL_SHARE = 3;

  /** The time is averaged over this number of blocks. */
  private static final int WINDOW_BLOCKS = 16;

  /** With fewer workers it does little harm that all run code which is not compiled well. */
  private static final int MANY_WORKERS = 4;

  /**
   * So many blocks of one thread the JIT compiler has compiled, whose last stage takes a method
   * after 600 calls. Before that the code may win because the other is slow, too, but counts in
   * memory that all threads share: many of them would run it 50 times slower than one does.
   */
  static final int SAFE_TRIAL_BLOCKS = 1000;

  /** By then the JIT compiler has done what it will do. */
  static final int TRIAL_BLOCKS_MAX = 20_000;

  /** What a block takes beyond this multiple of the average is an interruption. */
  private static final int OUTLIER = 3;

  private final BlockProgram simple;
  private final long trialShare;
  private final int trialBlocksMin;
  private volatile @Nullable BlockProgram compiled;
  private final LongSupplier nanoTime;
  private final Pace simplePace = new Pace();
  private final Pace compiledPace = new Pace();
  private final AtomicBoolean isTried = new AtomicBoolean();
  private volatile @Nullable BlockProgram settled;

  /** How long blocks take. */
  private static final class Pace {
    long blocks;
    long totalNanos;
    long meanNanos;

    void took(long nanos) {
      long taken = blocks == 0 ? nanos : Math.min(nanos, OUTLIER * meanNanos + 1);
      blocks++;
      totalNanos += taken;
      meanNanos += (taken - meanNanos) / Math.min(blocks, WINDOW_BLOCKS);
    }
  }

  /**
   * @param workers threads that run blocks together; while one tries a block, which takes long, the
   *     others end theirs and wait
   */
  public WarmingProgram(BlockProgram simple, int workers, LongSupplier nanoTime) {
    this.simple = simple;
    this.trialShare = Math.max(TRIAL_SHARE, workers);
    this.trialBlocksMin = workers < MANY_WORKERS ? WINDOW_BLOCKS : SAFE_TRIAL_BLOCKS;
    this.nanoTime = nanoTime;
  }

  /** From now on blocks are tried by this program. */
  public void warm(BlockProgram fresh) {
    compiled = fresh;
  }

  @Override
  public boolean isWarm() {
    return settled != null || simple.isWarm();
  }

  @Override
  public int helpersMax() {
    return settled != null ? Integer.MAX_VALUE : simple.helpersMax();
  }

  @Override
  public void runBlock(
      int block,
      int gridSize,
      MemorySegment[] buffers,
      long[] scalars,
      BlockTraps traps,
      @Nullable BlockPersists persists,
      @Nullable ExecutionCounters counters) {
    BlockProgram chosen = settled;
    if (chosen != null) {
      chosen.runBlock(block, gridSize, buffers, scalars, traps, persists, counters);
      return;
    }
    BlockProgram fresh = compiled;
    if (fresh == null || !simple.isWarm()) {
      simple.runBlock(block, gridSize, buffers, scalars, traps, persists, counters);
      return;
    }
    boolean trial = beginsTrial();
    try {
      BlockProgram program = trial ? fresh : simple;
      long start = nanoTime.getAsLong();
      program.runBlock(block, gridSize, buffers, scalars, traps, persists, counters);
      (trial ? compiledPace : simplePace).took(nanoTime.getAsLong() - start);
      if (trial) {
        settle(fresh);
      }
    } finally {
      if (trial) {
        isTried.set(false);
      }
    }
  }

  @Override
  public void runBlocks(
      int first,
      int end,
      int gridSize,
      MemorySegment[] buffers,
      long[] scalars,
      BlockTraps traps,
      @Nullable BlockPersists persists,
      @Nullable ExecutionCounters counters) {
    if (settled == null && compiled == null) {
      simple.runBlocks(first, end, gridSize, buffers, scalars, traps, persists, counters);
      return;
    }
    int block = first;
    for (; settled == null && block < end; block++) {
      runBlock(block, gridSize, buffers, scalars, traps, persists, counters);
    }
    BlockProgram chosen = settled;
    if (chosen != null && block < end) {
      chosen.runBlocks(block, end, gridSize, buffers, scalars, traps, persists, counters);
    }
  }

  private boolean beginsTrial() {
    return simplePace.totalNanos >= trialShare * compiledPace.totalNanos
        && isTried.compareAndSet(false, true);
  }

  private void settle(BlockProgram fresh) {
    if (simplePace.blocks < WINDOW_BLOCKS || compiledPace.blocks < trialBlocksMin) {
      return;
    }
    if (compiledPace.meanNanos < simplePace.meanNanos) {
      settled = fresh;
      simple.forgetLanes();
    } else if (compiledPace.blocks > TRIAL_BLOCKS_MAX) {
      settled = simple;
      fresh.forgetLanes();
    }
  }

  @Override
  public long laneBytes() {
    BlockProgram chosen = settled;
    BlockProgram fresh = compiled;
    return chosen != null
        ? chosen.laneBytes()
        : simple.laneBytes() + (fresh == null ? simple : fresh).laneBytes();
  }

  @Override
  public void forgetLanes() {
    simple.forgetLanes();
    BlockProgram fresh = compiled;
    if (fresh != null) {
      fresh.forgetLanes();
    }
  }
}
