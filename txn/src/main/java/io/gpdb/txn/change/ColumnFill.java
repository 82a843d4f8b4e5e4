package io.gpdb.txn.change;

/** The value that the rows of a table have in a column that is added to it. */
public record ColumnFill(long raw, boolean isNull) {
  static final ColumnFill NONE = new ColumnFill(0, false);
}
