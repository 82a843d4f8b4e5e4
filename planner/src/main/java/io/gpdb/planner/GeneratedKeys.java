package io.gpdb.planner;

import io.gpdb.planner.change.ReturnedRows;
import io.gpdb.planner.statement.KeyRequest;
import io.gpdb.sql.SqlFrontEnd;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The columns that a change returns as generated keys. */
final class GeneratedKeys {
  private GeneratedKeys() {}

  /** Null where the statement has no such columns. */
  static @Nullable ReturnedRows of(Analyzed statement, KeyRequest request) {
    TableDef table =
        switch (statement) {
          case Analyzed.ChangeOfView of -> of.table();
          case Analyzed.Insert insert -> insert.table();
          case Analyzed.Update update -> update.table();
          case Analyzed.Upsert upsert -> upsert.insert().table();
          case Analyzed.Merge merge -> merge.table();
          default -> null;
        };
    if (table == null) {
      return null;
    }
    int[] columns = columns(table, request);
    return columns.length == 0 ? null : ReturnedRows.ofColumns(table, columns);
  }

  private static int[] columns(TableDef table, KeyRequest request) {
    return switch (request) {
      case KeyRequest.Generated _ -> generated(table);
      case KeyRequest.Positions(List<Integer> positions) ->
          positions.stream().mapToInt(position -> position(table, position)).toArray();
      case KeyRequest.Names(List<String> names) ->
          names.stream().mapToInt(name -> position(table, name)).toArray();
    };
  }

  private static int[] generated(TableDef table) {
    int[] numbered =
        IntStream.range(0, table.columns().size())
            .filter(column -> isNumbered(table.column(column)))
            .toArray();
    if (numbered.length > 0) {
      return numbered;
    }
    for (KeyDef key : table.keyConstraints()) {
      if (key.primary()) {
        return key.columns();
      }
    }
    return numbered;
  }

  private static boolean isNumbered(ColumnDef column) {
    String defaultSql = column.defaultSql();
    return column.identity() != null
        || (defaultSql != null && SqlFrontEnd.asksSequence(defaultSql));
  }

  private static int position(TableDef table, int position) {
    if (position < 1 || position > table.columns().size()) {
      throw new GpdbException(
          SqlCondition.COLUMN_NOT_FOUND,
          "table %s has no column %d".formatted(table.name(), position));
    }
    return position - 1;
  }

  /** As it is written, or else folded as SQL folds names without quotes. */
  private static int position(TableDef table, String name) {
    int exact = table.indexOf(name);
    int index = exact >= 0 ? exact : table.indexOf(name.toUpperCase(Locale.ROOT));
    if (index < 0) {
      throw new GpdbException(
          SqlCondition.COLUMN_NOT_FOUND, "table %s has no column %s".formatted(table.name(), name));
    }
    return index;
  }
}
