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
 * the time, by one thread at a time: threads that run fresh code together wait for each other at
 * the counters by which HotSpot profiles it, and 16 of them take longer than one would for all.
 *
 * <p>States: <i>warming</i>, until the class's blocks take less time than the others; then
 * <i>watched</i>, where all threads run the class, and one runs an interpreted block now and then;
 * at last <i>settled</i> on the class or, when that has lost for long, on the interpreted executor.
 * A class may win because interpreted blocks are slow at the time, too, or be slow as soon as
 * several threads run it. So one whose blocks take longer than interpreted ones while it is watched
 * goes back to warming, and has to win for {@link #CAUTION} times as many blocks each time.
 *
 * <p>Both executors compute the same bits, block by block. Thread-safe: the figures are kept by
 * races that only delay the choice.
 */
public final class WarmingProgram implements BlockProgram {
  /** Trials may take the interpreted blocks' time divided by this, or by the workers. */
  static final int TRIAL_SHARE = 3;

  /** Interpreted blocks may take a watched class's time divided by this, or by 4 a worker. */
  static final int CHECK_SHARE = 16;

  /** By how much a class whose blocks took longer than interpreted ones is tried longer. */
  static final int CAUTION = 4;

  /** A watched class is left when its blocks take this many halves of the interpreted time. */
  private static final int HALVES_OF_DOUBT = 3;

  /** A class is watched for this number of blocks and this time, all threads together. */
  static final int WATCHED_BLOCKS = 1000;

  static final long WATCHED_NANOS = 1_000_000_000;

  /** By then the JIT compiler has done what it will do. */
  static final int TRIAL_BLOCKS_MAX = 20_000;

  /** As how many blocks the mean of interpreted ones before the class was taken counts. */
  private static final int REMEMBERED_BLOCKS = 2;

  private final BlockProgram simple;
  private final int workers;
  private final LongSupplier nanoTime;
  private volatile @Nullable BlockProgram compiled;
  private volatile boolean isWatched;
  private volatile @Nullable BlockProgram settled;
  private volatile BlockPace simplePace = new BlockPace();
  private volatile BlockPace compiledPace = new BlockPace();
  private final AtomicBoolean isTried = new AtomicBoolean();

  // Changed by the one thread that tries a block
  private long trialBlocks;

  private volatile long wantedBlocks = BlockPace.WINDOW_BLOCKS;

  /**
   * @param workers threads that run blocks together; while one tries a block, which takes long, the
   *     others end theirs and wait
   */
  public WarmingProgram(BlockProgram simple, int workers, LongSupplier nanoTime) {
    this.simple = simple;
    this.workers = workers;
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
    boolean watched = isWatched;
    boolean isTrial = beginsTrial(watched);
    boolean takesClass = watched != isTrial;
    BlockPace pace = takesClass ? compiledPace : simplePace; // at the block's beginning
    try {
      BlockProgram program = takesClass ? fresh : simple;
      long start = nanoTime.getAsLong();
      program.runBlock(block, gridSize, buffers, scalars, traps, persists, counters);
      pace.took(nanoTime.getAsLong() - start);
      if (watched) {
        watch(fresh);
      } else if (isTrial) {
        trialBlocks++;
        considerTaking(fresh);
      }
    } finally {
      if (isTrial) {
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

  /** Whether the thread is to run a block of the executor that others do not run at the moment. */
  private boolean beginsTrial(boolean watched) {
    long nanos = (watched ? compiledPace : simplePace).totalNanos();
    long tried = (watched ? simplePace : compiledPace).totalNanos();
    long share = watched ? Math.max(CHECK_SHARE, 4L * workers) : Math.max(TRIAL_SHARE, workers);
    return nanos >= share * tried && isTried.compareAndSet(false, true);
  }

  private void considerTaking(BlockProgram fresh) {
    if (simplePace.blocks() < BlockPace.WINDOW_BLOCKS) {
      return;
    }
    boolean wins = compiledPace.meanNanos() < simplePace.meanNanos();
    if (trialBlocks > TRIAL_BLOCKS_MAX) {
      settle(wins ? fresh : simple, wins ? simple : fresh);
    } else if (wins && compiledPace.blocks() >= wantedBlocks) {
      take();
    }
  }

  private synchronized void take() {
    if (!isWatched) {
      simplePace = simplePace.from(REMEMBERED_BLOCKS);
      compiledPace = new BlockPace();
      isWatched = true;
    }
  }

  private void settle(BlockProgram chosen, BlockProgram other) {
    settled = chosen;
    other.forgetLanes();
  }

  /** The first block of each thread makes lane arrays and says nothing. */
  private void watch(BlockProgram fresh) {
    BlockPace pace = compiledPace;
    if (pace.blocks() < BlockPace.WINDOW_BLOCKS + workers) {
      return;
    }
    if (2 * pace.meanNanos() > HALVES_OF_DOUBT * simplePace.meanNanos()) {
      leave();
    } else if (pace.blocks() >= WATCHED_BLOCKS && pace.totalNanos() >= WATCHED_NANOS) {
      settle(fresh, simple);
    }
  }

  private synchronized void leave() {
    if (isWatched) {
      wantedBlocks *= CAUTION;
      simplePace = simplePace.from(BlockPace.WINDOW_BLOCKS);
      compiledPace = new BlockPace();
      isWatched = false;
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
