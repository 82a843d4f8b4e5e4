package io.gpdb.bench.device;

import static io.gpdb.bench.device.DeviceFigures.millisSince;

import io.gpdb.bench.harness.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * TPC-H's Q1 and Q6 over as many line items as asked for: the seven columns that these queries
 * read, with values as many and as frequent as TPC-H's, made by SQL, for the whole database of a
 * large scale factor takes minutes to make.
 */
final class LineItems {
  private static final int INSERT_ROWS = 10_000_000;
  private static final int RUNS = 40;

  private static final String Q1 =
      "SELECT l_returnflag, l_linestatus, SUM(l_quantity), SUM(l_extendedprice),"
          + " SUM(l_extendedprice * (1 - l_discount)),"
          + " SUM(l_extendedprice * (1 - l_discount) * (1 + l_tax)), AVG(l_quantity),"
          + " AVG(l_extendedprice), AVG(l_discount), COUNT(*) FROM lineitem"
          + " WHERE l_shipdate <= DATE '1998-12-01' - INTERVAL '90' DAY"
          + " GROUP BY l_returnflag, l_linestatus ORDER BY l_returnflag, l_linestatus";
  private static final String Q6 =
      "SELECT SUM(l_extendedprice * l_discount) FROM lineitem"
          + " WHERE l_shipdate >= DATE '1994-01-01'"
          + " AND l_shipdate < DATE '1994-01-01' + INTERVAL '1' YEAR"
          + " AND l_discount BETWEEN 0.06 - 0.01 AND 0.06 + 0.01 AND l_quantity < 24";

  private final String device;
  private final int rows;
  private final ScratchDirectory scratch;
  private final DeviceFigures figures;

  LineItems(String device, int rows, ScratchDirectory scratch, DeviceFigures figures) {
    this.device = device;
    this.rows = rows;
    this.scratch = scratch;
    this.figures = figures;
  }

  void run() throws SQLException, IOException {
    Path directory = scratch.fresh();
    String url = "jdbc:gpdb:%s;device=%s".formatted(directory, device);
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      load(statement);
      measure(statement, "Q1", Q1);
      measure(statement, "Q6", Q6);
    }
    ScratchDirectory.delete(directory);
  }

  private void load(Statement statement) throws SQLException {
    statement.execute(
        "CREATE TABLE lineitem (l_quantity DECIMAL(15, 2), l_extendedprice DECIMAL(15, 2),"
            + " l_discount DECIMAL(15, 2), l_tax DECIMAL(15, 2), l_returnflag VARCHAR(1),"
            + " l_linestatus VARCHAR(1), l_shipdate DATE)");
    for (int at = 0; at < rows; at += INSERT_ROWS) {
      int n = Math.min(INSERT_ROWS, rows - at);
      // The day of row v is spread by a prime; what was sent by mid 1995 has arrived.
      statement.executeUpdate(
          "INSERT INTO lineitem SELECT CAST(1 + MOD(CAST(v AS BIGINT) * 31, 50) AS DECIMAL(15, 2)),"
              + " CAST(900 + MOD(CAST(v AS BIGINT) * 7919, 104000) AS DECIMAL(15, 2)),"
              + " CAST(MOD(CAST(v AS BIGINT) * 17, 11) * 0.01 AS DECIMAL(15, 2)),"
              + " CAST(MOD(CAST(v AS BIGINT) * 13, 9) * 0.01 AS DECIMAL(15, 2)),"
              + " CASE WHEN d >= 1263 THEN 'N' WHEN MOD(v, 2) = 0 THEN 'A' ELSE 'R' END,"
              + " CASE WHEN d >= 1263 THEN 'O' ELSE 'F' END,"
              + " DATE '1992-01-02' + CAST(d AS INTEGER) * INTERVAL '1' DAY"
              + " FROM (SELECT v, MOD(CAST(v AS BIGINT) * 104729, 2526) AS d"
              + " FROM TABLE(GENERATE_SERIES(%d, %d)) AS s(v)) AS made"
                  .formatted(at + 1L, (long) at + n));
    }
  }

  private void measure(Statement statement, String name, String sql) throws SQLException {
    List<Double> times = new ArrayList<>();
    for (int run = 0; run < RUNS; run++) {
      long start = System.nanoTime();
      int found = 0;
      try (ResultSet row = statement.executeQuery(sql)) {
        while (row.next()) {
          found++;
        }
      }
      if (run >= RUNS / 2) {
        times.add(millisSince(start));
      }
      if (found == 0) {
        throw new IllegalStateException(name + " found no row");
      }
    }
    figures.add("TPC-H %s, %,d line items".formatted(name, rows), "ms", times);
  }
}
