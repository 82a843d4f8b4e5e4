package io.gpdb.jdbc.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Serializable transactions that read and change different rows of a small table by its key do not
 * conflict, whichever way their queries are planned.
 */
class FewRowsConflictTest {
  private static final int ROWS = 20;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT v FROM t WHERE id BETWEEN %d AND %d",
        "SELECT v + 1 FROM t WHERE id >= %d AND id <= %d",
        "SELECT COUNT(*) FROM t WHERE id >= %d AND id <= %d",
        "SELECT MAX(v) FROM t WHERE id >= %d AND id <= %d",
        "SELECT SUM(v + 1) FROM t WHERE id >= %d AND id <= %d GROUP BY id"
      })
  void readersOfOtherRowsDoNotConflict(String query) throws SQLException {
    String url = "jdbc:gpdb:mem:fewRowsConflict" + Math.abs(query.hashCode());
    try (Connection keeper = DriverManager.getConnection(url);
        Connection first = DriverManager.getConnection(url);
        Connection second = DriverManager.getConnection(url)) {
      run(keeper, "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)");
      run(keeper, "CREATE INDEX i ON t (id)");
      for (int id = 0; id < ROWS; id++) {
        run(keeper, "INSERT INTO t VALUES (" + id + ", 0)");
      }
      for (Connection connection : new Connection[] {first, second}) {
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        connection.setAutoCommit(false);
      }
      assertThat(read(first, String.format(query, 1, 3))).isPositive();
      assertThat(read(second, String.format(query, 7, 9))).isPositive();
      run(first, "UPDATE t SET v = 1 WHERE id = 2");
      run(second, "UPDATE t SET v = 1 WHERE id = 8");
      first.commit();
      second.commit();
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int read(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      int count = 0;
      while (rows.next()) {
        count++;
      }
      return count;
    }
  }
}
