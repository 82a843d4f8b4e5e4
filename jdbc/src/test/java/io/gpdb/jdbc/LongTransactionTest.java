package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions larger than a file of the log, than the log between checkpoints, than memory. */
class LongTransactionTest {
  private static final int ROWS = 200_000;
  private static final int BATCH = 50_000;
  private static final String TABLE = "CREATE TABLE t (id BIGINT PRIMARY KEY, v BIGINT, s VARCHAR)";
  private static final String SUMS = "SELECT count(*), sum(v), count(DISTINCT s) FROM t";

  private static void execute(Connection connection, String sql) throws SQLException {
    TestDatabase.execute(connection, sql);
  }

  private static void insert(Connection connection, int from, int to) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?)")) {
      for (int id = from; id < to; id++) {
        statement.setLong(1, id);
        statement.setLong(2, id % 10);
        statement.setString(3, "string " + id % 1000);
        statement.addBatch();
        if (id % BATCH == BATCH - 1) {
          statement.executeBatch();
        }
      }
      statement.executeBatch();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"redo", "undo"})
  void aTransactionOfManyLogFilesCommitsRollsBackAndRecovers(
      String protocol, @TempDir Path directory) throws Exception {
    Path database = directory.resolve("db");
    String url = "jdbc:gpdb:" + database + ";checkpoint_bytes=1048576;protocol=" + protocol;
    Path copy = directory.resolve("killed");
    try (Connection connection = DriverManager.getConnection(url)) {
      execute(connection, TABLE);
      connection.setAutoCommit(false);
      insert(connection, 0, ROWS);
      execute(connection, "UPDATE t SET v = v + 1");
      connection.commit();
      execute(connection, "UPDATE t SET v = v * 2, s = 'other'");
      execute(connection, "DELETE FROM t WHERE id < 1000");
      assertThat(TestDatabase.rows(connection, SUMS)).containsExactly("199000|2189000|1");
      connection.rollback();
      assertThat(TestDatabase.rows(connection, SUMS)).containsExactly("200000|1100000|1000");
      connection.commit();
      execute(connection, "UPDATE t SET v = v * 2, s = 'other'");
      execute(connection, "DELETE FROM t WHERE id < 1000");
      connection.commit();
      copyOf(database, copy);
    }
    for (Path each : new Path[] {database, copy}) {
      String reopened = url.replace(database.toString(), each.toString());
      try (Connection connection = DriverManager.getConnection(reopened)) {
        assertThat(TestDatabase.rows(connection, SUMS)).containsExactly("199000|2189000|1");
      }
    }
  }

  /** The files as a killed process leaves them; nobody writes meanwhile. */
  private static void copyOf(Path database, Path target) throws Exception {
    for (int tries = 0; tries < 100 && !isQuiet(); tries++) {
      Thread.sleep(50);
    }
    Files.createDirectory(target);
    try (var files = Files.list(database)) {
      for (Path file : files.toList()) {
        if (!file.getFileName().toString().equals("gpdb.lock")) {
          Files.copy(file, target.resolve(file.getFileName().toString()));
        }
      }
    }
  }

  /** Whether no checkpoint runs: it would change files while they are copied. */
  private static boolean isQuiet() {
    return Thread.getAllStackTraces().keySet().stream()
        .noneMatch(thread -> thread.getName().equals("gpdb-checkpoint"));
  }

  @Test
  void aStatementThatExhaustsMemoryFailsAndTheTransactionGoesOn(@TempDir Path directory)
      throws SQLException {
    String url = "jdbc:gpdb:" + directory.resolve("exhausted");
    try (Connection connection = DriverManager.getConnection(url + ";memory_limit=5242880");
        Connection other = DriverManager.getConnection(url)) {
      execute(connection, TABLE);
      insert(connection, 0, ROWS);
      assertThat(TestDatabase.rows(connection, "SHOW memory_limit")).containsExactly("5242880");
      connection.setAutoCommit(false);
      execute(connection, "UPDATE t SET v = 100 WHERE id = 7");
      assertThatThrownBy(() -> execute(connection, "UPDATE t SET v = v + 1, s = 'long ' || s"))
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> {
                assertThat(e.getSQLState()).isEqualTo("53200");
                assertThat(e.getMessage()).contains("limitBytes=5242880");
              });
      assertThat(TestDatabase.rows(connection, SUMS)).containsExactly("200000|900093|1000");
      execute(connection, "UPDATE t SET v = 100 WHERE id = 17");
      connection.commit();
      assertThat(TestDatabase.rows(other, SUMS)).containsExactly("200000|900186|1000");
      execute(other, "DELETE FROM t WHERE id >= 1000");
      assertThat(TestDatabase.rows(other, "SELECT count(*) FROM t")).containsExactly("1000");
    }
  }
}
