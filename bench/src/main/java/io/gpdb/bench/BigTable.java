package io.gpdb.bench;

import io.gpdb.bench.harness.MachineLimits;
import io.gpdb.bench.harness.PaperTable;
import io.gpdb.bench.harness.Spread;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Bulk UPDATE, filtered aggregate and opening of one large table. */
final class BigTable {
  private static final int SCANS_PER_ROUND = 20;

  private final Path directory;
  private final int rows;
  private final int rounds;

  BigTable(Path directory, int rows, int rounds) {
    this.directory = directory;
    this.rows = rows;
    this.rounds = rounds;
  }

  void run(List<SpeedCommand.Figure> figures) throws SQLException {
    List<Double> updates = new ArrayList<>();
    List<Double> scans = new ArrayList<>();
    List<Double> opens = new ArrayList<>();
    String url = "jdbc:gpdb:" + directory;
    double loadSeconds;
    try (Connection connection = DriverManager.getConnection(url)) {
      PaperTable.create(connection);
      loadSeconds = PaperTable.load(connection, rows, 200_000, InsertUpdateRun.SEED);
      for (int round = 0; round <= rounds; round++) {
        double update = update(connection, round);
        double scan = scan(connection);
        if (round > 0) {
          updates.add(update);
          scans.add(scan);
        }
      }
    }
    for (int round = 0; round < rounds; round++) {
      opens.add(open(url));
    }
    figures.add(
        new SpeedCommand.Figure(
            "INSERT of the large table, 200 000 rows a transaction",
            "rows/s",
            Spread.of(rows / loadSeconds),
            Double.NaN,
            true));
    figures.add(
        new SpeedCommand.Figure(
            "UPDATE of 5% of the large table", "scanned rows/s", Spread.of(updates), 1e8, true));
    figures.add(
        new SpeedCommand.Figure(
            "count and sum with a filter", "rows/s", Spread.of(scans), 5e8, true));
    figures.add(
        new SpeedCommand.Figure("open after a clean close", "s", Spread.of(opens), 1.0, false));
  }

  private double update(Connection connection, int round) throws SQLException {
    int low = PaperTable.UNIFORM_BOUND / 20 * (round % 20);
    try (Statement statement = connection.createStatement()) {
      long start = System.nanoTime();
      long changed =
          statement.executeLargeUpdate(
              "UPDATE test SET normali5 = normali5 + 1 WHERE uniformi >= "
                  + low
                  + " AND uniformi < "
                  + (low + PaperTable.UNIFORM_BOUND / 20));
      double seconds = MachineLimits.seconds(start);
      if (Math.abs(changed - rows / 20.0) > rows / 200.0) {
        throw new IllegalStateException("the UPDATE changed " + changed + " of " + rows + " rows");
      }
      return rows / seconds;
    }
  }

  private double scan(Connection connection) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT count(*), sum(normali20) FROM test WHERE uniformi < ?")) {
      long start = System.nanoTime();
      for (int i = 0; i < SCANS_PER_ROUND; i++) {
        select.setInt(1, 100_000 + i * 40_000);
        try (ResultSet row = select.executeQuery()) {
          row.next();
          if (row.getLong(1) <= 0 || row.getLong(2) <= 0) {
            throw new IllegalStateException("the scan found no row");
          }
        }
      }
      return (double) rows * SCANS_PER_ROUND / MachineLimits.seconds(start);
    }
  }

  private double open(String url) throws SQLException {
    long start = System.nanoTime();
    try (Connection connection = DriverManager.getConnection(url);
        PreparedStatement select =
            connection.prepareStatement("SELECT uniformi FROM test WHERE id = ?")) {
      select.setInt(1, rows / 2);
      try (ResultSet row = select.executeQuery()) {
        if (!row.next()) {
          throw new IllegalStateException("the reopened table lost a row");
        }
      }
      return MachineLimits.seconds(start);
    }
  }
}
