package io.gpdb.planner.rewrite;

import java.util.Arrays;

/**
 * About how the values of a stored column are distributed.
 *
 * @param nullShare of the rows, those whose value is NULL
 * @param distinct how many different values there are, at least 1
 * @param bounds ordered longs, ascending, that part the values into shares of equal size; fewer
 *     than two where nothing is known of their order
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ColumnFacts(double nullShare, double distinct, long[] bounds) {
  private static final double NULLS_UNKNOWN = 0.1;

  /** Of a column of which no more is known than how many different values it may have. */
  static ColumnFacts unknown(double distinct) {
    return new ColumnFacts(NULLS_UNKNOWN, distinct, new long[0]);
  }

  boolean isOrdered() {
    return bounds.length >= 2;
  }

  long least() {
    return bounds[0];
  }

  long greatest() {
    return bounds[bounds.length - 1];
  }

  /** The share of the values from one to another; of none, less than the bounds can show. */
  double within(long least, long greatest) {
    double below = greatest == Long.MAX_VALUE ? 1 : below(greatest + 1);
    return Math.max(1.0 / (4 * bounds.length), below - below(least));
  }

  /** The share of the values that are below one; between two bounds they are taken for even. */
  double below(long value) {
    int last = bounds.length - 1;
    if (value <= bounds[0]) {
      return 0;
    }
    if (value > bounds[last]) {
      return 1;
    }
    int found = Arrays.binarySearch(bounds, value);
    int upper = found >= 0 ? found : -found - 1;
    while (bounds[upper - 1] == value) {
      upper--; // the first of equal bounds
    }
    double from = bounds[upper - 1];
    double part = (value - from) / (bounds[upper] - from);
    return (upper - 1 + part) / last;
  }
}
