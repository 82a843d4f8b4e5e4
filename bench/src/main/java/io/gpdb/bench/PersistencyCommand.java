package io.gpdb.bench;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.JsonOption;
import io.gpdb.bench.harness.MachineLimits;
import io.gpdb.bench.harness.PaperTable;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.ScratchOption;
import io.gpdb.bench.harness.Spread;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
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

/**
 * The same changes by every protocol that promises atomicity, in turns: what auto chooses among.
 */
@Command(
    name = "persistency",
    mixinStandardHelpOptions = true,
    description = "Small and large changes by every protocol, and what the medium costs.")
final class PersistencyCommand implements Callable<Integer> {
  private static final List<String> PROTOCOLS =
      List.of("redo", "undo", "versioned", "checksummed", "auto");
  private static final int KEYED = 50;

  @Option(
      names = "--rows",
      defaultValue = "524288",
      converter = Count.Twenty.class,
      description = "Rows of the table (default: ${DEFAULT-VALUE}).")
  private int rows = 524_288;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      converter = Count.One.class,
      description = "Counted rounds (default: 5).")
  private int rounds = 5;

  @Mixin private final ScratchOption scratchFolder = new ScratchOption();

  @Mixin private final JsonOption json = new JsonOption();

  /** A change, as it is acknowledged. */
  private interface Change {
    void run(Connection connection) throws SQLException;
  }

  /** What a change took, in milliseconds. */
  record Figure(String change, String protocol, Spread millis) {}

  private Map<String, Change> changes() {
    Map<String, Change> changes = new LinkedHashMap<>();
    changes.put(KEYED + " updates by key, each a transaction", this::updateByKey);
    changes.put("update of 5% of the rows", c -> execute(c, PaperTable.UPDATE_FIVE_PERCENT));
    changes.put("update of all rows", c -> execute(c, "UPDATE test SET normali5 = normali5 + 1"));
    changes.put(
        "insert of a quarter as many rows",
        c -> {
          int added = rows / 4;
          PaperTable.loadFrom(c, rows, added, InsertUpdateRun.SEED);
        });
    changes.put("delete of these", c -> execute(c, "DELETE FROM test WHERE id >= " + rows));
    return changes;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  private void updateByKey(Connection connection) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE test SET normali5 = ? WHERE id = ?")) {
      for (int i = 0; i < KEYED; i++) {
        update.setInt(1, i);
        update.setInt(2, (int) (i * 7919L % rows));
        update.executeUpdate();
      }
    }
  }

  @Override
  public Integer call() throws SQLException, IOException {
    Map<String, Map<String, List<Double>>> taken = new LinkedHashMap<>();
    MachineLimits limits;
    try (ScratchDirectory scratch = scratchFolder.open()) {
      limits = MachineLimits.measure(scratch.root());
      Map<String, Connection> databases = new LinkedHashMap<>();
      try {
        for (String protocol : PROTOCOLS) {
          String url = "jdbc:gpdb:" + scratch.fresh() + ";protocol=" + protocol;
          Connection connection = DriverManager.getConnection(url);
          databases.put(protocol, connection);
          PaperTable.create(connection);
          PaperTable.load(connection, rows, rows, InsertUpdateRun.SEED);
        }
        for (int round = 0; round <= rounds; round++) {
          measure(databases, taken, round > 0);
        }
      } finally {
        for (Connection connection : databases.values()) {
          connection.close();
        }
      }
    }
    report(taken, limits);
    return 0;
  }

  private void measure(
      Map<String, Connection> databases,
      Map<String, Map<String, List<Double>>> taken,
      boolean counted)
      throws SQLException {
    for (Map.Entry<String, Change> change : changes().entrySet()) {
      for (Map.Entry<String, Connection> database : databases.entrySet()) {
        long start = System.nanoTime();
        change.getValue().run(database.getValue());
        double millis = MachineLimits.seconds(start) * 1e3;
        if (counted) {
          taken
              .computeIfAbsent(change.getKey(), c -> new LinkedHashMap<>())
              .computeIfAbsent(database.getKey(), p -> new ArrayList<>())
              .add(millis);
        }
      }
    }
  }

  private void report(Map<String, Map<String, List<Double>>> taken, MachineLimits limits)
      throws IOException {
    List<Figure> figures = new ArrayList<>();
    AlignedTable table = new AlignedTable("change", "protocol", "median ms", "min", "max");
    taken.forEach(
        (change, protocols) ->
            protocols.forEach(
                (protocol, values) -> {
                  Spread spread = Spread.of(values);
                  figures.add(new Figure(change, protocol, spread));
                  table.row(
                      change,
                      protocol,
                      AlignedTable.significant(spread.median()),
                      AlignedTable.significant(spread.min()),
                      AlignedTable.significant(spread.max()));
                }));
    table.print(System.out);
    System.out.printf(
        "the medium: %s ns for a sync, %s ns for 1 KiB written in bulk%n",
        AlignedTable.scaled(1e9 / limits.syncsPerSecond().median()),
        AlignedTable.scaled(1024e9 / limits.bytesPerSecond().median()));
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("workload", "persistency");
    all.put("rows", rows);
    all.put("limits", limits);
    all.put("figures", figures);
    json.write(all);
  }
}
