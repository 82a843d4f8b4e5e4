package io.gpdb.bench.tpcc;

/**
 * How often a statement ran and how long: altogether, and counted by classes of durations, of which
 * each is an eighth wider than the one before.
 */
final class StatementCost {
  private static final double GROWTH = 1.125;
  private static final double LOG_GROWTH = Math.log(GROWTH);
  private static final int CLASSES = 256;

  private final long[] byClass = new long[CLASSES];
  private long count;
  private long nanos;

  void add(long durationNanos) {
    double exponent = Math.log((double) Math.max(1, durationNanos)) / LOG_GROWTH;
    byClass[Math.min(CLASSES - 1, (int) exponent)]++;
    count++;
    nanos += durationNanos;
  }

  void add(StatementCost other) {
    for (int i = 0; i < CLASSES; i++) {
      byClass[i] += other.byClass[i];
    }
    count += other.count;
    nanos += other.nanos;
  }

  long count() {
    return count;
  }

  long nanos() {
    return nanos;
  }

  double meanMicros() {
    return count == 0 ? 0 : nanos / 1000.0 / count;
  }

  /** Within a sixteenth: the middle of the class in which the median is. */
  double medianMicros() {
    long before = 0;
    for (int i = 0; i < CLASSES; i++) {
      before += byClass[i];
      if (before * 2 > count) {
        return Math.pow(GROWTH, i + 0.5) / 1000;
      }
    }
    return 0;
  }
}
