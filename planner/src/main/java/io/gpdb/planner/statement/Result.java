package io.gpdb.planner.statement;

/** The result of executing a statement. */
public sealed interface Result {
  /** A change: how many rows. */
  record UpdateCount(long rows) implements Result {}

  /** A query: its rows. */
  record Rows(RowSet rows) implements Result {}
}
