package io.gpdb.exec.emulated;

/**
 * Whether threads that run pieces of one work together hinder each other. Code that HotSpot has not
 * compiled well counts in memory that all threads share: four threads take six times as long for a
 * piece as one alone, and many gain nothing. The shortest pieces are compared, because interrupted
 * and interpreted ones say nothing.
 */
final class PiecePaces {
  enum Verdict {
    UNKNOWN,
    FREE,
    HINDERED
  }

  /** Pieces that one thread runs alone, and that several run together, before they are compared. */
  static final int PIECES_MIN = 3;

  /**
   * Threads that hinder each other take so many times as long as one; for memory they wait less.
   */
  static final int HINDERED = 2;

  private long aloneNanos = Long.MAX_VALUE;
  private int alone;
  private long togetherNanos = Long.MAX_VALUE;
  private int together;

  synchronized boolean isAloneKnown() {
    return alone >= PIECES_MIN;
  }

  /** A piece took so long on the only thread. */
  synchronized void ranAlone(long nanos) {
    alone++;
    aloneNanos = Math.min(aloneNanos, nanos);
  }

  /** A piece took so long beside other threads. What it says is said once. */
  synchronized Verdict ranTogether(long nanos) {
    together++;
    togetherNanos = Math.min(togetherNanos, nanos);
    if (together < PIECES_MIN || alone < PIECES_MIN) {
      return Verdict.UNKNOWN;
    }
    boolean isFree = togetherNanos < HINDERED * aloneNanos;
    together = 0;
    togetherNanos = Long.MAX_VALUE;
    return isFree ? Verdict.FREE : Verdict.HINDERED;
  }
}
