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

/** Files do not grow under a load that goes on for ever: 100 rewrites of all rows. */
class SteadyLoadTest {
  private static final int ROWS = 10_000;
  private static final int SETTLED = 20;
  private static final int ROUNDS = 100;

  /** All rows in their columns, dictionary and index. */
  private static final long LIVE_BYTES = ROWS * (8L + 8 + 4 + 30 + 8 + 12);

  /** Between two rewrites a part may grow to four times what lives, or to 1 MiB of garbage. */
  private static final long SLACK_BYTES = 4 * LIVE_BYTES + (4 << 20);

  private enum Load {
    VALUES,
    STRINGS,
    REPLACED,
    KEYS;

    void run(Connection connection, int round) throws SQLException {
      switch (this) {
        case VALUES -> execute(connection, "UPDATE t SET v = v + " + round);
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
  void filesAreAsLargeAfterAHundredRoundsAsAfterTwenty(
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
          .isLessThan(settled + SLACK_BYTES)
          .isLessThan(12 * LIVE_BYTES + (8 << 20));
      assertThat(bytes(database, "wal")).as("log").isLessThan(20 << 20);
      assertThat(bytes(database, "undo")).as("undo log").isLessThan(20 << 20);
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
