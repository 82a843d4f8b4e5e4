package io.gpdb.exec.emulated.compiled;

/**
 * How long blocks take: the mean over the last few, without the longest, in which the thread may
 * have been interrupted. What fresh code took at first is soon forgotten. Threads that run blocks
 * together lose some of each other's figures, which only delays or hastens what follows from them.
 */
final class BlockPace {
  /** The time is averaged over this number of blocks. */
  static final int WINDOW_BLOCKS = 16;

  /** What a block takes beyond this multiple of the mean does not count in the total. */
  private static final int OUTLIER = 3;

  private final long[] lastNanos = new long[WINDOW_BLOCKS];
  private long blocks;
  private long totalNanos;

  void took(long nanos) {
    totalNanos += blocks == 0 ? nanos : Math.min(nanos, OUTLIER * meanNanos() + 1);
    lastNanos[(int) (blocks % WINDOW_BLOCKS)] = nanos;
    blocks++;
  }

  long blocks() {
    return blocks;
  }

  long totalNanos() {
    return totalNanos;
  }

  /** Of one block what it took; 0 before the first. */
  long meanNanos() {
    int known = (int) Math.min(blocks, WINDOW_BLOCKS);
    long longest = 0;
    long sum = 0;
    for (int i = 0; i < known; i++) {
      sum += lastNanos[i];
      longest = Math.max(longest, lastNanos[i]);
    }
    return known < 2 ? sum : (sum - longest) / (known - 1);
  }

  /** A pace with the mean of this one, which counts as a few blocks: later ones change it soon. */
  BlockPace from(int asBlocks) {
    BlockPace next = new BlockPace();
    for (long mean = meanNanos(); next.blocks < Math.min(blocks, asBlocks); next.blocks++) {
      next.lastNanos[(int) next.blocks] = mean;
    }
    return next;
  }
}
