package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Statements that call random functions do as statements in which the calls are written out by hand
 * do, also through views and after the database is opened again.
 */
class RoutineFunctionsTest {
  private static final int FUNCTIONS = 6;
  private static final int STATEMENTS = 14;
  private static final List<String> TYPES =
      List.of("INTEGER", "BIGINT", "DECIMAL(6, 1)", "SMALLINT");

  private final long seed = Long.getLong("gpdb.seed", 5);
  private final Random random = new Random(seed);
  private final List<Function> functions = new ArrayList<>();

  /** A function of X and Y; its body has %1$s and %2$s in their places. */
  private record Function(
      String name, String first, String second, String returns, String body, boolean strict) {

    /** The call, and what it means. */
    Both of(Both a, Both b) {
      String x = "CAST(" + a.meant + " AS " + first + ")";
      String y = "CAST(" + b.meant + " AS " + second + ")";
      String value = "CAST(" + body.formatted(x, y) + " AS " + returns + ")";
      return new Both(
          name + "(" + a.called + ", " + b.called + ")",
          strict
              ? "CASE WHEN " + x + " IS NULL OR " + y + " IS NULL THEN NULL ELSE " + value + " END"
              : value);
    }

    String create() {
      return "CREATE FUNCTION %s (x %s, y %s) RETURNS %s %s RETURN %s"
          .formatted(
              name,
              first,
              second,
              returns,
              strict ? "RETURNS NULL ON NULL INPUT" : "",
              body.formatted("x", name + ".y"));
    }
  }

  /** An expression with calls, and without. */
  private record Both(String called, String meant) {
    static Both same(String text) {
      return new Both(text, text);
    }
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  /** An argument and a returned value are what a column of the type stores, or raise the same. */
  @Test
  void argumentsAreAssignedAsToColumns(@TempDir Path path) throws SQLException {
    List<String> values = List.of("'ab'", "'abcd'", "'a    '", "''", "12345", "1.25", "NULL");
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + path);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE texts (s VARCHAR(9))");
      for (String type : List.of("VARCHAR(3)", "CHAR(3)", "VARCHAR", "DECIMAL(6, 1)", "INTEGER")) {
        String kind = "k" + type.replaceAll("\\W", "");
        statement.execute("CREATE TABLE " + kind + " (c " + type + ")");
        String argument = "FUNCTION p%s (x %s) RETURNS %s RETURN x";
        statement.execute("CREATE " + argument.formatted(kind, type, type));
        String returned = "FUNCTION r%s (x VARCHAR(9)) RETURNS %s RETURN x";
        statement.execute("CREATE " + returned.formatted(kind, type));
        for (String value : values) {
          String insert = "INSERT INTO " + kind + " VALUES (" + value + ") RETURNING c";
          String stored = value(statement, insert);
          statement.execute("DELETE FROM texts");
          statement.execute("INSERT INTO texts VALUES (" + value + ")");
          for (String call :
              List.of(
                  "p" + kind + "(" + value + ")",
                  "r" + kind + "(" + value + ")",
                  "p" + kind + "(s) FROM texts",
                  "r" + kind + "(s) FROM texts")) {
            String name = value + " as " + type + ": " + call;
            assertThat(value(statement, "SELECT " + call)).as(name).isEqualTo(stored);
          }
        }
      }
    }
  }

  /** The value that a statement returns, or the state that it raises. */
  private static String value(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? "[" + rows.getString(1) + "]" : "no row";
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  @Test
  void callsAreTheirBodies(@TempDir Path path) throws SQLException {
    System.out.println("RoutineFunctionsTest: seed " + seed);
    String url = "jdbc:gpdb:" + path;
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      tables(statement);
      for (int i = 0; i < FUNCTIONS; i++) {
        create(statement, i);
      }
      compare(statement);
    }
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      compare(statement);
      assertThat(connection.unwrap(GpdbConnection.class).check()).isEmpty();
    }
  }

  private static void tables(Statement statement) throws SQLException {
    for (String table : List.of("t", "u")) {
      statement.execute("CREATE TABLE " + table + " (a INTEGER, b DECIMAL(5, 2), x INTEGER)");
      statement.execute(
          "INSERT INTO "
              + table
              + " VALUES (1, 2.5, 3), (2, NULL, 1), (3, -1.25, NULL), (NULL, 7, 2), (0, 0, 0)");
    }
    statement.execute("CREATE TABLE far (a INTEGER, y INTEGER)");
    statement.execute("INSERT INTO far VALUES (1, 10), (2, 20), (3, NULL), (3, 5)");
  }

  private void create(Statement statement, int number) throws SQLException {
    Both one = Both.same("%1$s");
    Both other = Both.same("%2$s");
    String body =
        switch (random.nextInt(7)) {
          case 0 -> "%1$s + %2$s";
          case 1 -> "%1$s * 2 - COALESCE(%2$s, 3)";
          case 2 -> "CASE WHEN %1$s > %2$s THEN %1$s ELSE %2$s END";
          case 3 -> "ABS(%1$s) + %1$s";
          case 4 -> "(SELECT MAX(f.y) FROM far AS f WHERE f.a = %1$s) + %2$s";
          case 5 -> "CASE WHEN EXISTS (SELECT 1 FROM far AS f WHERE f.a >= %1$s) THEN 1 END";
          default ->
              functions.isEmpty()
                  ? "%2$s / 4"
                  : any(functions).of(one, other).called
                      + " + "
                      + any(functions).of(other, one).called;
        };
    Function function =
        new Function(
            "f" + number, any(TYPES), any(TYPES), any(TYPES), body, random.nextInt(3) == 0);
    statement.execute(function.create());
    functions.add(written(function));
  }

  /** The function whose body has no calls. */
  private Function written(Function function) {
    String body = function.body;
    for (Function inner : functions) {
      Both one = Both.same("%1$s");
      Both other = Both.same("%2$s");
      for (Both call : List.of(inner.of(one, other), inner.of(other, one))) {
        body = body.replace(call.called, call.meant);
      }
    }
    return new Function(
        function.name, function.first, function.second, function.returns, body, function.strict);
  }

  private Both expression(int depth) {
    if (depth == 0 || random.nextInt(4) == 0) {
      return Both.same(any(List.of("t.a", "b", "x", "2", "NULL", "-1", "t.a + 1")));
    }
    return any(functions).of(expression(depth - 1), expression(depth - 1));
  }

  private void compare(Statement statement) throws SQLException {
    for (int i = 0; i < STATEMENTS; i++) {
      Both value = any(functions).of(expression(1), expression(0));
      Both second = expression(1);
      String form =
          any(
              List.of(
                  "SELECT %s, %s FROM t ORDER BY a",
                  "SELECT a FROM t WHERE %s > 1 OR %s IS NULL ORDER BY a",
                  "SELECT SUM(%s), MAX(%s) FROM t",
                  "SELECT %s, COUNT(%s) FROM t GROUP BY 1 ORDER BY 1",
                  "SELECT a FROM t ORDER BY %s, %s, a",
                  "UPDATE t SET a = %s WHERE %s > 0",
                  "DELETE FROM t WHERE %s = 1000 AND %s = 2",
                  "INSERT INTO t SELECT %s, %s, 1 FROM u AS t WHERE a = 1",
                  "SELECT l.a FROM t AS l JOIN u ON %s = u.a WHERE %s > 0"));
      if (form.contains("JOIN")) {
        value = any(functions).of(Both.same("l.x"), Both.same("l.b"));
        second = any(functions).of(Both.same("u.x"), Both.same("l.b"));
      }
      String called = form.formatted(value.called, second.called);
      String meant = form.formatted(value.meant, second.meant);
      assertThat(outcome(statement, called)).as(called).isEqualTo(outcome(statement, meant));
    }
  }

  /** The rows of a query; the rows of the table after a change, which is undone. */
  private static List<String> outcome(Statement statement, String sql) throws SQLException {
    statement.execute("BEGIN");
    try {
      List<String> outcome = new ArrayList<>();
      if (statement.execute(sql)) {
        outcome.addAll(rows(statement.getResultSet()));
      } else {
        outcome.addAll(rows(statement.executeQuery("SELECT * FROM t")));
      }
      return outcome;
    } catch (SQLException e) {
      return List.of(e.getSQLState());
    } finally {
      statement.execute("ROLLBACK");
    }
  }

  private static List<String> rows(ResultSet rows) throws SQLException {
    List<String> all = new ArrayList<>();
    int columns = rows.getMetaData().getColumnCount();
    while (rows.next()) {
      StringBuilder row = new StringBuilder();
      for (int i = 1; i <= columns; i++) {
        row.append(rows.getString(i)).append('|');
      }
      all.add(row.toString());
    }
    return all;
  }
}
