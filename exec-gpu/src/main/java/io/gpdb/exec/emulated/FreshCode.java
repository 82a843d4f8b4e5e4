package io.gpdb.exec.emulated;

/**
 * Whether HotSpot may not have compiled the code of some work of the host: by how long it has run,
 * because a loop says nothing of its pace. Code is told by the class of the function that does a
 * piece, of which each place in the sources has its own. Thread-safe: races only delay or hasten
 * the change.
 */
final class FreshCode {
  /** By then HotSpot has mostly compiled the loops of a piece. */
  static final long FRESH_NANOS_MAX = 20_000_000;

  private static final ClassValue<FreshCode> OF_CLASSES =
      new ClassValue<>() {
        @Override
        protected FreshCode computeValue(Class<?> piece) {
          return new FreshCode();
        }
      };

  private long nanos;
  private volatile boolean isFresh = true;

  static FreshCode of(Object piece) {
    return OF_CLASSES.get(piece.getClass());
  }

  boolean isFresh() {
    return isFresh;
  }

  /** It has run for so long. */
  void ran(long moreNanos) {
    nanos += moreNanos;
    isFresh &= nanos < FRESH_NANOS_MAX;
  }
}
