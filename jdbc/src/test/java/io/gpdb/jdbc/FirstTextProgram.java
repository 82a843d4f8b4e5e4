package io.gpdb.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A process whose first text for the planner is one of three. */
public final class FirstTextProgram {
  static final List<String> TEXTS =
      List.of(
          "SELECT s, SUM(v * (1 - v)), AVG(v), COUNT(*) FROM t"
              + " WHERE d <= DATE '2020-12-01' - INTERVAL '90' DAY GROUP BY s ORDER BY s",
          "SELECT t.g, SUM(t.v * 2) AS total FROM t JOIN u ON t.g = u.g JOIN w ON w.g = u.g WHERE"
              + " w.n < 50 AND t.d > DATE '2019-01-01' GROUP BY t.g ORDER BY total DESC LIMIT 3",
          "SELECT COUNT(*), SUM(v), MAX(d) FROM t WHERE g IN (SELECT g FROM u WHERE n > 10)"
              + " AND s LIKE 'a%'");

  private FirstTextProgram() {}

  public static void main(String[] arguments) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:first");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE t (id INTEGER PRIMARY KEY, g INTEGER, v DECIMAL(12, 2), d DATE, s"
              + " VARCHAR(9))");
      statement.execute("CREATE TABLE u (g INTEGER PRIMARY KEY, n INTEGER)");
      statement.execute("CREATE TABLE w (g INTEGER PRIMARY KEY, n INTEGER)");
      for (int i = 0; i < 9; i++) {
        statement.execute(
            "INSERT INTO t VALUES ("
                + i
                + ", "
                + i % 3
                + ", 1.5, DATE '2020-02-03', 'a"
                + i
                + "')");
        statement.execute("INSERT INTO u VALUES (" + i + ", " + 9 * i + ")");
        statement.execute("INSERT INTO w VALUES (" + i + ", " + 7 * i + ")");
      }
      try (ResultSet rows = statement.executeQuery(TEXTS.get(Integer.parseInt(arguments[0])))) {
        System.out.println(rows.next() ? "rows" : "none");
      }
    }
  }
}
