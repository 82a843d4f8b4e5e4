package io.gpdb.txn.version;

/** A set of columns in 64 bits; the columns from 63 on share the last one. */
final class ColumnMask {
  /** No column: the row's existence alone. */
  static final long NONE = 0;

  private static final int LAST_BIT = 63;

  private ColumnMask() {}

  static long bit(int column) {
    return 1L << Math.min(column, LAST_BIT);
  }

  static long of(int[] columns) {
    long mask = NONE;
    for (int column : columns) {
      mask |= bit(column);
    }
    return mask;
  }
}
