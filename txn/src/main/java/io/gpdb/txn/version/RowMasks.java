package io.gpdb.txn.version;

import java.util.Arrays;

/** Row numbers with a set of columns each: a hash table with open addressing. */
final class RowMasks {
  private static final int SMALLEST = 16;

  private long[] rows = new long[SMALLEST];
  private long[] masks = new long[SMALLEST];
  private int count;

  int count() {
    return count;
  }

  /** Adds columns to a row's; returns whether the row is new. */
  boolean add(long row, long columns) {
    if ((count + 1) * 2 > rows.length) {
      grow();
    }
    int at = position(row);
    boolean isNew = rows[at] == 0;
    if (isNew) {
      rows[at] = row + 1;
      count++;
    }
    masks[at] |= columns;
    return isNew;
  }

  private void grow() {
    long[] oldRows = rows;
    long[] oldMasks = masks;
    rows = new long[oldRows.length * 2];
    masks = new long[rows.length];
    for (int i = 0; i < oldRows.length; i++) {
      if (oldRows[i] != 0) {
        int at = position(oldRows[i] - 1);
        rows[at] = oldRows[i];
        masks[at] = oldMasks[i];
      }
    }
  }

  private int position(long row) {
    int mask = rows.length - 1;
    int at = (int) ((row * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (rows[at] != 0 && rows[at] != row + 1) {
      at = at + 1 & mask;
    }
    return at;
  }

  /** The rows ascending, so that those of a tablet are neighbours. */
  long[] sortedRows() {
    long[] sorted = new long[count];
    int n = 0;
    for (long row : rows) {
      if (row != 0) {
        sorted[n++] = row - 1;
      }
    }
    Arrays.sort(sorted);
    return sorted;
  }

  long mask(long row) {
    return masks[position(row)];
  }

  /** All columns of all rows. */
  long union() {
    long all = ColumnMask.NONE;
    for (long mask : masks) {
      all |= mask;
    }
    return all;
  }
}
