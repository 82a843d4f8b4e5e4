package io.gpdb.jdbc;

import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.statement.OutputColumn;
import java.util.List;

/** What a statement gave. */
sealed interface Outcome {
  record Count(long rows) implements Outcome {}

  record Rows(
      List<OutputColumn> columns,
      RowSet rows,
      GpdbResultSet.ResultOwner owner,
      boolean ownTransaction)
      implements Outcome {}
}
