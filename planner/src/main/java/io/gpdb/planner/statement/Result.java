package io.gpdb.planner.statement;

/** What executing a statement gave. */
public sealed interface Result {
  /** A change: how many rows. */
  record UpdateCount(long rows) implements Result {}

  /** A query: its rows. */
  record Rows(RowSet rows) implements Result {}
}
