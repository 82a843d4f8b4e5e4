package io.gpdb.bench.device;

import static io.gpdb.bench.device.DeviceFigures.millisSince;
import static io.gpdb.bench.device.DeviceFigures.rate;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Count and sum of half of very many rows of two INTEGER columns in a database in memory: how much
 * of the memory's bandwidth a scan has.
 */
final class ManyRows {
  private static final long INSERT_ROWS = 50_000_000;
  private static final int RUNS = 60;
  private static final long ROW_BYTES = 8;

  private final String device;
  private final long rows;
  private final DeviceFigures figures;

  ManyRows(String device, long rows, DeviceFigures figures) {
    this.device = device;
    this.rows = rows;
    this.figures = figures;
  }

  void run() throws SQLException {
    if (rows == 0) {
      return;
    }
    try (Connection connection =
            DriverManager.getConnection("jdbc:gpdb:mem:counted;device=" + device);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE counted (a INTEGER, b INTEGER)");
      insert(statement);
      count(statement);
    }
  }

  private void insert(Statement statement) throws SQLException {
    List<Double> rates = new ArrayList<>();
    for (long at = 0; at < rows; at += INSERT_ROWS) {
      long n = Math.min(INSERT_ROWS, rows - at);
      long start = System.nanoTime();
      statement.executeLargeUpdate(
          "INSERT INTO counted SELECT CAST(MOD(v, 1000) AS INTEGER), CAST(MOD(v * 7919, 1000000) AS"
              + " INTEGER) FROM TABLE(GENERATE_SERIES(CAST(%d AS BIGINT), CAST(%d AS BIGINT))) AS s(v)"
                  .formatted(at + 1, at + n));
      rates.add(rate(n, millisSince(start)));
    }
    figures.add("INSERT from GENERATE_SERIES of two columns, in memory", "rows/s", rates);
  }

  private void count(Statement statement) throws SQLException {
    List<Double> times = new ArrayList<>();
    List<Double> rates = new ArrayList<>();
    for (int run = 0; run < RUNS; run++) {
      long start = System.nanoTime();
      try (ResultSet row =
          statement.executeQuery("SELECT count(*), sum(a) FROM counted WHERE b < 500000")) {
        row.next();
        if (run >= RUNS / 2) {
          double millis = millisSince(start);
          times.add(millis);
          rates.add(rate(rows * ROW_BYTES, millis));
        }
        if (Math.abs(row.getLong(1) - rows / 2.0) > rows / 20.0) {
          throw new IllegalStateException("counted " + row.getLong(1) + " of " + rows);
        }
      }
    }
    String name = "count and sum, half of %,d rows pass".formatted(rows);
    figures.add(name, "ms", times);
    figures.add(name, "bytes/s", rates);
  }
}
