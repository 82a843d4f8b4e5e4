package io.gpdb.bench;

import io.gpdb.bench.harness.MachineLimits;
import io.gpdb.bench.harness.PaperTable;
import io.gpdb.bench.harness.Spread;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** INSERT, UPDATE and SELECT by key; 10 000 rows a transaction, binding of values included. */
final class KeyedBatches {
  private static final int BATCH_ROWS = 10_000;
  private static final int ROWS_PER_ROUND = 500_000;
  private static final int LOOKUPS_PER_ROUND = 500_000;

  private final Path directory;
  private final int rounds;

  KeyedBatches(Path directory, int rounds) {
    this.directory = directory;
    this.rounds = rounds;
  }

  void run(List<SpeedCommand.Figure> figures) throws SQLException {
    List<Double> inserts = new ArrayList<>();
    List<Double> updates = new ArrayList<>();
    List<Double> selects = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + directory)) {
      PaperTable.create(connection);
      connection.setAutoCommit(false);
      int filled = 0;
      for (int round = 0; round <= rounds; round++) {
        double insert = insert(connection, filled);
        filled += ROWS_PER_ROUND;
        double update = update(connection, filled);
        double select = select(connection, filled);
        if (round > 0) {
          inserts.add(insert);
          updates.add(update);
          selects.add(select);
        }
      }
    }
    figures.add(
        new SpeedCommand.Figure(
            "executeBatch INSERT with key, 10 000 rows a transaction",
            "rows/s",
            Spread.of(inserts),
            1.5e6,
            true));
    figures.add(
        new SpeedCommand.Figure(
            "executeBatch UPDATE by key, 10 000 rows a transaction",
            "rows/s",
            Spread.of(updates),
            1e6,
            true));
    figures.add(
        new SpeedCommand.Figure(
            "SELECT by key, prepared", "selects/s", Spread.of(selects), 3e5, true));
  }

  private static double insert(Connection connection, int firstId) throws SQLException {
    long start = System.nanoTime();
    try (PreparedStatement insert = connection.prepareStatement(PaperTable.INSERT)) {
      for (int at = 0; at < ROWS_PER_ROUND; at += BATCH_ROWS) {
        PaperTable.fill(insert, firstId + at, BATCH_ROWS, InsertUpdateRun.SEED);
        insert.executeBatch();
        connection.commit();
      }
    }
    return ROWS_PER_ROUND / MachineLimits.seconds(start);
  }

  private static double update(Connection connection, int filled) throws SQLException {
    SplittableRandom random = new SplittableRandom(filled);
    long start = System.nanoTime();
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE test SET normali20 = ?, uniformf = ? WHERE id = ?")) {
      for (int at = 0; at < ROWS_PER_ROUND; at += BATCH_ROWS) {
        for (int i = 0; i < BATCH_ROWS; i++) {
          update.setInt(1, i);
          update.setFloat(2, i);
          update.setInt(3, random.nextInt(filled));
          update.addBatch();
        }
        update.executeBatch();
        connection.commit();
      }
    }
    return ROWS_PER_ROUND / MachineLimits.seconds(start);
  }

  private static double select(Connection connection, int filled) throws SQLException {
    SplittableRandom random = new SplittableRandom(filled);
    long wrong = 0;
    long start = System.nanoTime();
    try (PreparedStatement select =
        connection.prepareStatement("SELECT id, uniformi, normalf20 FROM test WHERE id = ?")) {
      for (int i = 0; i < LOOKUPS_PER_ROUND; i++) {
        int id = random.nextInt(filled);
        select.setInt(1, id);
        try (var row = select.executeQuery()) {
          if (!row.next() || row.getInt(1) != id || row.getInt(2) < 0) {
            wrong++;
          }
        }
      }
    }
    double seconds = MachineLimits.seconds(start);
    connection.commit();
    if (wrong > 0) {
      throw new IllegalStateException(wrong + " look-ups by key returned a wrong row");
    }
    return LOOKUPS_PER_ROUND / seconds;
  }
}
