package io.gpdb.txn.api;

import io.gpdb.storage.column.RowWords;
import java.nio.IntBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a reader sees of some rows, by their places in a list; in the heap. Filled once, then read.
 */
public final class RowBlock {
  private final long[][] values;
  private final boolean[][] nulls;
  private final boolean[] seen;

  /** Of n rows, none of which is seen yet. */
  public RowBlock(int columns, int n) {
    values = new long[columns][n];
    nulls = new boolean[columns][n];
    seen = new boolean[n];
  }

  /** Bytes of the heap for each row. */
  public static int rowBytes(int columns) {
    return 1 + columns * (Long.BYTES + 1);
  }

  /** One row. */
  public void put(int place, long[] rowValues, boolean[] rowNulls, boolean isSeen) {
    for (int c = 0; c < values.length; c++) {
      values[c][place] = rowNulls[c] ? 0 : rowValues[c];
      nulls[c][place] = rowNulls[c];
    }
    seen[place] = isSeen;
  }

  /** The c-th column of as many rows as there are words, whose i-th is at place {@code at[i]}. */
  public void put(int[] at, int c, RowWords words) {
    long[] column = values[c];
    for (int i = 0, n = words.n(); i < n; i++) {
      column[at[i]] = words.raw(i);
    }
  }

  /** After {@link #put}: the value of row {@code rows[i]} is NULL where its bit is off. */
  public void putNulls(int[] at, int c, IntBuffer valid, int[] rows) {
    for (int i = 0; i < rows.length; i++) {
      if (!test(valid, rows[i])) {
        values[c][at[i]] = 0;
        nulls[c][at[i]] = true;
      }
    }
  }

  /** Row {@code rows[i]} is seen where its bit is on; all are where there are no bits. */
  public void see(int[] at, @Nullable IntBuffer live, int[] rows) {
    for (int i = 0; i < rows.length; i++) {
      seen[at[i]] = live == null || test(live, rows[i]);
    }
  }

  private static boolean test(IntBuffer bits, int row) {
    return (bits.get(row >>> 5) >>> row & 1) != 0;
  }

  /** As {@link TableReader#read} for one row. */
  public boolean read(int place, long[] rowValues, boolean[] rowNulls) {
    for (int c = 0; c < values.length; c++) {
      rowValues[c] = values[c][place];
      rowNulls[c] = nulls[c][place];
    }
    return seen[place];
  }
}
