package io.gpdb.bench.isolation;

import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.EnumWords;
import io.gpdb.bench.harness.JsonOption;
import io.gpdb.txn.api.IsolationLevel;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Random histories of concurrent connections at each level, checked for cycles. */
@Command(
    name = "isolation",
    mixinStandardHelpOptions = true,
    description = "Random list-append histories, checked for the anomalies that a level forbids.")
public final class IsolationCommand implements Callable<Integer> {
  @Option(
      names = "--seconds",
      defaultValue = "60",
      converter = Count.Zero.class,
      description = {
        "How long, all levels together; 0 for one history of each",
        "(default: ${DEFAULT-VALUE})."
      })
  private int seconds = 60;

  @Option(
      names = "--level",
      converter = EnumWords.Levels.class,
      completionCandidates = EnumWords.Levels.class,
      description = "${COMPLETION-CANDIDATES}; all of them in turn when not given.")
  private @Nullable IsolationLevel level;

  @Option(names = "--seed", description = "What the transactions do (default: random).")
  private @Nullable Long seed;

  @Option(
      names = "--threads",
      defaultValue = "8",
      converter = Count.One.class,
      description = "Connections (default: 8).")
  private int threads = 8;

  @Option(
      names = "--transactions",
      defaultValue = "60",
      converter = Count.One.class,
      description = "Transactions of a connection in one history (default: ${DEFAULT-VALUE}).")
  private int transactions = 60;

  @Option(
      names = "--keys",
      defaultValue = "5",
      converter = Count.One.class,
      description = "Lists (default: 5).")
  private int keys = 5;

  @Option(
      names = "--url",
      description =
          "The database, whose tables LIST_ROWS and LIST_TEXTS are used (default: one in memory).")
  private String url = "jdbc:gpdb:mem:isolation";

  @Option(
      names = "--lock-timeout",
      defaultValue = "1000",
      converter = Count.Zero.class,
      description = {
        "Milliseconds that writers wait for one another in every second history",
        "(default: ${DEFAULT-VALUE})."
      })
  private int lockTimeoutMillis = 1000;

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws SQLException, IOException {
    long first = seed == null ? new Random().nextLong() >>> 16 : seed;
    System.out.println("seed " + first);
    List<IsolationLevel> levels = level == null ? List.of(IsolationLevel.values()) : List.of(level);
    List<IsolationReport> reports = levels.stream().map(IsolationReport::new).toList();
    List<String> violations = new ArrayList<>();
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    try (Connection open = DriverManager.getConnection(url)) {
      long round = first;
      do {
        for (int i = 0; i < levels.size(); i++) {
          violations.addAll(round(levels.get(i), reports.get(i), round));
        }
        round++;
      } while (System.nanoTime() < end && violations.isEmpty());
      assert !open.isClosed() : "a database in memory lives as long as its connections";
    }
    violations.forEach(System.out::println);
    report(first, reports);
    return violations.isEmpty() ? 0 : 1;
  }

  private List<String> round(IsolationLevel tested, IsolationReport report, long round)
      throws SQLException {
    ListStyle style = ListStyle.inTurn(round);
    int wait = round % 2 == 0 ? 0 : lockTimeoutMillis; // some histories with waiting, some without
    ListAppendRun.Shape shape = new ListAppendRun.Shape(threads, transactions, keys, wait);
    List<Anomaly> found = report.add(new ListAppendRun(url, tested, style, shape, round).history());
    return found.stream()
        .map(
            anomaly -> "VIOLATION at " + tested + ", " + style + ", seed " + round + ": " + anomaly)
        .toList();
  }

  private void report(long first, List<IsolationReport> reports) throws IOException {
    for (IsolationReport report : reports) {
      System.out.printf(
          "%-15s %5d histories, %7d committed, %7d rolled back, forbidden %d, all found %s%n",
          report.getLevel(),
          report.getHistories(),
          report.getCommitted(),
          report.getRolledBack(),
          report.getForbidden(),
          report.getAnomalies());
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("workload", "isolation");
    all.put("seed", first);
    all.put("seconds", seconds);
    all.put("levels", reports);
    json.write(all);
  }
}
