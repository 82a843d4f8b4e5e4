package io.gpdb.planner.change;

import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.api.KeyViolation;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Turns a violated key into the user's error: the key, its columns, the row, and its values. */
public final class KeyMessages {
  private KeyMessages() {}

  /** A value of the offending row as text. */
  public interface Values {
    String text(int column, int row);
  }

  public static GpdbException translate(
      KeyViolation violation, TableDef table, @Nullable Values values) {
    KeyDef key = table.keyOf(violation.indexOrdinal());
    String columns =
        Arrays.stream(key.columns())
            .mapToObj(c -> table.column(c).name())
            .collect(Collectors.joining(", "));
    int row = (int) violation.batchRow();
    String given =
        values == null
            ? ""
            : " = ("
                + Arrays.stream(key.columns())
                    .mapToObj(c -> values.text(c, row))
                    .collect(Collectors.joining(", "))
                + ")";
    return new GpdbException(
        SqlCondition.DUPLICATE_KEY,
        (key.primary() ? "primary key " : "unique key ")
            + key.name()
            + " of table "
            + table.name()
            + " would be duplicated: column "
            + columns
            + given
            + ", row "
            + (violation.batchRow() + 1),
        violation);
  }
}
