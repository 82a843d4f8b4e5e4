package io.gpdb.planner.constraint;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Rows of a parent table with the values that foreign keys refer to, as they were before a
 * statement changed them for the first time.
 */
final class OldKeys {
  private final int[] columns;
  private final KeyTable rows = new KeyTable(1);
  private long[] values = {};
  private boolean[] nulls = {};

  OldKeys(BitSet columns) {
    this.columns = columns.stream().toArray();
  }

  /** The columns whose values are kept, ascending. */
  int[] columns() {
    return columns;
  }

  int count() {
    return rows.count();
  }

  void add(long row, long[] rowValues, boolean[] rowNulls) {
    int at = rows.add(new long[] {row});
    if (at < 0) {
      return;
    }
    int width = columns.length;
    if ((at + 1) * width > values.length) {
      int room = Math.max(16, 2 * (at + 1) * width);
      values = Arrays.copyOf(values, room);
      nulls = Arrays.copyOf(nulls, room);
    }
    System.arraycopy(rowValues, 0, values, at * width, width);
    System.arraycopy(rowNulls, 0, nulls, at * width, width);
  }

  long row(int number) {
    return rows.values()[number];
  }

  /** Reads the i-th row's values of those columns; false where one is NULL. */
  boolean read(int number, int[] wanted, long[] key) {
    for (int i = 0; i < wanted.length; i++) {
      int at = number * columns.length + Arrays.binarySearch(columns, wanted[i]);
      if (nulls[at]) {
        return false;
      }
      key[i] = values[at];
    }
    return true;
  }
}
