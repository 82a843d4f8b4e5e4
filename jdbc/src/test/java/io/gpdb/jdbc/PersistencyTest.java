package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SET persistency: how a session's changes become durable. */
class PersistencyTest {
  @TempDir Path folder;

  private String url() {
    return "jdbc:gpdb:" + folder.resolve("db");
  }

  private static String one(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  @Test
  void everyWayKeepsWhatWasCommitted() throws SQLException {
    String[] ways = {"redo", "undo", "versioned", "checksummed", "auto"};
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INT PRIMARY KEY, v INT)");
      for (int i = 0; i < ways.length; i++) {
        statement.execute("SET persistency = " + ways[i]);
        assertThat(one(statement, "SHOW persistency")).isEqualTo(ways[i]);
        for (int id = i * 10; id < i * 10 + 10; id++) {
          statement.execute("INSERT INTO t VALUES (" + id + ", 0)");
        }
        assertThat(statement.executeUpdate("UPDATE t SET v = v + " + (i + 1)))
            .isEqualTo(i * 10 + 10);
      }
      assertThat(one(statement, "SELECT SUM(v) FROM t")).isEqualTo("550");
    }
    try (Connection connection = DriverManager.getConnection(url() + ";readonly=true");
        Statement statement = connection.createStatement()) {
      assertThat(one(statement, "SELECT SUM(v) FROM t")).isEqualTo("550");
      assertThat(one(statement, "SELECT COUNT(*) FROM t")).isEqualTo("50");
    }
  }

  @Test
  void explainOfAChangeNamesTheWay() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INT PRIMARY KEY, v INT)");
      statement.execute("SET persistency = versioned");
      assertThat(lines(statement, "EXPLAIN UPDATE t SET v = 1")).contains("persistency: versioned");
      statement.execute("SET persistency = auto");
      assertThat(lines(statement, "EXPLAIN UPDATE t SET v = 1"))
          .anyMatch(line -> line.startsWith("persistency: auto: redo; versioned where more than"));
      assertThat(lines(statement, "EXPLAIN SELECT * FROM t"))
          .noneMatch(line -> line.startsWith("persistency"));
    }
  }

  private static List<String> lines(Statement statement, String sql) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        lines.add(rows.getString(1));
      }
    }
    return lines;
  }

  @Test
  void baselinesAreNotMixedWithOthers() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url() + ";protocol=cap-fs");
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute("SET persistency = redo"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).startsWith("0A"));
      assertThat(one(statement, "SHOW persistency")).isEqualTo("cap-fs");
      assertThatThrownBy(() -> statement.execute("SET persistency = hope"))
          .hasMessageContaining("HOPE");
    }
  }
}
