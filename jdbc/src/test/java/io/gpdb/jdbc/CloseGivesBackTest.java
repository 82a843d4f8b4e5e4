package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that was closed in order has no more garbage than data. */
class CloseGivesBackTest {
  /**
   * Many small tables' worth of strings, one after the other, while there are snapshots of some
   * age.
   */
  @Test
  void rowsThatHadManyStringsTakeOnlyTheLastAfterTheClose(@TempDir Path dir) throws Exception {
    String url = "jdbc:gpdb:" + dir.resolve("db") + ";checkpoint_bytes=2097152";
    int rows = 10_000;
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, s VARCHAR)");
      connection.setAutoCommit(false);
      for (int round = 0; round < 25; round++) {
        String sql =
            round == 0 ? "INSERT INTO t (s, id) VALUES (?, ?)" : "UPDATE t SET s = ? WHERE id = ?";
        try (PreparedStatement change = connection.prepareStatement(sql)) {
          for (int i = 0; i < rows; i++) {
            change.setString(1, "string of some length, number " + (round * rows + i));
            change.setInt(2, i);
            change.addBatch();
          }
          change.executeBatch();
        }
        connection.commit();
      }
    }
    long live = rows * (4L + 4 + 8 + 8 + "string of some length, number 240000".length());
    assertThat(Files.size(dir.resolve("db/home.gpdb"))).isLessThan(4 * live + (2 << 20));
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      assertThat(count(statement, "SELECT count(DISTINCT s) FROM t")).isEqualTo(rows);
      String last =
          "SELECT count(*) FROM t WHERE s = 'string of some length, number ' || (240000 + id)";
      assertThat(count(statement, last)).isEqualTo(rows);
    }
  }

  private static int count(Statement statement, String sql) throws Exception {
    try (ResultSet result = statement.executeQuery(sql)) {
      assertThat(result.next()).isTrue();
      return result.getInt(1);
    }
  }
}
