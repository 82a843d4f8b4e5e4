package io.gpdb.planner.change;

import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.host.HostCasts;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.txn.api.TableReader;

/** How the columns of a table are stored. */
public final class StoredColumns {
  private StoredColumns() {}

  static ElementType[] elements(TableDef table) {
    return table.columns().stream().map(c -> c.type().element()).toArray(ElementType[]::new);
  }

  public static CodedStrings dictionary(TableReader reader, int column) {
    CodedStrings dictionary = reader.strings(column);
    if (dictionary == null) {
      throw new IllegalStateException("column " + column + " is no string");
    }
    return dictionary;
  }

  /** A new value of a column, as messages show it. */
  static String text(TableDef table, TableReader reader, ColumnView data, int column, int row) {
    if (data.isNull(row)) {
      return "NULL";
    }
    SqlTypeSpec type = table.column(column).type();
    long raw = data.raw(row);
    Object value =
        type.kind().isString()
            ? HostValue.ofBytes(type, dictionary(reader, column).bytes((int) raw))
            : HostValue.ofRaw(type, raw);
    return HostCasts.cut(HostCasts.text(value, type));
  }
}
