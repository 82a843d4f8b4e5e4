package io.gpdb.bench.tpcc;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.ScratchOption;
import io.gpdb.bench.harness.Spread;
import io.gpdb.bench.peers.Peer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** TPC-C's transactions on gpDB, and with --peers on other databases in the same run. */
@Command(
    name = "tpcc",
    mixinStandardHelpOptions = true,
    description = "The five transactions of TPC-C, and what must hold after them.")
public final class TpccCommand implements Callable<Integer> {
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final int STATEMENTS_SHOWN = 20;
  private static final int SHOWN_LENGTH = 76;

  @Option(
      names = "--warehouses",
      defaultValue = "1",
      converter = Count.One.class,
      description = "How many warehouses (default: ${DEFAULT-VALUE}).")
  private int warehouses = 1;

  @Option(
      names = "--connections",
      defaultValue = "1",
      converter = Count.One.class,
      description = "How many terminals (default: ${DEFAULT-VALUE}).")
  private int connections = 1;

  @Option(
      names = "--seconds",
      defaultValue = "5",
      converter = Count.One.class,
      description = "How long a round takes (default: ${DEFAULT-VALUE}).")
  private int seconds = 5;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      converter = Count.One.class,
      description = "Counted rounds, after one that is not (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--small",
      description = "100 items and 30 customers instead of the specification's numbers.")
  private boolean small;

  @Option(
      names = "--peers",
      description = "Also H2, HSQLDB and SQLite, whose drivers are on the class path.")
  private boolean peers;

  @Mixin private final ScratchOption scratchFolder = new ScratchOption();

  @Override
  public Integer call() throws SQLException, IOException {
    Scale scale = small ? new Scale(warehouses, 100, 30) : Scale.full(warehouses);
    Map<TpccDatabase, TpccRun> runs = new LinkedHashMap<>();
    try (ScratchDirectory scratch = scratchFolder.open()) {
      try {
        for (Peer peer : contestants()) {
          Path directory = Files.createDirectories(scratch.fresh());
          TpccDatabase database = new TpccDatabase(peer, directory);
          if (peer.hasDriver()) {
            runs.put(database, new TpccRun(database, scale, connections, 1));
          } else {
            System.out.println(peer.label() + ": its driver is not on the class path");
          }
        }
        return measure(runs);
      } finally {
        for (TpccRun run : runs.values()) {
          run.close();
        }
      }
    }
  }

  private List<Peer> contestants() {
    List<Peer> contestants = new ArrayList<>(List.of(Peer.GPDB));
    if (peers) {
      contestants.addAll(TpccDatabase.PEERS);
    }
    return contestants;
  }

  /** Rounds of all databases in turn; the first is not counted. Returns 1 where one is wrong. */
  private int measure(Map<TpccDatabase, TpccRun> runs) throws SQLException {
    Map<TpccDatabase, List<TpccRun.Outcome>> outcomes = new LinkedHashMap<>();
    for (int round = 0; round <= rounds; round++) {
      for (Map.Entry<TpccDatabase, TpccRun> run : runs.entrySet()) {
        TpccRun.Outcome outcome = run.getValue().run(seconds * NANOS_PER_SECOND);
        if (round == 0) {
          run.getValue().forgetCosts();
        } else {
          outcomes.computeIfAbsent(run.getKey(), d -> new ArrayList<>()).add(outcome);
        }
      }
    }
    report(outcomes);
    int wrong = 0;
    for (Map.Entry<TpccDatabase, TpccRun> run : runs.entrySet()) {
      List<Integer> violated = TpccConsistency.violated(run.getValue().owner());
      System.out.println(
          run.getKey().name()
              + ": "
              + run.getKey().peer().durability()
              + "; "
              + (violated.isEmpty()
                  ? "conditions 1 to 4 hold"
                  : "conditions that do not hold: " + violated));
      wrong |= violated.isEmpty() ? 0 : 1;
    }
    statements(runs);
    return wrong;
  }

  private static void report(Map<TpccDatabase, List<TpccRun.Outcome>> outcomes) {
    AlignedTable table =
        new AlignedTable("database", "tx/s", "min", "max", "new orders/min", "conflicts/commit");
    outcomes.forEach(
        (database, all) -> {
          Spread rate =
              Spread.of(all.stream().map(TpccRun.Outcome::transactionsPerSecond).toList());
          Spread orders = Spread.of(all.stream().map(TpccRun.Outcome::newOrdersPerMinute).toList());
          Spread conflicts = Spread.of(all.stream().map(TpccRun.Outcome::conflicts).toList());
          table.row(
              database.name(),
              AlignedTable.scaled(rate.median()),
              AlignedTable.scaled(rate.min()),
              AlignedTable.scaled(rate.max()),
              AlignedTable.scaled(orders.median()),
              AlignedTable.significant(conflicts.median()));
        });
    table.print(System.out);
  }

  /** The statements that take gpDB the most time altogether, and the medians of all databases. */
  private static void statements(Map<TpccDatabase, TpccRun> runs) {
    List<String> names = new ArrayList<>(List.of("times", "mean µs"));
    runs.keySet().forEach(database -> names.add(database.name() + " median"));
    names.add("statement");
    AlignedTable table = new AlignedTable(names.toArray(String[]::new));
    List<Map<String, StatementCost>> costs = runs.values().stream().map(TpccRun::costs).toList();
    costs.getFirst().entrySet().stream()
        .sorted(
            Comparator.comparingLong(
                    (Map.Entry<String, StatementCost> entry) -> entry.getValue().nanos())
                .reversed())
        .limit(STATEMENTS_SHOWN)
        .forEach(entry -> table.row(cells(entry.getKey(), entry.getValue(), costs)));
    table.print(System.out);
  }

  private static String[] cells(
      String sql, StatementCost first, List<Map<String, StatementCost>> costs) {
    List<String> cells = new ArrayList<>();
    cells.add(Long.toString(first.count()));
    cells.add(AlignedTable.significant(first.meanMicros()));
    for (Map<String, StatementCost> own : costs) {
      StatementCost cost = own.get(sql);
      cells.add(cost == null ? "" : AlignedTable.significant(cost.medianMicros()));
    }
    cells.add(sql.substring(0, Math.min(SHOWN_LENGTH, sql.length())));
    return cells.toArray(String[]::new);
  }
}
