package io.gpdb.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.IntStream;

/** Statements that make more strings than the heap has room for, in a process of its own. */
final class SmallHeapProgram {
  private static final int ROWS = 60_000;
  private static final String PAD = "-".repeat(400);

  private SmallHeapProgram() {}

  /** Runs them on the database at a path; the exit code says whether all answers were right. */
  public static void main(String[] arguments) throws SQLException {
    String url = "jdbc:gpdb:" + arguments[0] + ";memory_limit=16777216;workers=2";
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, g INTEGER)");
      for (int from = 0; from < ROWS; from += ROWS / 4) {
        statement.execute(
            "INSERT INTO t SELECT x, MOD(x, 9) FROM GENERATE_SERIES(%d, %d) r(x)"
                .formatted(from, from + ROWS / 4 - 1));
      }
      String made = "id || '%s' || (id + g)".formatted(PAD);
      requireAll(statement, "SELECT " + made + " FROM t ORDER BY id", false);
      requireAll(statement, "SELECT u FROM (SELECT " + made + " AS u FROM t) x ORDER BY 1", true);
      requireAll(statement, "SELECT DISTINCT " + made + " AS u FROM t ORDER BY 1", true);
      requireAll(statement, "DELETE FROM t RETURNING " + made, false);
    }
  }

  private static void requireAll(Statement statement, String sql, boolean sorted)
      throws SQLException {
    String[] expected = IntStream.range(0, ROWS).mapToObj(Integer::toString).toArray(String[]::new);
    if (sorted) {
      Arrays.sort(expected, Comparator.comparing(id -> id + "-"));
    }
    try (ResultSet rows = statement.executeQuery(sql)) {
      for (String id : expected) {
        String wanted = id + PAD + (Integer.parseInt(id) + Integer.parseInt(id) % 9);
        if (!rows.next() || !Objects.equals(rows.getString(1), wanted)) {
          throw new IllegalStateException(sql + ": not row " + id);
        }
      }
      if (rows.next()) {
        throw new IllegalStateException(sql + ": too many rows");
      }
    }
  }
}
