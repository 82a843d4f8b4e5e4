package io.gpdb.exec.emulated.compiled;

/**
 * How long blocks take that are not interrupted: the mean over the last few, then over those of
 * them that took no longer, and once more over those of these. On a busy machine many blocks are
 * interrupted, of either executor, and a mean of few says more of that than of the executor. What
 * fresh code took at first is soon forgotten. Threads that run blocks together lose some of each
 * other's figures, which only delays or hastens what follows from them.
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
    return meanUpTo(meanUpTo(meanUpTo(Long.MAX_VALUE)));
  }

  /** Of the blocks that took no longer. */
  private long meanUpTo(long mostNanos) {
    int known = (int) Math.min(blocks, WINDOW_BLOCKS);
    long sum = 0;
    int counted = 0;
    for (int i = 0; i < known; i++) {
      if (lastNanos[i] <= mostNanos) {
        sum += lastNanos[i];
        counted++;
      }
    }
    return counted == 0 ? 0 : sum / counted;
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
