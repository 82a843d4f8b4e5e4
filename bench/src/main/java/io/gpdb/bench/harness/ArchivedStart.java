package io.gpdb.bench.harness;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What is done once, so that the classes that it takes are in the archive. */
final class ArchivedStart {
  private static final int ROWS = 100;
  private static final String[] STATEMENTS = {
    "UPDATE t SET a = a + 1 WHERE MOD(id, 20) = 0",
    "UPDATE t SET v = v || 'x' WHERE id = 7",
    "DELETE FROM t WHERE id < 3",
    "INSERT INTO t SELECT id + 1000, a, v FROM t WHERE id > 90",
    "CHECKPOINT",
    "DROP TABLE t"
  };

  private ArchivedStart() {}

  /** Argument: where the database is made. */
  public static void main(String[] arguments) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + arguments[0]);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a BIGINT, v VARCHAR(20))");
      fill(connection);
      try (ResultSet rows = statement.executeQuery("SELECT count(*), sum(a) FROM t")) {
        rows.next();
      }
      for (String sql : STATEMENTS) {
        statement.execute(sql);
      }
    }
  }

  private static void fill(Connection connection) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?)")) {
      for (int i = 0; i < ROWS; i++) {
        insert.setInt(1, i);
        insert.setLong(2, i);
        insert.setString(3, "row " + i);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }
}
