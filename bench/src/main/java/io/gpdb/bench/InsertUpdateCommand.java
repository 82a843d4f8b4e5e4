package io.gpdb.bench;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.EnumWords;
import io.gpdb.bench.harness.JsonOption;
import io.gpdb.bench.harness.MachineLimits;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.ScratchOption;
import io.gpdb.bench.harness.Spread;
import io.gpdb.bench.harness.Statistics;
import io.gpdb.txn.api.Protocol;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The paper's INSERT and UPDATE through SQL, on every protocol and baseline, interleaved. */
@Command(
    name = "insert-update",
    mixinStandardHelpOptions = true,
    description = "The GPM paper's workload: INSERT in one batch, UPDATE of 5%% of the rows.")
final class InsertUpdateCommand implements Callable<Integer> {
  @Option(
      names = "--rows",
      defaultValue = "1000000",
      converter = Count.Twenty.class,
      description = "Rows of the table (default: ${DEFAULT-VALUE}).")
  private int rows = 1_000_000;

  @Option(
      names = "--protocol",
      split = ",",
      converter = EnumWords.Protocols.class,
      description =
          "redo, undo, versioned, checksummed, cap-mm, cap-fs, or several with commas (default:"
              + " all).")
  private List<Protocol> protocols = new ArrayList<>();

  @Option(
      names = "--rounds",
      defaultValue = "3",
      converter = Count.One.class,
      description = "Counted rounds, interleaved, after one that is not counted (default: 3).")
  private int rounds = 3;

  @Mixin private final ScratchOption scratchFolder = new ScratchOption();

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws SQLException, IOException, InterruptedException {
    List<Contestant> contestants = contestants();
    try (ScratchDirectory scratch = scratchFolder.open()) {
      PrintStream out = System.out;
      String domain = domain(scratch);
      MachineLimits limits = MachineLimits.measure(scratch.root());
      Map<Contestant, List<InsertUpdateRun.Round>> results = new LinkedHashMap<>();
      for (int round = 0; round <= rounds; round++) {
        for (Contestant contestant : contestants) {
          progress(round, contestant);
          // Round 0 warms the JVM up and is thrown away; crashes are tried in the last round only.
          boolean last = round == rounds;
          InsertUpdateRun.Round result =
              new InsertUpdateRun(
                      contestant, round == 0 ? Math.min(rows, 200_000) : rows, scratch, last)
                  .run();
          if (round > 0) {
            results.computeIfAbsent(contestant, c -> new ArrayList<>()).add(result);
          }
        }
      }
      progress(-1, contestants.getFirst());
      print(out, results, domain, limits);
      json.write(report(results, domain, limits));
    }
    return 0;
  }

  private List<Contestant> contestants() {
    List<String> names =
        protocols.isEmpty()
            ? Contestant.PROTOCOLS
            : protocols.stream().map(Protocol::word).toList();
    List<Contestant> contestants = new ArrayList<>();
    for (String name : names) {
      if (!Contestant.PROTOCOLS.contains(name)) {
        throw new IllegalArgumentException(
            name + " chooses among the protocols that are measured: " + Contestant.PROTOCOLS);
      }
      Contestant contestant = Contestant.hcl(name);
      contestants.add(contestant);
      if (contestant.hasLogLayouts()) {
        contestants.add(Contestant.conventional(name));
      }
    }
    return contestants;
  }

  private static String domain(ScratchDirectory scratch) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + scratch.fresh())) {
      return Statistics.setting(connection, "persistence_domain");
    }
  }

  @SuppressWarnings("SystemConsoleNull") // null where the JDK has no console module
  private void progress(int round, Contestant contestant) {
    Console console = System.console();
    if (console == null || !console.isTerminal()) {
      return;
    }
    String text =
        round < 0 ? "" : String.format("round %d of %d: %s", round, rounds, contestant.label());
    System.err.printf("\r%-60s\r%s", "", text);
  }

  private void print(
      PrintStream out,
      Map<Contestant, List<InsertUpdateRun.Round>> results,
      String domain,
      MachineLimits limits) {
    out.printf(
        "INSERT of %,d rows in one transaction, UPDATE of 5%% of them; %d rounds, medians%n",
        rows, rounds);
    out.printf("persistence domain %s%n", domain);
    out.printf(
        "this machine: %s synced 4 KiB writes/s, %sB/s written and synced%n%n",
        AlignedTable.scaled(limits.syncsPerSecond().median()),
        AlignedTable.scaled(limits.bytesPerSecond().median()));
    statementTable(out, results, true);
    out.println();
    statementTable(out, results, false);
    out.println();
    out.println("amplification: bytes persisted against undo/hcl of the same statement");
    out.println("restore: recovery when reopening after a crash just before the commit");
    out.println("cap-mm, cap-fs: baselines, not atomic if power fails during their commit");
  }

  private void statementTable(
      PrintStream out, Map<Contestant, List<InsertUpdateRun.Round>> results, boolean insert) {
    AlignedTable table =
        new AlignedTable(
            insert ? "INSERT" : "UPDATE",
            "rows/s",
            "min",
            "max",
            insert ? "-" : "scanned/s",
            "MiB persisted",
            "bytes/row",
            "amplification",
            "syncs",
            "restore ms");
    double reference = bytes(results.get(Contestant.hcl("undo")), insert);
    results.forEach(
        (contestant, rounds) -> {
          Spread rate = Spread.of(rounds.stream().map(r -> rate(r, insert)).toList());
          double bytes = bytes(rounds, insert);
          double changed = insert ? rows : rounds.getFirst().updatedRows();
          table.row(
              contestant.label(),
              AlignedTable.scaled(rate.median()),
              AlignedTable.scaled(rate.min()),
              AlignedTable.scaled(rate.max()),
              insert ? "" : AlignedTable.scaled(rate.median() * rows / changed),
              AlignedTable.significant(bytes / (1 << 20)),
              AlignedTable.significant(bytes / changed),
              AlignedTable.significant(bytes / reference),
              AlignedTable.significant(
                  median(
                      rounds, r -> insert ? (double) r.insertDrains() : (double) r.updateDrains())),
              AlignedTable.significant(
                  1e3
                      * (insert
                          ? rounds.getLast().insertRestore()
                          : rounds.getLast().updateRestore())));
        });
    table.print(out);
  }

  private double rate(InsertUpdateRun.Round round, boolean insert) {
    return insert ? rows / round.insertSeconds() : round.updatedRows() / round.updateSeconds();
  }

  private static double bytes(@Nullable List<InsertUpdateRun.Round> rounds, boolean insert) {
    if (rounds == null) {
      return Double.NaN;
    }
    return median(rounds, r -> insert ? (double) r.insertBytes() : (double) r.updateBytes());
  }

  private static double median(
      List<InsertUpdateRun.Round> rounds, ToDoubleFunction<InsertUpdateRun.Round> figure) {
    return Spread.of(rounds.stream().map(figure::applyAsDouble).toList()).median();
  }

  private Map<String, Object> report(
      Map<Contestant, List<InsertUpdateRun.Round>> results, String domain, MachineLimits limits) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("workload", "insert-update");
    report.put("rows", rows);
    report.put("persistenceDomain", domain);
    report.put("machine", limits);
    List<Map<String, Object>> entries = new ArrayList<>();
    results.forEach(
        (contestant, rounds) -> {
          Map<String, Object> entry = new LinkedHashMap<>();
          entry.put("protocol", contestant.protocol());
          entry.put("log", contestant.log());
          entry.put("crashAtomic", contestant.crashAtomic());
          entry.put(
              "insertRowsPerSecond", Spread.of(rounds.stream().map(r -> rate(r, true)).toList()));
          entry.put(
              "updateRowsPerSecond", Spread.of(rounds.stream().map(r -> rate(r, false)).toList()));
          entry.put("insertRestoreSeconds", rounds.getLast().insertRestore());
          entry.put("updateRestoreSeconds", rounds.getLast().updateRestore());
          entry.put("rounds", rounds);
          entries.add(entry);
        });
    report.put("contestants", entries);
    return report;
  }
}
