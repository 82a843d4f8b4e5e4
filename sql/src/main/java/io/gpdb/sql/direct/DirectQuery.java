package io.gpdb.sql.direct;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.direct.DirectStatement.Aggregate;
import io.gpdb.sql.direct.DirectStatement.Comparison;
import io.gpdb.sql.direct.DirectStatement.Condition;
import io.gpdb.sql.direct.DirectStatement.Total;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SELECT of columns, or of aggregates, of one table. */
final class DirectQuery {
  private final DirectText text;
  private final TableDef table;
  private final int tableAt;
  private final List<ParameterDef> params = new ArrayList<>();

  private DirectQuery(DirectText text, TableDef table, int tableAt) {
    this.text = text;
    this.table = table;
    this.tableAt = tableAt;
  }

  static @Nullable DirectStatement in(DirectText text) {
    int from = 1;
    while (from < text.end() && !text.is(from, "FROM")) {
      from++;
    }
    TableDef table = text.table(from + 1);
    return table == null ? null : new DirectQuery(text, table, from + 1).query();
  }

  private @Nullable DirectStatement query() {
    List<Integer> columns = new ArrayList<>();
    List<Total> totals = new ArrayList<>();
    List<OutputColumn> output = new ArrayList<>();
    if (text.is(1, "*") && tableAt == 3) {
      for (int column = 0; column < table.columns().size(); column++) {
        columns.add(column);
        output.add(output(column, table.column(column).name()));
      }
    } else {
      int at = 1;
      do {
        at = item(at, columns, totals, output);
      } while (at > 0 && text.is(at++, ","));
      if (at != tableAt) {
        return null;
      }
    }
    List<Condition> conditions = DirectConditions.in(text, tableAt + 1, table, params);
    if (conditions == null || (!columns.isEmpty() && !totals.isEmpty())) {
      return null;
    }
    if (totals.isEmpty() && !fixKey(conditions)) {
      return null;
    }
    return totals.isEmpty()
        ? new DirectStatement.Rows(
            table, List.copyOf(columns), conditions, List.copyOf(params), List.copyOf(output))
        : new DirectStatement.Totals(
            table, List.copyOf(totals), conditions, List.copyOf(params), List.copyOf(output));
  }

  /** Whether the conditions are each column of a key, once, with one value. */
  private boolean fixKey(List<Condition> conditions) {
    for (KeyDef key : table.keys()) {
      boolean fixed = key.columns().length == conditions.size();
      for (int column : key.columns()) {
        boolean found = false;
        for (Condition condition : conditions) {
          found |= condition.column() == column && condition.comparison() == Comparison.EQUAL;
        }
        fixed &= found;
      }
      if (fixed) {
        return true;
      }
    }
    return false;
  }

  /** Adds the item that begins here; the place after it, or -1. */
  private int item(int at, List<Integer> columns, List<Total> totals, List<OutputColumn> output) {
    boolean call = text.is(at + 1, "(");
    if (call && !text.is(at + 3, ")")) {
      return -1;
    }
    int next = call ? at + 4 : at + 1;
    boolean as = text.is(next, "AS");
    boolean named = as || (next < tableAt - 1 && !text.is(next, ","));
    String alias = named ? text.word(as ? next + 1 : next) : "";
    if (named && !text.isName(as ? next + 1 : next)) {
      return -1;
    }
    if (!call) {
      int column = text.column(at, table);
      if (column < 0) {
        return -1;
      }
      columns.add(column);
      output.add(output(column, named ? alias : text.word(at)));
    } else {
      Total total = total(at);
      if (total == null) {
        return -1;
      }
      totals.add(total);
      output.add(output(total, named ? alias : text.onOneLine(at, at + 3)));
    }
    return next + (as ? 2 : named ? 1 : 0);
  }

  private OutputColumn output(int column, String name) {
    ColumnDef stored = table.column(column);
    return new OutputColumn(
        name,
        stored.type(),
        stored.nullable(),
        table.schema(),
        table.name(),
        stored.name(),
        true,
        stored.identity() != null);
  }

  private OutputColumn output(Total total, String name) {
    return switch (total.aggregate()) {
      case COUNT -> new OutputColumn(name, SqlTypeSpec.BIGINT, false);
      case SUM -> new OutputColumn(name, SqlTypeSpec.BIGINT, true);
      case MIN, MAX, AVG -> new OutputColumn(name, table.column(total.column()).type(), true);
    };
  }

  private @Nullable Total total(int at) {
    Aggregate aggregate = Aggregate.of(text.word(at));
    if (aggregate == null || aggregate == Aggregate.AVG) {
      return null;
    }
    if (text.is(at + 2, "*")) {
      return aggregate == Aggregate.COUNT ? new Total(aggregate, -1) : null;
    }
    int column = text.column(at + 2, table);
    return column >= 0
            && (aggregate == Aggregate.COUNT
                || DirectConditions.isWhole(table.column(column).type()))
        ? new Total(aggregate, column)
        : null;
  }
}
