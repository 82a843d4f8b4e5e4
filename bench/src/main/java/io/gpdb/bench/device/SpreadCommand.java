package io.gpdb.bench.device;

import static io.gpdb.bench.device.DeviceFigures.millisSince;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.JsonOption;
import io.gpdb.bench.harness.Spread;
import io.gpdb.bench.harness.Statistics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.zip.CRC32C;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Statements over a table of very many tablets, on one device or on several as one: their times,
 * and a checksum of each answer, which is the same on any number of devices.
 */
@Command(
    name = "spread-statements",
    mixinStandardHelpOptions = true,
    description = "Queries and UPDATEs over a large table in memory, on one device or several.")
public final class SpreadCommand implements Callable<Integer> {
  private static final long INSERT_ROWS = 10_000_000;

  /** A statement that takes long is run fewer times, but so often at least. */
  private static final int ROUNDS_MIN = 4;

  private static final double MILLIS_MAX = 1500;

  private record Asked(String name, String sql) {}

  private static final List<Asked> ASKED =
      List.of(
          new Asked(
              "count and sum, half of the rows pass",
              "SELECT count(*), sum(a) FROM t WHERE b < 100"),
          new Asked(
              "sum, avg, min and max of DOUBLE PRECISION, three quarters pass",
              "SELECT sum(f), avg(f), min(f), max(f) FROM t WHERE b < 150"),
          new Asked(
              "sum of a product, min, max",
              "SELECT sum(CAST(a AS BIGINT) * b), min(k), max(k) FROM t"),
          new Asked(
              "GROUP BY INTEGER, 200 groups",
              "SELECT b, count(*), sum(a) FROM t GROUP BY b ORDER BY b"),
          new Asked(
              "GROUP BY VARCHAR, 4 groups",
              "SELECT s, count(*), min(a), max(k), sum(f) FROM t GROUP BY s ORDER BY s"),
          new Asked(
              "GROUP BY INTEGER, 1 000 003 groups, counted",
              "SELECT count(*), sum(n) FROM (SELECT a, count(*) AS n FROM t GROUP BY a) AS x"),
          new Asked("LIKE on 4 distinct strings", "SELECT count(*) FROM t WHERE s LIKE '%th'"),
          new Asked("ORDER BY … LIMIT 10", "SELECT k, a FROM t ORDER BY a DESC, k LIMIT 10"),
          new Asked("rows of a filter of 0.05%", "SELECT k, a FROM t WHERE b = 3 AND a < 100000"),
          new Asked(
              "join with every 2000th row by an equal value, count and sum",
              "SELECT count(*), sum(x.b) FROM t x JOIN t y ON x.a = y.a"
                  + " WHERE x.b < 20 AND MOD(y.k, 2000) = 7"),
          new Asked("UPDATE of 5%, one column", "UPDATE t SET f = k WHERE b < 10"),
          new Asked(
              "GROUP BY INTEGER after the UPDATEs, 20 groups",
              "SELECT b, sum(f) FROM t WHERE b < 20 GROUP BY b ORDER BY b"));

  @Option(
      names = "--rows",
      defaultValue = "200000000",
      description = "Rows of the table (default: ${DEFAULT-VALUE}).")
  private long rows;

  @Option(
      names = "--rounds",
      defaultValue = "40",
      converter = Count.One.class,
      description =
          "Runs of each statement, at most; the later half counts (default: ${DEFAULT-VALUE}).")
  private int rounds = 40;

  @Option(
      names = "--device",
      defaultValue = "emulated",
      description = "Of the URL, as cuda:0,1 (default: ${DEFAULT-VALUE}).")
  private String device = "emulated";

  @Mixin private final JsonOption json = new JsonOption();

  /**
   * One statement.
   *
   * @param answer a checksum of the first run's answer
   */
  record Figure(String name, String sql, String answer, Spread millis) {}

  private final List<Figure> figures = new ArrayList<>();

  @Override
  public Integer call() throws SQLException, IOException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:gpdb:mem:spread;device=" + device);
        Statement statement = connection.createStatement()) {
      String on = Statistics.setting(connection, "device");
      System.out.printf("%s, %,d rows; statement: median in ms (least to greatest)%n", on, rows);
      insert(statement, on);
      for (Asked asked : ASKED) {
        measure(statement, asked, on);
      }
    }
    return 0;
  }

  private void insert(Statement statement, String on) throws SQLException, IOException {
    statement.execute(
        "CREATE TABLE t (k INTEGER, a INTEGER, b INTEGER, f DOUBLE PRECISION, s VARCHAR(10))");
    long start = System.nanoTime();
    for (long at = 0; at < rows; at += INSERT_ROWS) {
      statement.executeLargeUpdate(
          "INSERT INTO t SELECT CAST(v AS INTEGER), CAST(MOD(v * 7919, 1000003) AS INTEGER),"
              + " CAST(MOD(v * 31, 200) AS INTEGER), CAST(MOD(v, 977) AS DOUBLE PRECISION) / 8,"
              + " CASE MOD(v, 4) WHEN 0 THEN 'north' WHEN 1 THEN 'south' WHEN 2 THEN 'east'"
              + " ELSE 'west' END"
              + " FROM TABLE(GENERATE_SERIES(CAST(%d AS BIGINT), CAST(%d AS BIGINT))) AS s(v)"
                  .formatted(at + 1, Math.min(at + INSERT_ROWS, rows)));
    }
    add(new Figure("INSERT of all rows", "", "", Spread.of(millisSince(start))), on);
  }

  private void measure(Statement statement, Asked asked, String on)
      throws SQLException, IOException {
    String answer = answer(statement, asked.sql());
    List<Double> times = new ArrayList<>();
    long first = System.nanoTime();
    while (times.size() < rounds
        && (times.size() < ROUNDS_MIN || millisSince(first) < MILLIS_MAX)) {
      long start = System.nanoTime();
      if (statement.execute(asked.sql())) {
        try (ResultSet result = statement.getResultSet()) {
          while (result.next()) {
            var _ = result.getObject(1);
          }
        }
      }
      times.add(millisSince(start));
    }
    List<Double> later = times.subList(times.size() / 2, times.size());
    add(new Figure(asked.name(), asked.sql(), answer, Spread.of(later)), on);
  }

  private static String answer(Statement statement, String sql) throws SQLException {
    CRC32C sum = new CRC32C();
    long rows = 0;
    if (statement.execute(sql)) {
      try (ResultSet result = statement.getResultSet()) {
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
          for (int column = 1; column <= columns; column++) {
            sum.update((result.getString(column) + "|").getBytes(StandardCharsets.UTF_8));
          }
          rows++;
        }
      }
    } else {
      rows = statement.getLargeUpdateCount();
    }
    return "%d rows, %08x".formatted(rows, sum.getValue());
  }

  /** Tells what there is so far: the process may be ended before it is through. */
  private void add(Figure figure, String on) throws IOException {
    figures.add(figure);
    System.out.printf(
        "%s: %s (%s to %s) %s%n",
        figure.name(),
        AlignedTable.significant(figure.millis().median()),
        AlignedTable.significant(figure.millis().min()),
        AlignedTable.significant(figure.millis().max()),
        figure.answer());
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("workload", "spread-statements");
    report.put("rows", rows);
    report.put("device", on);
    report.put("figures", figures);
    json.write(report);
  }
}
