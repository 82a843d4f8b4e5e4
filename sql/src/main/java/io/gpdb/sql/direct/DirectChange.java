package io.gpdb.sql.direct;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.direct.DirectStatement.Assigned;
import io.gpdb.sql.direct.DirectStatement.Condition;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * INSERT of values, UPDATE and DELETE, of a table that no constraint concerns but its keys, and no
 * column of which is numbered or computed.
 */
final class DirectChange {
  private final DirectText text;
  private final TableDef table;
  private final List<ParameterDef> params = new ArrayList<>();

  private DirectChange(DirectText text, TableDef table) {
    this.text = text;
    this.table = table;
  }

  static @Nullable DirectStatement in(DirectText text) {
    boolean update = text.is(0, "UPDATE");
    boolean named = update || text.is(1, text.is(0, "INSERT") ? "INTO" : "FROM");
    int tableAt = update ? 1 : 2;
    TableDef table = named ? text.changedTable(tableAt) : null;
    if (table == null || isConstrained(table, text)) {
      return null;
    }
    DirectChange change = new DirectChange(text, table);
    return switch (text.word(0)) {
      case "INSERT" -> change.insert(tableAt + 1);
      case "UPDATE" -> change.update(tableAt + 1);
      default -> change.changed(List.of(), tableAt + 1);
    };
  }

  private static boolean isConstrained(TableDef table, DirectText text) {
    for (ColumnDef column : table.columns()) {
      if (column.identity() != null || column.generatedSql() != null || column.domain() != null) {
        return true;
      }
    }
    for (TableDef other : text.catalog().tables()) {
      if (other.foreignKeys().stream().anyMatch(key -> key.parent().equals(table.fullName()))) {
        return true;
      }
    }
    return !table.checks().isEmpty()
        || !table.foreignKeys().isEmpty()
        || !table.deferrableKeys().isEmpty();
  }

  // INSERT

  private @Nullable DirectStatement insert(int from) {
    List<Integer> columns = new ArrayList<>();
    int at = from;
    if (text.is(at, "(")) {
      do {
        int column = text.changedColumn(at + 1, table);
        if (column < 0 || columns.contains(column)) {
          return null;
        }
        columns.add(column);
        at += 2;
      } while (text.is(at, ","));
      if (!text.is(at++, ")")) {
        return null;
      }
    } else {
      for (int column = 0; column < table.columns().size(); column++) {
        columns.add(column);
      }
    }
    return hasOtherDefaults(columns) || !text.is(at, "VALUES") ? null : rows(columns, at + 1);
  }

  private boolean hasOtherDefaults(List<Integer> given) {
    for (int column = 0; column < table.columns().size(); column++) {
      if (table.column(column).defaultSql() != null && !given.contains(column)) {
        return true;
      }
    }
    return false;
  }

  private @Nullable DirectStatement rows(List<Integer> columns, int from) {
    List<List<Integer>> rows = new ArrayList<>();
    int at = from;
    do {
      if (rows.isEmpty() ? !text.is(at, "(") : !text.are(at, ",", "(")) {
        return null;
      }
      at += rows.isEmpty() ? 1 : 2;
      List<Integer> row = new ArrayList<>();
      do {
        if (row.size() == columns.size()) {
          return null;
        }
        at += row.isEmpty() ? 0 : 1;
        if (text.is(at, "?")) {
          row.add(params.size());
          ColumnDef column = table.column(columns.get(row.size() - 1));
          params.add(new ParameterDef(column.type().unlimited()));
        } else if (text.is(at, "NULL")) {
          row.add(-1);
        } else {
          return null;
        }
        at++;
      } while (text.is(at, ","));
      if (row.size() != columns.size() || !text.is(at++, ")")) {
        return null;
      }
      rows.add(List.copyOf(row));
    } while (at < text.end());
    return new DirectStatement.Insert(
        table, List.copyOf(columns), List.copyOf(rows), List.copyOf(params));
  }

  // UPDATE and DELETE

  private @Nullable DirectStatement update(int from) {
    List<Assigned> set = new ArrayList<>();
    if (!text.is(from, "SET")) {
      return null;
    }
    int at = from;
    do {
      int column = text.changedColumn(at + 1, table);
      if (column < 0
          || !text.is(at + 2, "=")
          || set.stream().anyMatch(known -> known.column() == column)) {
        return null;
      }
      at = assigned(at + 3, column, set);
    } while (at > 0 && text.is(at, ","));
    return at < 0 ? null : changed(List.copyOf(set), at);
  }

  /** Adds the column with the value that begins here; the place after it, or -1. */
  private int assigned(int at, int column, List<Assigned> set) {
    ColumnDef assigned = table.column(column);
    if (text.is(at, "?")) {
      set.add(new Assigned(column, -1, false, params.size(), 0));
      params.add(new ParameterDef(assigned.type().unlimited()));
      return at + 1;
    }
    long alone = text.wholeNumber(at);
    if (alone >= 0 && alone <= Integer.MAX_VALUE && assigned.type().equals(SqlTypeSpec.INTEGER)) {
      set.add(new Assigned(column, -1, false, -1, (int) alone));
      return at + 1;
    }
    int read = text.changedColumn(at, table);
    boolean minus = text.is(at + 1, "-");
    if (read < 0
        || !(minus || text.is(at + 1, "+"))
        || !DirectConditions.isWhole(assigned.type())
        || !table.column(read).type().equals(assigned.type())) {
      return -1;
    }
    if (!text.is(at + 2, "?")) {
      long number = text.wholeNumber(at + 2);
      if (number < 0 || number > Integer.MAX_VALUE) {
        return -1;
      }
      set.add(new Assigned(column, read, minus, -1, (int) number));
      return at + 3;
    }
    set.add(new Assigned(column, read, minus, params.size(), 0));
    params.add(new ParameterDef(assigned.type(), true, ParameterDef.Use.COMPUTED));
    return at + 3;
  }

  private @Nullable DirectStatement changed(List<Assigned> set, int from) {
    List<Condition> conditions = DirectConditions.in(text, from, table, params);
    return conditions == null
        ? null
        : new DirectStatement.Change(table, set, conditions, List.copyOf(params));
  }
}
