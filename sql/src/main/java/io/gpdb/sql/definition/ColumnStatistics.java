package io.gpdb.sql.definition;

import java.util.Arrays;

/**
 * What ANALYZE found of a column's values. Values count as ordered longs, as in {@link
 * io.gpdb.storage.column.ColumnRange}.
 *
 * @param rows that the table had
 * @param nulls rows of these whose value is NULL
 * @param distinct about how many different values there were
 * @param bounds values, ascending, that part the others into shares of about equal size, the least
 *     and the greatest among them; empty where there was none, and for strings, whose codes have no
 *     order
 */
@SuppressWarnings("ArrayRecordComponent") // compared by its elements below
public record ColumnStatistics(long rows, long nulls, long distinct, long[] bounds) {
  public ColumnStatistics {
    if (nulls < 0 || nulls > rows || distinct < 0) {
      throw new IllegalArgumentException(
          "rows=" + rows + ", nulls=" + nulls + ", distinct=" + distinct);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ColumnStatistics that
        && rows == that.rows
        && nulls == that.nulls
        && distinct == that.distinct
        && Arrays.equals(bounds, that.bounds);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(rows) * 31 + Long.hashCode(distinct);
  }
}
