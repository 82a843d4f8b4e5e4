package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
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

  private static void fill(Connection connection, int rows) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?)")) {
      for (int id = 0; id < rows; id++) {
        insert.setInt(1, id);
        insert.setObject(2, id % 7 == 0 ? null : id, Types.BIGINT);
        insert.setString(3, id % 5 == 0 ? null : "a");
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static String contents(Statement statement) throws SQLException {
    return one(
        statement,
        "SELECT COUNT(*) || ' ' || COUNT(v) || ' ' || SUM(v) || ' ' || SUM(v * id) || ' ' ||"
            + " COUNT(s) || ' ' || MIN(s) || ' ' || MAX(s) FROM t");
  }

  /** Of a plain scan and of another source; more tablets than are changed together at a time. */
  @Test
  void inPlaceAStatementOverManyTabletsDoesWhatItDoesByTheLog() throws SQLException {
    String[] updates = {
      "UPDATE t SET v = v + 1, s = s || 'b'",
      "UPDATE t SET v = NULLIF(v, 9), s = CASE WHEN MOD(id, 3) = 0 THEN s END WHERE MOD(id, 4) = 1",
      "UPDATE t SET v = 0 - v WHERE id IN (SELECT o.id + 5 FROM t AS o WHERE MOD(o.id, 900) = 3)"
    };
    List<List<String>> states = new ArrayList<>();
    for (String way : List.of("redo", "undo")) {
      List<String> seen = new ArrayList<>();
      try (Connection connection = DriverManager.getConnection(url() + way + ";protocol=" + way);
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE t (id INT PRIMARY KEY, v BIGINT, s VARCHAR(20))");
        connection.setAutoCommit(false);
        fill(connection, 3 * 65_536 + 100);
        connection.commit();
        for (String update : updates) {
          String before = contents(statement);
          seen.add("rows " + statement.executeUpdate(update));
          connection.rollback();
          assertThat(contents(statement)).isEqualTo(before);
          statement.executeUpdate(update);
          connection.commit();
          seen.add(contents(statement));
        }
      }
      try (Connection again = DriverManager.getConnection(url() + way);
          Statement statement = again.createStatement()) {
        assertThat(contents(statement)).isEqualTo(seen.getLast());
      }
      states.add(seen);
    }
    assertThat(states.get(1)).isEqualTo(states.get(0)).doesNotHaveDuplicates();
  }

  @Test
  void inPlaceAStatementWaitsAsOftenForManyTabletsAsForOne() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url() + ";protocol=undo");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INT PRIMARY KEY, v BIGINT, s VARCHAR(20))");
      connection.setAutoCommit(false);
      fill(connection, 3 * 65_536);
      connection.commit();
      List<Long> waits = new ArrayList<>();
      for (String where : List.of("id < 100", "MOD(id, 700) = 0")) {
        long before = drains(statement);
        statement.executeUpdate("UPDATE t SET v = 1, s = 'c' WHERE " + where);
        waits.add(drains(statement) - before);
      }
      assertThat(waits).containsExactly(3L, 3L);
    }
  }

  private static long drains(Statement statement) throws SQLException {
    return Long.parseLong(
        one(
            statement,
            "SELECT statistic_value FROM information_schema.gpdb_statistics WHERE statistic_name = 'drains'"));
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
