package io.gpdb.planner.constraint;

import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.host.HostCasts;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.txn.api.TableReader;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows and keys as messages name them. */
final class RowText {
  /** Columns of a row without a primary key that are shown. */
  private static final int COLUMNS_MAX = 8;

  private RowText() {}

  /** The row by its primary key, or by its first columns. */
  static String of(TableDef table, TableReader reader, long row) {
    int[] columns =
        !table.keys().isEmpty() && table.keys().getFirst().primary()
            ? table.keys().getFirst().columns()
            : IntStream.range(0, Math.min(COLUMNS_MAX, table.columns().size())).toArray();
    long[] values = new long[columns.length];
    boolean[] nulls = new boolean[columns.length];
    return reader.read(row, columns, values, nulls)
        ? text(table, columns, names(table, columns), reader, values, nulls)
        : "number " + row;
  }

  /** The key that a table stores in those columns, with other names for them: (A, B) = (1, x). */
  static String key(
      TableDef table, int[] columns, List<String> names, TableReader reader, long[] key) {
    return text(table, columns, names, reader, key, new boolean[key.length]);
  }

  private static List<String> names(TableDef table, int[] columns) {
    return IntStream.of(columns).mapToObj(c -> table.column(c).name()).toList();
  }

  private static String text(
      TableDef table,
      int[] columns,
      List<String> names,
      TableReader reader,
      long[] values,
      boolean[] nulls) {
    String all =
        IntStream.range(0, columns.length)
            .mapToObj(i -> nulls[i] ? "NULL" : value(table, columns[i], reader, values[i]))
            .collect(Collectors.joining(", "));
    return "(" + String.join(", ", names) + ") = (" + all + ")";
  }

  private static String value(TableDef table, int column, TableReader reader, long raw) {
    SqlTypeSpec type = table.column(column).type();
    CodedStrings strings = type.kind().isString() ? reader.strings(column) : null;
    Object value =
        strings == null
            ? HostValue.ofRaw(type, raw)
            : HostValue.ofBytes(type, strings.bytes((int) raw));
    return HostCasts.cut(HostCasts.text(value, type));
  }
}
