package io.gpdb.txn.api;

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

  /** The reader sees the row at that place, whose c-th column has that value; a NULL is 0. */
  public void put(int place, int c, long raw, boolean isNull) {
    values[c][place] = isNull ? 0 : raw;
    nulls[c][place] = isNull;
  }

  public void see(int place) {
    seen[place] = true;
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
