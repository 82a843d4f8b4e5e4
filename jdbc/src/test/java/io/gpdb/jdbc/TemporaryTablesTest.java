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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Temporary tables of several sessions, their ends, and comments in metadata. */
class TemporaryTablesTest {
  @TempDir private Path directory;

  private static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static String one(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static List<String> tables(Connection connection) throws SQLException {
    List<String> names = new ArrayList<>();
    try (ResultSet rows =
        connection
            .getMetaData()
            .getTables(null, null, null, new String[] {"TABLE", "LOCAL TEMPORARY"})) {
      while (rows.next()) {
        names.add(rows.getString("TABLE_TYPE") + " " + rows.getString("TABLE_NAME"));
      }
    }
    return names;
  }

  @Test
  void eachSessionHasItsOwnAndTheyGoWithIt() throws SQLException {
    String url = "jdbc:gpdb:mem:temporary";
    try (Connection one = DriverManager.getConnection(url)) {
      run(one, "CREATE TABLE t (a INTEGER)", "INSERT INTO t VALUES (0)");
      try (Connection other = DriverManager.getConnection(url)) {
        run(one, "CREATE TEMPORARY TABLE t AS SELECT 1 AS a");
        run(other, "CREATE TEMPORARY TABLE t AS SELECT 2 AS a");
        assertThat(one(one, "SELECT a FROM t")).isEqualTo("1");
        assertThat(one(other, "SELECT a FROM t")).isEqualTo("2");
        assertThat(tables(other)).containsExactly("LOCAL TEMPORARY T", "TABLE T");
        other.setAutoCommit(false);
        run(other, "INSERT INTO t VALUES (3)");
      }
      assertThat(one(one, "SELECT a FROM t")).isEqualTo("1");
      run(one, "DROP TABLE t");
      assertThat(one(one, "SELECT a FROM t")).isEqualTo("0");
      try (Connection later = DriverManager.getConnection(url)) {
        assertThat(tables(later)).containsExactly("TABLE T");
      }
    }
  }

  /** Each statement of autocommit is a transaction, also one that returns rows or keys. */
  @Test
  void rowsGoWithTheCommitOfAStatementThatReturnsThem() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:")) {
      run(
          connection,
          "CREATE TEMPORARY TABLE t (a INTEGER GENERATED ALWAYS AS IDENTITY, b INTEGER)"
              + " ON COMMIT DELETE ROWS");
      run(connection, "INSERT INTO t (b) VALUES (7)");
      assertThat(one(connection, "SELECT count(*) FROM t")).isEqualTo("0");
      assertThat(one(connection, "INSERT INTO t (b) VALUES (8) RETURNING b")).isEqualTo("8");
      assertThat(one(connection, "SELECT count(*) FROM t")).isEqualTo("0");
      try (Statement statement = connection.createStatement()) {
        statement.executeUpdate("INSERT INTO t (b) VALUES (9)", Statement.RETURN_GENERATED_KEYS);
        try (ResultSet keys = statement.getGeneratedKeys()) {
          assertThat(keys.next()).isTrue();
          assertThat(keys.getInt(1)).isEqualTo(3);
        }
      }
      assertThat(one(connection, "SELECT count(*) FROM t")).isEqualTo("0");
    }
  }

  @Test
  void theyAreGoneWhereTheProcessEndedBeforeTheSession() throws SQLException {
    String url = "jdbc:gpdb:" + directory.resolve("db");
    Path copy = directory.resolve("copy");
    try (Connection connection = DriverManager.getConnection(url)) {
      run(
          connection,
          "CREATE TABLE t (a INTEGER)",
          "CREATE TEMPORARY TABLE x (a INTEGER PRIMARY KEY)",
          "INSERT INTO x VALUES (1)",
          "BACKUP TO '" + copy + "'");
    }
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + copy)) {
      assertThat(tables(connection)).containsExactly("TABLE T");
      run(connection, "CREATE TEMPORARY TABLE x (b INTEGER)");
      assertThat(tables(connection)).containsExactly("LOCAL TEMPORARY X", "TABLE T");
    }
  }

  @Test
  void commentsAreRemarksAndSurviveReopening() throws SQLException {
    String url = "jdbc:gpdb:" + directory.resolve("comments");
    try (Connection connection = DriverManager.getConnection(url)) {
      run(
          connection,
          "CREATE TABLE t (a INTEGER)",
          "CREATE VIEW v AS SELECT a FROM t",
          "COMMENT ON TABLE t IS 'numbers'",
          "COMMENT ON COLUMN t.a IS 'one'",
          "COMMENT ON VIEW v IS 'the same'",
          "BEGIN",
          "COMMENT ON TABLE t IS 'undone'",
          "ROLLBACK");
    }
    try (Connection connection = DriverManager.getConnection(url)) {
      try (ResultSet rows = connection.getMetaData().getTables(null, "PUBLIC", "T", null)) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString("REMARKS")).isEqualTo("numbers");
      }
      try (ResultSet rows = connection.getMetaData().getTables(null, "PUBLIC", "V", null)) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString("REMARKS")).isEqualTo("the same");
      }
      try (ResultSet rows = connection.getMetaData().getColumns(null, "PUBLIC", "T", "A")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString("REMARKS")).isEqualTo("one");
      }
    }
  }
}
