package io.gpdb.jdbc;

import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.storage.error.ErrorCode;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The table and columns that rows are appended to, named as in SQL. */
final class AppenderTarget {
  private static final String NAME = "(?:[\\p{L}_][\\p{L}\\p{N}_$]*|\"(?:[^\"]|\"\")+\")";
  private static final Pattern COLUMN = Pattern.compile(NAME);
  private static final Pattern TABLE = Pattern.compile(NAME + "(?:\\." + NAME + ")?");

  private AppenderTarget() {}

  /** No columns are all those of the table that values can be given for. */
  static GpdbAppender open(ConnectionState connection, String table, String... columns)
      throws SQLException {
    require(TABLE, "table", table);
    for (String column : columns) {
      require(COLUMN, "column", column);
    }
    List<String> names =
        columns.length == 0 ? columns(connection, table) : Arrays.asList(columns.clone());
    String sql =
        "INSERT INTO "
            + table
            + names.stream().collect(Collectors.joining(", ", " (", ")"))
            + names.stream().map(_ -> "?").collect(Collectors.joining(", ", " VALUES (", ")"));
    GpdbPreparedStatement insert =
        connection.ask(
            () -> GpdbPreparedStatement.prepare(connection, sql, CursorKind.FORWARD, null));
    ParameterColumns values = insert.columns();
    if (values == null) {
      throw SqlErrors.of(SqlCondition.INVALID_STATEMENT, "the types of values are open: " + sql);
    }
    return new GpdbAppender(insert, values, List.copyOf(names));
  }

  private static void require(Pattern form, String what, String name) throws SQLException {
    if (!form.matcher(SqlErrors.given("the " + what, name)).matches()) {
      throw SqlErrors.of(
          ErrorCode.INVALID_ARGUMENT, "'" + name + "' is not a " + what + "'s name as in SQL");
    }
  }

  private static List<String> columns(ConnectionState connection, String table)
      throws SQLException {
    OutputColumn first =
        connection
            .ask(() -> connection.session().describe("SELECT * FROM " + table, null))
            .columns()
            .getFirst();
    TableDef known =
        first.schema() == null || first.table() == null
            ? null
            : connection.catalog().table(new ObjectName(first.schema(), first.table()));
    if (known == null) {
      throw SqlErrors.notSupported("appending to " + table + ", which is not a table,");
    }
    return known.columns().stream()
        .filter(AppenderTarget::takesValues)
        .map(column -> "\"" + column.name().replace("\"", "\"\"") + "\"")
        .toList();
  }

  private static boolean takesValues(ColumnDef column) {
    return column.generatedSql() == null
        && (column.identity() == null || !column.identity().always());
  }
}
