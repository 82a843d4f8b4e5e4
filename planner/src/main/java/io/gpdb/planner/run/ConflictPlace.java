package io.gpdb.planner.run;

import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.host.HostCasts;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.WriteConflict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Says at which row of which table a transaction met another one, in the user's words. */
public final class ConflictPlace {
  private ConflictPlace() {}

  /** The error, with the table's name and the row's key where it is a conflict at a row. */
  public static GpdbException named(
      GpdbException error, Transaction tx, Supplier<CatalogSnapshot> catalog) {
    if (!(error.getCause() instanceof WriteConflict conflict) || !tx.isActive()) {
      return error;
    }
    TableDef table = catalog.get().table(conflict.tableId());
    if (table == null) {
      return error;
    }
    if (conflict.row() == WriteConflict.NO_ROW
        && conflict.indexOrdinal() == WriteConflict.NO_INDEX) {
      return new GpdbException(
          error.code(),
          "another transaction has locked table "
              + table.name()
              + ", or writes to it: run the transaction again",
          conflict);
    }
    TableReader reader = tx.reader(table.tableId());
    String row =
        conflict.row() == WriteConflict.NO_ROW
            ? key(table, table.keyOf(conflict.indexOrdinal()), conflict.key(), reader)
            : row(table, conflict.row(), reader);
    return new GpdbException(
        error.code(),
        "another transaction has written the row with "
            + row
            + " of table "
            + table.name()
            + " since this one began, or writes it now: run the transaction again",
        conflict);
  }

  private static String row(TableDef table, long row, TableReader reader) {
    KeyDef key = table.keys().stream().filter(KeyDef::primary).findFirst().orElse(null);
    if (key == null && !table.keys().isEmpty()) {
      key = table.keys().getFirst();
    }
    if (key == null) {
      return "number " + (row + 1);
    }
    long[] values = new long[key.columns().length];
    boolean[] nulls = new boolean[values.length];
    return reader.read(row, key.columns(), values, nulls)
        ? text(table, key, values, nulls, reader)
        : "number " + (row + 1);
  }

  private static String key(TableDef table, KeyDef key, long[] values, TableReader reader) {
    return text(table, key, values, new boolean[values.length], reader);
  }

  private static String text(
      TableDef table, KeyDef key, long[] values, boolean[] nulls, TableReader reader) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      int column = key.columns()[i];
      SqlTypeSpec type = table.column(column).type();
      @Nullable Object value = nulls[i] ? null : value(type, reader.strings(column), values[i]);
      texts.add(table.column(column).name() + " = " + HostCasts.shown(value, type));
    }
    return String.join(", ", texts);
  }

  private static Object value(SqlTypeSpec type, @Nullable CodedStrings strings, long raw) {
    return strings == null
        ? HostValue.ofRaw(type, raw)
        : HostValue.ofBytes(type, strings.bytes((int) raw));
  }
}
