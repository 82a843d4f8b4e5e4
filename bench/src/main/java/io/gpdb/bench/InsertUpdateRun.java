package io.gpdb.bench;

import io.gpdb.bench.harness.MachineLimits;
import io.gpdb.bench.harness.PaperTable;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.Statistics;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * One round of the paper's workload for one contestant: INSERT of all rows as one batch and one
 * transaction, UPDATE of 5% of them, then each again in a process that dies before the commit.
 */
final class InsertUpdateRun {
  static final long SEED = 20220228;

  /**
   * What one round showed; times in seconds.
   *
   * @param updatedRows rows the UPDATE changed
   * @param insertRestore recovery when reopening after a crash just before the INSERT's commit
   */
  record Round(
      double insertSeconds,
      double updateSeconds,
      long updatedRows,
      long insertBytes,
      long updateBytes,
      long insertDrains,
      long updateDrains,
      double insertRestore,
      double updateRestore) {}

  private final Contestant contestant;
  private final int rows;
  private final ScratchDirectory scratch;
  private final boolean crashes;

  InsertUpdateRun(Contestant contestant, int rows, ScratchDirectory scratch, boolean crashes) {
    this.contestant = contestant;
    this.rows = rows;
    this.scratch = scratch;
    this.crashes = crashes;
  }

  Round run() throws SQLException, IOException, InterruptedException {
    Path directory = scratch.fresh();
    String url = contestant.url(directory.toString());
    Measured insert;
    Measured update;
    try (Connection connection = DriverManager.getConnection(url)) {
      PaperTable.create(connection);
      insert = insert(connection);
      // The checkpoint between the two keeps the INSERT's bytes out of the UPDATE's figures.
      execute(connection, "CHECKPOINT");
      update = update(connection);
      verify(connection, update.rows);
    }
    double insertRestore = Double.NaN;
    double updateRestore = Double.NaN;
    if (crashes) {
      CrashChild.run(url, rows, "update");
      updateRestore = restoreSeconds(url);
      ScratchDirectory.delete(directory);
      CrashChild.run(url, rows, "insert");
      insertRestore = restoreSeconds(url);
    }
    ScratchDirectory.delete(directory);
    return new Round(
        insert.seconds,
        update.seconds,
        update.rows,
        insert.bytes,
        update.bytes,
        insert.drains,
        update.drains,
        insertRestore,
        updateRestore);
  }

  private record Measured(double seconds, long rows, long bytes, long drains) {}

  private Measured insert(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (PreparedStatement insert = connection.prepareStatement(PaperTable.INSERT)) {
      PaperTable.fill(insert, 0, rows, SEED);
      Statistics before = Statistics.read(connection);
      long start = System.nanoTime();
      insert.executeBatch();
      connection.commit();
      double seconds = MachineLimits.seconds(start);
      return measured(connection, before, seconds, rows);
    } finally {
      connection.setAutoCommit(true);
    }
  }

  private static Measured update(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      Statistics before = Statistics.read(connection);
      long start = System.nanoTime();
      long changed = statement.executeLargeUpdate(PaperTable.UPDATE_FIVE_PERCENT);
      double seconds = MachineLimits.seconds(start);
      return measured(connection, before, seconds, changed);
    }
  }

  private static Measured measured(
      Connection connection, Statistics before, double seconds, long rows) throws SQLException {
    Statistics after = Statistics.read(connection);
    return new Measured(
        seconds, rows, after.since(before, "bytes_persisted"), after.since(before, "drains"));
  }

  private void verify(Connection connection, long updatedRows) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*), count(DISTINCT id), min(id), max(id) FROM test")) {
      row.next();
      if (row.getLong(1) != rows
          || row.getLong(2) != rows
          || row.getInt(3) != 0
          || row.getInt(4) != rows - 1
          || updatedRows <= 0) {
        throw new IllegalStateException(
            contestant.label() + ": the table does not hold what was inserted");
      }
    }
  }

  private static double restoreSeconds(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      return Statistics.read(connection).value("recovery_nanos") / 1e9;
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
