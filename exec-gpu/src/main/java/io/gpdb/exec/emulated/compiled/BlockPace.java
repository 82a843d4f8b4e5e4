package io.gpdb.exec.emulated.compiled;

/**
 * How long blocks take: the mean over the last few runs of some blocks, without the longest, in
 * which the thread may have been interrupted. What fresh code took at first is soon forgotten.
 * Threads that run blocks together lose some of each other's figures, which only delays or hastens
 * what follows from them.
 */
final class BlockPace {
  /** The time is averaged over this number of runs. */
  static final int WINDOW_RUNS = 16;

  /** What a run takes beyond this multiple of the mean does not count in the total. */
  private static final int OUTLIER = 3;

  /** The time of a block in each of the last runs. */
  private final long[] lastNanos = new long[WINDOW_RUNS];

  private long runs;
  private long blocks;
  private long totalNanos;

  /** A run of so many blocks took so long. */
  void took(long nanos, int blocksRun) {
    long ofBlock = nanos / blocksRun;
    long counted = runs == 0 ? ofBlock : Math.min(ofBlock, OUTLIER * meanNanos() + 1);
    totalNanos += counted * blocksRun;
    lastNanos[(int) (runs % WINDOW_RUNS)] = ofBlock;
    runs++;
    blocks += blocksRun;
  }

  long runs() {
    return runs;
  }

  long blocks() {
    return blocks;
  }

  long totalNanos() {
    return totalNanos;
  }

  /** Of a block. With one run what it took, before the first 0. */
  long meanNanos() {
    int known = (int) Math.min(runs, WINDOW_RUNS);
    long longest = 0;
    long sum = 0;
    for (int i = 0; i < known; i++) {
      sum += lastNanos[i];
      longest = Math.max(longest, lastNanos[i]);
    }
    return known < 2 ? sum : (sum - longest) / (known - 1);
  }

  /** Whether a block of the last run took less time than that; false before the first. */
  boolean wasBelow(long nanos) {
    return runs > 0 && lastNanos[(int) ((runs - 1) % WINDOW_RUNS)] < nanos;
  }

  /** A pace whose mean is this one's and counts as so many runs: those to come change it soon. */
  BlockPace from(int asRuns) {
    BlockPace next = new BlockPace();
    for (long mean = meanNanos(); next.runs < Math.min(runs, asRuns); next.runs++) {
      next.lastNanos[(int) next.runs] = mean;
    }
    return next;
  }
}
