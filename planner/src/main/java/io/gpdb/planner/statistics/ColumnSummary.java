package io.gpdb.planner.statistics;

import io.gpdb.sql.definition.ColumnStatistics;
import io.gpdb.storage.column.ColumnRange;
import io.gpdb.storage.column.ElementType;
import java.util.Arrays;

/**
 * Adds up the values of a column, row after row. What parts them into shares comes from every n-th
 * row, with n such that {@link #SAMPLE_MAX} rows are enough: so it is the same each time, and off
 * by less than half a percent of the rows.
 */
final class ColumnSummary {
  /** Shares that the bounds part the values into. */
  static final int SHARES = 64;

  static final int SAMPLE_MAX = 1 << 16;

  private final ElementType type;
  private final long step;
  private final DistinctValues distinct;
  private long[] sample = new long[1024];
  private int sampled;
  private long rows;
  private long nulls;
  private long least = Long.MAX_VALUE;
  private long greatest = Long.MIN_VALUE;

  /**
   * @param expectedRows about how many rows there will be
   */
  ColumnSummary(ElementType type, long expectedRows) {
    this.type = type;
    step = Math.max(1, (expectedRows + SAMPLE_MAX - 1) / SAMPLE_MAX);
    distinct = new DistinctValues(type);
  }

  void addNull() {
    rows++;
    nulls++;
  }

  /** Adds a value as it is stored. */
  void add(long raw) {
    distinct.add(raw);
    if (type != ElementType.CODE) {
      long value = ColumnRange.ordered(type, raw);
      least = Math.min(least, value);
      greatest = Math.max(greatest, value);
      if (rows % step == 0) {
        addToSample(value);
      }
    }
    rows++;
  }

  private void addToSample(long value) {
    if (sampled == sample.length) {
      sample = Arrays.copyOf(sample, 2 * sampled);
    }
    sample[sampled++] = value;
  }

  ColumnStatistics statistics() {
    long values = rows - nulls;
    return new ColumnStatistics(rows, nulls, Math.min(values, distinct.count()), bounds());
  }

  private long[] bounds() {
    if (least > greatest) {
      return new long[0];
    }
    Arrays.sort(sample, 0, sampled);
    int shares = Math.max(1, Math.min(SHARES, sampled - 1));
    long[] bounds = new long[shares + 1];
    for (int i = 1; i < shares; i++) {
      bounds[i] = sample[(int) ((long) i * (sampled - 1) / shares)];
    }
    bounds[0] = least;
    bounds[shares] = greatest;
    return bounds;
  }
}
