package io.gpdb.planner.statement;

import io.gpdb.sql.statement.OutputColumn;
import java.util.List;

/** The result of executing a statement. */
public sealed interface Result {
  /** A change: how many rows. */
  record UpdateCount(long rows) implements Result {}

  /** A change: how many rows, and columns of those rows. */
  record Keyed(long count, List<OutputColumn> columns, RowSet keys) implements Result {}

  /** A query: its rows. */
  record Rows(RowSet rows) implements Result {}
}
