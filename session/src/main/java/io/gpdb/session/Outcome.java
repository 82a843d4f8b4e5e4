package io.gpdb.session;

import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of a statement. */
public sealed interface Outcome {
  /** How many rows were changed, and the keys of those rows where they were asked for. */
  record Count(long rows, @Nullable Keys keys) implements Outcome {
    public Count(long rows) {
      this(rows, null);
    }
  }

  record Rows(
      List<OutputColumn> columns, RowSet rows, OpenResult.Owner owner, boolean ownTransaction)
      implements Outcome {}

  /** What a batch did: rows changed by each of its rows, and the keys of all of them. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Batch(long[] counts, @Nullable Keys keys) {}

  /** Columns of changed rows, kept in memory. */
  record Keys(List<OutputColumn> columns, BufferedRows rows) {
    static Keys of(Result.Keyed keyed) {
      BufferedRows rows = new BufferedRows(types(keyed.columns()));
      rows.appendAll(keyed.keys());
      return new Keys(keyed.columns(), rows);
    }
  }

  static SqlTypeSpec[] types(List<OutputColumn> columns) {
    SqlTypeSpec[] types = new SqlTypeSpec[columns.size()];
    for (int i = 0; i < types.length; i++) {
      types[i] = columns.get(i).type();
    }
    return types;
  }

  static RowSet rows(Result result) {
    return switch (result) {
      case Result.Rows rows -> rows.rows();
      case Result.Keyed keyed ->
          throw new GpdbException(ErrorCode.INTERNAL, "a query returned keys of " + keyed.count());
      case Result.UpdateCount count ->
          throw new GpdbException(ErrorCode.INTERNAL, "a query returned the count " + count.rows());
    };
  }
}
