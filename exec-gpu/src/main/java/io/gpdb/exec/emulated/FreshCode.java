package io.gpdb.exec.emulated;

import io.gpdb.exec.emulated.common.BlockProgram;

/**
 * Whether HotSpot may not have compiled the code of some work of the host: by how long it has run,
 * because a loop says nothing of its pace, until threads run it together and do not hinder each
 * other ({@link PiecePaces}). Code is told by the class of the function that does a piece, of which
 * each place in the sources has its own. Thread-safe: races only delay or hasten the change.
 */
final class FreshCode {
  /** By then HotSpot has mostly compiled the loops of a piece. */
  static final long FRESH_NANOS_MAX = 20_000_000;

  /** By then it has compiled them, in the time that all threads together took. */
  static final long FEW_NANOS_MAX = 12 * FRESH_NANOS_MAX;

  /** Work that takes long has a few helpers, and after this all. */
  static final long WORK_NANOS_MAX = 5 * FRESH_NANOS_MAX;

  private static final ClassValue<FreshCode> OF_CLASSES =
      new ClassValue<>() {
        @Override
        protected FreshCode computeValue(Class<?> piece) {
          return new FreshCode();
        }
      };

  private long nanos;
  private volatile int helpersMax;

  static FreshCode of(Object piece) {
    return OF_CLASSES.get(piece.getClass());
  }

  /**
   * By how many helpers work gains that began some time ago.
   *
   * @param workNanos how long ago
   */
  int helpersMax(long workNanos) {
    if (workNanos >= WORK_NANOS_MAX) {
      return Integer.MAX_VALUE;
    }
    return workNanos >= FRESH_NANOS_MAX
        ? Math.max(helpersMax, BlockProgram.FEW_HELPERS)
        : helpersMax;
  }

  /** Whether its pieces are still to be timed. */
  boolean isTimed() {
    return helpersMax < Integer.MAX_VALUE;
  }

  /** Threads that ran it together did not hinder each other: HotSpot has compiled it. */
  void settle() {
    helpersMax = Integer.MAX_VALUE;
  }

  /** It has run for so long. */
  void ran(long moreNanos) {
    nanos += moreNanos;
    if (nanos >= FEW_NANOS_MAX) {
      helpersMax = Integer.MAX_VALUE;
    } else if (nanos >= FRESH_NANOS_MAX) {
      helpersMax = Math.max(helpersMax, BlockProgram.FEW_HELPERS);
    }
  }
}
