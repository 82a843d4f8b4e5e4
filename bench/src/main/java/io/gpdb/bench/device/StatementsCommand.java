package io.gpdb.bench.device;

import io.gpdb.bench.device.TriedStatements.Tried;
import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.JsonOption;
import io.gpdb.bench.harness.MachineLimits;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.ScratchOption;
import io.gpdb.bench.harness.Spread;
import io.gpdb.bench.harness.Statistics;
import java.io.IOException;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The times of a few statements of each kind over one large table, on one device. */
@Command(
    name = "statements",
    mixinStandardHelpOptions = true,
    description = "Statements of each kind over one table on a device: first runs and warm ones.")
public final class StatementsCommand implements Callable<Integer> {
  @Option(
      names = "--rows",
      defaultValue = "10000000",
      converter = Count.One.class,
      description = "Rows of the table (default: ${DEFAULT-VALUE}).")
  private int rows = 10_000_000;

  @Option(
      names = "--rounds",
      defaultValue = "7",
      converter = Count.One.class,
      description = "Warm runs of each statement that are counted (default: ${DEFAULT-VALUE}).")
  private int rounds = 7;

  @Option(
      names = "--warming",
      defaultValue = "0",
      description = "Runs of each statement that are not counted (default: ${DEFAULT-VALUE}).")
  private int warming;

  @Option(
      names = "--device",
      defaultValue = "emulated",
      description = "Of the URL: emulated, cuda, cuda:NUMBER (default: ${DEFAULT-VALUE}).")
  private String device = "emulated";

  @Mixin private final ScratchOption scratchFolder = new ScratchOption();

  @Mixin private final JsonOption json = new JsonOption();

  /**
   * The times of one statement.
   *
   * @param refusal why it does not run there; empty where it does
   */
  record Figure(String name, String refusal, double firstMillis, Spread millis) {}

  private final List<Figure> figures = new ArrayList<>();

  @Override
  public Integer call() throws SQLException, IOException {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("workload", "statements");
    report.put("rows", rows);
    try (ScratchDirectory scratch = scratchFolder.open()) {
      String url = "jdbc:gpdb:" + scratch.fresh() + ";device=" + device;
      try (Connection connection = DriverManager.getConnection(url)) {
        report.put("device", Statistics.setting(connection, "device"));
        long start = System.nanoTime();
        TriedStatements.load(connection, rows);
        report.put("loadedRowsPerSecond", rows / MachineLimits.seconds(start));
        for (Tried tried : TriedStatements.ALL) {
          measure(connection, tried, "");
        }
      }
      reopened(url);
    }
    report.put("figures", figures);
    print(report);
    json.write(report);
    return 0;
  }

  /** Columns that a checkpoint wrote are copied to the device when they are first read. */
  private void reopened(String url) throws SQLException {
    long start = System.nanoTime();
    try (Connection connection = DriverManager.getConnection(url)) {
      double openMillis = (System.nanoTime() - start) / 1e6;
      figures.add(new Figure("opened again", "", openMillis, Spread.of()));
      measure(connection, TriedStatements.ALL.getFirst(), ", after opening again");
    }
  }

  private void measure(Connection connection, Tried tried, String suffix) throws SQLException {
    List<Double> times = new ArrayList<>();
    String refusal = "";
    double first = Double.NaN;
    try (Statement statement = connection.createStatement()) {
      String protocol = tried.protocol().isEmpty() ? "redo" : tried.protocol();
      statement.execute("SET persistency = " + protocol);
      statement.execute("CHECKPOINT"); // or one of the changes before would run beside this one
      first = millis(statement, tried);
      for (int round = -warming; round < rounds; round++) {
        double millis = millis(statement, tried);
        if (round >= 0) {
          times.add(millis);
        }
      }
    } catch (SQLException e) {
      if (!"0A000".equals(e.getSQLState())) {
        throw e;
      }
      refusal = String.valueOf(e.getMessage());
    }
    figures.add(new Figure(tried.name() + suffix, refusal, first, Spread.of(times)));
  }

  private static double millis(Statement statement, Tried tried) throws SQLException {
    long start = System.nanoTime();
    if (tried.isQuery()) {
      try (ResultSet result = statement.executeQuery(tried.sql())) {
        while (result.next()) {
          var _ = result.getObject(1);
        }
      }
    } else {
      statement.executeUpdate(tried.sql());
    }
    return (System.nanoTime() - start) / 1e6;
  }

  private void print(Map<String, Object> report) {
    System.out.printf("%s, %,d rows%n", report.get("device"), rows);
    AlignedTable table = new AlignedTable("statement, ms", "first", "median", "min", "max");
    for (Figure figure : figures) {
      table.row(
          figure.name() + (figure.refusal().isEmpty() ? "" : ": " + figure.refusal()),
          AlignedTable.significant(figure.firstMillis()),
          AlignedTable.significant(figure.millis().median()),
          AlignedTable.significant(figure.millis().min()),
          AlignedTable.significant(figure.millis().max()));
    }
    table.print(System.out);
  }
}
