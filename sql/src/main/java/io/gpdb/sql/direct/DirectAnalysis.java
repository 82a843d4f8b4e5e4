package io.gpdb.sql.direct;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.direct.DirectStatement.Aggregate;
import io.gpdb.sql.direct.DirectStatement.Comparison;
import io.gpdb.sql.direct.DirectStatement.Condition;
import io.gpdb.sql.direct.DirectStatement.Total;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.text.SqlTokens;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads statements that need no grammar: {@code SELECT columns or aggregates FROM table WHERE
 * column op ? AND …}. Names, types and parameters are those that the validator finds; whatever is
 * not known to be so, and whatever is wrong, is left to it.
 */
public final class DirectAnalysis {
  private static final int TEXT_LENGTH_MAX = 4096;

  private final String sql;
  private final SqlTokens tokens;
  private final TableDef table;
  private final int tableAt;
  private final int end;
  private final List<ParameterDef> params = new ArrayList<>();

  private DirectAnalysis(String sql, SqlTokens tokens, TableDef table, int tableAt, int end) {
    this.sql = sql;
    this.tokens = tokens;
    this.table = table;
    this.tableAt = tableAt;
    this.end = end;
  }

  /** The statement, or null where it is more than plain. */
  public static @Nullable DirectStatement of(String sql, CatalogSnapshot catalog) {
    if (!isPlainText(sql) || !catalog.routines().isEmpty() || catalog.hasDistinctTypes()) {
      return null;
    }
    SqlTokens tokens = SqlTokens.withParameters(sql);
    if (tokens == null || !tokens.word(0).equals("SELECT")) {
      return null;
    }
    int end = tokens.count();
    while (tokens.word(end - 1).equals(";")) {
      end--;
    }
    int from = 1;
    while (from < end && !tokens.word(from).equals("FROM")) {
      from++;
    }
    TableDef table = table(tokens.word(from + 1), catalog);
    return table == null ? null : new DirectAnalysis(sql, tokens, table, from + 1, end).query();
  }

  /** Whether all characters are ones that mean the same wherever they are read. */
  private static boolean isPlainText(String sql) {
    for (int i = 0; i < sql.length(); i++) {
      char c = sql.charAt(i);
      if (c != '\n' && c != '\r' && c != '\t' && (c < ' ' || c > '~' || c == '$')) {
        return false;
      }
    }
    return sql.length() <= TEXT_LENGTH_MAX;
  }

  private static @Nullable TableDef table(String word, CatalogSnapshot catalog) {
    if (!DirectNames.isName(word)) {
      return null;
    }
    ObjectName meant = catalog.resolve(word);
    return catalog.view(meant) == null ? catalog.table(meant) : null;
  }

  private @Nullable DirectStatement query() {
    List<Integer> columns = new ArrayList<>();
    List<Total> totals = new ArrayList<>();
    List<OutputColumn> output = new ArrayList<>();
    if (tokens.word(1).equals("*") && tableAt == 3) {
      for (int column = 0; column < table.columns().size(); column++) {
        columns.add(column);
        output.add(output(column, table.column(column).name()));
      }
    } else {
      int at = 1;
      do {
        at = item(at, columns, totals, output);
      } while (at > 0 && tokens.word(at++).equals(","));
      if (at != tableAt) {
        return null;
      }
    }
    List<Condition> conditions = conditions(tableAt + 1);
    if (conditions == null || (!columns.isEmpty() && !totals.isEmpty())) {
      return null;
    }
    return totals.isEmpty()
        ? new DirectStatement.Rows(
            table, List.copyOf(columns), conditions, List.copyOf(params), List.copyOf(output))
        : new DirectStatement.Totals(
            table, List.copyOf(totals), conditions, List.copyOf(params), List.copyOf(output));
  }

  /** Adds the item that begins here; the place after it, or -1. */
  private int item(int at, List<Integer> columns, List<Total> totals, List<OutputColumn> output) {
    boolean call = tokens.word(at + 1).equals("(");
    if (call && !tokens.word(at + 3).equals(")")) {
      return -1;
    }
    int next = call ? at + 4 : at + 1;
    boolean as = tokens.word(next).equals("AS");
    boolean named = as || (tokens.isName(next) && next < tableAt - 1);
    String alias = named ? tokens.word(as ? next + 1 : next) : "";
    if (named && !DirectNames.isName(alias)) {
      return -1;
    }
    if (!call) {
      int column = column(at);
      if (column < 0) {
        return -1;
      }
      columns.add(column);
      output.add(output(column, named ? alias : tokens.word(at)));
    } else {
      Total total = total(at);
      if (total == null) {
        return -1;
      }
      totals.add(total);
      String written = sql.substring(tokens.start(at), tokens.end(at + 3));
      output.add(output(total, named ? alias : onOneLine(written)));
    }
    return next + (as ? 2 : named ? 1 : 0);
  }

  /** What the query's text is shortened to where it is the name of a column. */
  private static String onOneLine(String text) {
    StringBuilder line = new StringBuilder();
    boolean blank = false;
    for (int i = 0; i < text.length(); i++) {
      boolean isBlank = text.charAt(i) <= ' ';
      if (!isBlank || !blank) {
        line.append(isBlank ? ' ' : text.charAt(i));
      }
      blank = isBlank;
    }
    return line.toString();
  }

  /** The column of that name, or -1. */
  private int column(int at) {
    return DirectNames.isName(tokens.word(at)) ? table.indexOf(tokens.word(at)) : -1;
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
      case MIN, MAX -> new OutputColumn(name, table.column(total.column()).type(), true);
    };
  }

  private @Nullable Total total(int at) {
    Aggregate aggregate =
        switch (tokens.word(at)) {
          case "COUNT" -> Aggregate.COUNT;
          case "SUM" -> Aggregate.SUM;
          case "MIN" -> Aggregate.MIN;
          case "MAX" -> Aggregate.MAX;
          default -> null;
        };
    if (aggregate == null) {
      return null;
    }
    if (tokens.word(at + 2).equals("*")) {
      return aggregate == Aggregate.COUNT ? new Total(aggregate, -1) : null;
    }
    int column = column(at + 2);
    return column >= 0 && (aggregate == Aggregate.COUNT || isWhole(column))
        ? new Total(aggregate, column)
        : null;
  }

  private boolean isWhole(int column) {
    return switch (table.column(column).type().kind()) {
      case INTEGER, BIGINT -> true;
      default -> false;
    };
  }

  /** The conditions from WHERE to the end; null where there is anything else. */
  private @Nullable List<Condition> conditions(int from) {
    List<Condition> conditions = new ArrayList<>();
    int at = from;
    while (at < end) {
      Comparison comparison = comparison(tokens.word(at + 2));
      int column = column(at + 1);
      if (comparison == null
          || column < 0
          || !isCompared(column, comparison)
          || !tokens.word(at).equals(at == from ? "WHERE" : "AND")
          || !tokens.word(at + 3).equals("?")
          || at + 4 > end) {
        return null;
      }
      conditions.add(new Condition(column, comparison, params.size()));
      SqlTypeSpec type = table.column(column).type();
      params.add(
          new ParameterDef(
              type.kind().isCharacter() ? SqlTypeSpec.VARCHAR : type,
              true,
              ParameterDef.Use.COMPARED));
      at += 4;
    }
    return List.copyOf(conditions);
  }

  private boolean isCompared(int column, Comparison comparison) {
    SqlTypeSpec type = table.column(column).type();
    return isWhole(column)
        || (type.kind() == SqlTypeSpec.Kind.VARCHAR
            && !type.isLarge()
            && comparison == Comparison.EQUAL);
  }

  private static @Nullable Comparison comparison(String sign) {
    return switch (sign) {
      case "=" -> Comparison.EQUAL;
      case "<>" -> Comparison.UNEQUAL;
      case "<" -> Comparison.LESS;
      case "<=" -> Comparison.AT_MOST;
      case ">" -> Comparison.GREATER;
      case ">=" -> Comparison.AT_LEAST;
      default -> null;
    };
  }
}
