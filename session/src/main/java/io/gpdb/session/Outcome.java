package io.gpdb.session;

import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;

/** The outcome of a statement. */
public sealed interface Outcome {
  record Count(long rows) implements Outcome {}

  record Rows(
      List<OutputColumn> columns, RowSet rows, OpenResult.Owner owner, boolean ownTransaction)
      implements Outcome {}

  static SqlTypeSpec[] types(List<OutputColumn> columns) {
    SqlTypeSpec[] types = new SqlTypeSpec[columns.size()];
    for (int i = 0; i < types.length; i++) {
      types[i] = columns.get(i).type();
    }
    return types;
  }
}
