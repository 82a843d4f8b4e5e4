package io.gpdb.jdbc;

import io.gpdb.session.BufferedRows;
import io.gpdb.session.OpenResult;
import io.gpdb.session.Outcome;
import io.gpdb.sql.statement.OutputColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The generated keys of one execution, those of a batch in its order. Where statements of a batch
 * return different columns, the keys are those of the last of them.
 */
final class KeptKeys {
  private List<OutputColumn> columns = List.of();
  private @Nullable BufferedRows rows;

  void add(Outcome.@Nullable Keys keys) {
    if (keys == null) {
      return;
    }
    BufferedRows known = rows;
    if (known == null || !keys.columns().equals(columns)) {
      columns = keys.columns();
      rows = keys.rows();
    } else {
      known.appendAll(keys.rows());
    }
  }

  void clear() {
    rows = null;
  }

  GpdbResultSet resultSet() {
    BufferedRows known = rows;
    return known == null
        ? MetaDataResult.GENERATED_KEYS.resultSet(List.of())
        : new GpdbResultSet(
            null,
            columns,
            Outcome.types(columns),
            known.again(),
            0,
            CursorKind.FORWARD,
            OpenResult.Owner.NONE);
  }
}
