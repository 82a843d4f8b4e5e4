package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files do not grow under a load that goes on for ever: 60 rewrites of all rows. */
class SteadyLoadTest {
  private static final int ROWS = 10_000;
  private static final int SETTLED = 20;
  private static final int ROUNDS = 60;

  /** All rows in their columns, dictionary and index. */
  private static final long LIVE_BYTES = ROWS * (8L + 8 + 4 + 30 + 8 + 12);

  /** Between two rewrites a part may grow to four times what lives, or to 1 MiB of garbage. */
  private static final long REWRITES_SLACK_BYTES = 4 * LIVE_BYTES + (4 << 20);

  /** Longer than 8 MiB it is emptied, and the file doubles. */
  private static final long UNDO_FILE_BYTES = 16 << 20;

  private enum Load {
    /** Two updates of all rows, nearly without garbage, and many checkpoints. */
    VALUES(1 << 20),
    STRINGS(REWRITES_SLACK_BYTES),
    REPLACED(REWRITES_SLACK_BYTES),
    KEYS(REWRITES_SLACK_BYTES);

    private final long slackBytes;

    Load(long slackBytes) {
      this.slackBytes = slackBytes;
    }

    void run(Connection connection, int round) throws SQLException {
      switch (this) {
        case VALUES -> {
          execute(connection, "UPDATE t SET v = v + " + round);
          execute(connection, "UPDATE t SET v = v - 1");
          if (round % 4 == 0) {
            replaceOne(connection, round);
            execute(connection, "CHECKPOINT");
          }
        }
        case STRINGS ->
            execute(connection, "UPDATE t SET s = 'round " + round + " ' || CAST(id AS VARCHAR)");
        case REPLACED -> {
          execute(connection, "DELETE FROM t");
          insert(connection, (long) round * ROWS);
        }
        case KEYS -> execute(connection, "UPDATE t SET id = id + " + ROWS);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"VALUES, redo", "STRINGS, redo", "REPLACED, redo", "KEYS, redo", "VALUES, undo"})
  void filesAreAsLargeAfterSixtyRoundsAsAfterTwenty(
      Load load, String protocol, @TempDir Path directory) throws SQLException, IOException {
    Path database = directory.resolve("db");
    String url = "jdbc:gpdb:" + database + ";checkpoint_bytes=1048576;protocol=" + protocol;
    long settled = 0;
    try (Connection connection = DriverManager.getConnection(url)) {
      execute(connection, "CREATE TABLE t (id BIGINT PRIMARY KEY, v BIGINT, s VARCHAR)");
      insert(connection, 0);
      for (int round = 1; round <= ROUNDS; round++) {
        load.run(connection, round);
        if (round == SETTLED) {
          execute(connection, "CHECKPOINT");
          settled = bytes(database, "home");
        }
      }
      execute(connection, "CHECKPOINT");
      assertThat(bytes(database, "home"))
          .as("home image, settled at " + settled)
          .isLessThan(settled + load.slackBytes)
          .isLessThan(12 * LIVE_BYTES + (8 << 20));
      assertThat(bytes(database, "wal")).as("log").isLessThan(20 << 20);
      // without being emptied it would take twice that
      long undoBytes = protocol.equals("undo") ? UNDO_FILE_BYTES : 0;
      assertThat(bytes(database, "undo")).as("undo log").isEqualTo(undoBytes);
    }
    try (Connection connection = DriverManager.getConnection(url)) {
      assertThat(TestDatabase.rows(connection, "SELECT count(*), count(DISTINCT s) FROM t"))
          .containsExactly(ROWS + "|" + ROWS);
    }
  }

  private static long bytes(Path database, String prefix) throws IOException {
    try (Stream<Path> files = Files.list(database)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(prefix))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    TestDatabase.execute(connection, sql);
  }

  /** Has a live bitmap and pages of the index change, in which values in place have no part. */
  private static void replaceOne(Connection connection, int id) throws SQLException {
    execute(connection, "DELETE FROM t WHERE id = " + id);
    String row = "(%d, %d, 'string number %d')".formatted(id, id, id);
    execute(connection, "INSERT INTO t VALUES " + row);
  }

  private static void insert(Connection connection, long from) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?)")) {
      for (int i = 0; i < ROWS; i++) {
        statement.setLong(1, from + i);
        statement.setLong(2, i);
        statement.setString(3, "string number " + (from + i));
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }
}
