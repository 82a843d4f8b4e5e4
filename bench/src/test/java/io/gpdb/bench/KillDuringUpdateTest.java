package io.gpdb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KillDuringUpdateTest {
  private static final int ROWS = 200_000;

  @ParameterizedTest
  @CsvSource({"redo,hcl", "redo,conventional", "undo,hcl"})
  void aKilledUpdateIsWholeOrAbsentAndAnAcknowledgedOneIsThere(
      String protocol, String log, @TempDir Path folder)
      throws SQLException, IOException, InterruptedException {
    long seed = Long.getLong("gpdb.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    String url = "jdbc:gpdb:" + folder.resolve("db") + ";protocol=" + protocol + ";log=" + log;
    load(url);
    long committed = 0;
    for (int kill = 0; kill < 3; kill++) {
      long acknowledged = committed + killedAfter(url, random.nextInt(150));
      long found = oneValue(url, seed);
      assertThat(found)
          .as("seed %d, kill %d", seed, kill)
          .isBetween(acknowledged, acknowledged + 1);
      committed = found;
    }
  }

  private static void load(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      connection.createStatement().execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v BIGINT)");
      connection.setAutoCommit(false);
      try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?, 0)")) {
        for (int i = 0; i < ROWS; i++) {
          insert.setInt(1, i);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      connection.commit();
    }
  }

  /** Runs the child until some commits and then a random time have passed; gives its commits. */
  private static long killedAfter(String url, int extraMillis)
      throws IOException, InterruptedException {
    Process child =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path")),
                    UpdatingChild.class.getName(),
                    url))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    long acknowledged = 0;
    try (BufferedReader out = child.inputReader(StandardCharsets.UTF_8)) {
      while (acknowledged < 3 && out.readLine() != null) {
        acknowledged++;
      }
      assertThat(acknowledged).as("commits before the child ended by itself").isEqualTo(3);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(extraMillis));
      // Through the handle, for Process.destroyForcibly also closes the pipe with the last lines.
      child.toHandle().destroyForcibly();
      while (out.readLine() != null) {
        acknowledged++;
      }
    }
    child.waitFor();
    return acknowledged;
  }

  private static long oneValue(String url, long seed) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT min(v), max(v), count(*) FROM t WHERE MOD(id, 10) = 3")) {
      row.next();
      assertThat(row.getLong(1)).as("seed %d", seed).isEqualTo(row.getLong(2));
      assertThat(row.getLong(3)).isEqualTo(ROWS / 10);
      long value = row.getLong(1);
      try (ResultSet others =
          statement.executeQuery("SELECT count(*), max(v) FROM t WHERE MOD(id, 10) <> 3")) {
        others.next();
        assertThat(others.getLong(1)).isEqualTo(ROWS - ROWS / 10);
        assertThat(others.getLong(2)).isZero();
      }
      return value;
    }
  }
}
