package io.gpdb.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Uses the driver as an application does that has nothing but the packed jar; knows only JDBC. */
public final class PackedProgram {
  static final String EXPECTED = "1000 499500\n250\n10 49.5\nkernels true\n1000\n2 2\n10 3\n";

  private PackedProgram() {}

  /** The argument is the database's directory. */
  public static void main(String[] arguments) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + arguments[0]);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, g INTEGER, name VARCHAR(20))");
      try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?,?,?)")) {
        for (int i = 0; i < 1000; i++) {
          insert.setInt(1, i);
          insert.setInt(2, i % 10);
          insert.setString(3, "name " + i % 4);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      print(statement, "SELECT count(*), sum(id) FROM t");
      System.out.println(statement.executeUpdate("UPDATE t SET g = g WHERE name = 'name 1'"));
      print(
          statement,
          "SELECT count(*), CAST(avg(CAST(m AS DOUBLE)) AS DECIMAL(5, 1)) FROM"
              + " (SELECT g, min(id) * 11 AS m FROM t GROUP BY g)");
      String grouped = "SELECT id, COUNT(DISTINCT g), COUNT(DISTINCT name) FROM t GROUP BY id";
      System.out.println("kernels " + explains(statement, "SELECT sum(id) FROM t", "kernel"));
      int rows = 0;
      try (ResultSet result = statement.executeQuery(grouped)) {
        while (result.next()) {
          rows++;
        }
      }
      System.out.println(rows);
      print(
          statement,
          "SELECT count(*), min(n) FROM (SELECT DISTINCT name, count(*) AS n FROM t AS a LEFT JOIN"
              + " (VALUES (1)) AS v (x) ON a.id + 1 = v.x WHERE EXISTS (SELECT 1 FROM t AS b WHERE"
              + " b.g = a.id) GROUP BY name) AS groups WHERE n < 3 OR n > 3");
      print(
          statement,
          "WITH RECURSIVE r (i) AS (SELECT max(g) - 8 FROM t UNION SELECT i + 1 FROM r WHERE i < 10)"
              + " SELECT count(*), (SELECT max(x.i) FROM r AS x WHERE x.i < 4) FROM r");
      statement.execute("CHECKPOINT");
    }
  }

  private static boolean explains(Statement statement, String sql, String word)
      throws SQLException {
    boolean found = false;
    try (ResultSet rows = statement.executeQuery("EXPLAIN " + sql)) {
      while (rows.next()) {
        found |= rows.getString(1).toLowerCase(java.util.Locale.ROOT).contains(word);
      }
    }
    return found;
  }

  private static void print(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      System.out.println(row.getString(1) + " " + row.getString(2));
    }
  }
}
