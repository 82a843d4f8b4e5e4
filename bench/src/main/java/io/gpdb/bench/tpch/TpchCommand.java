package io.gpdb.bench.tpch;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.HtmlOption;
import io.gpdb.bench.harness.JsonOption;
import io.gpdb.bench.harness.Machine;
import io.gpdb.bench.harness.MachineLimits;
import io.gpdb.bench.harness.MemorySize;
import io.gpdb.bench.harness.Progress;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.ScratchOption;
import io.gpdb.bench.peers.Peer;
import io.gpdb.bench.tpch.TpchAnswers.Answer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The queries of TPC-H on a device, their answers held against those of the emulated device. */
@Command(
    name = "tpch",
    mixinStandardHelpOptions = true,
    description = {
      "Loads the tables of TPC-H, runs its 22 queries on a device and on the emulated one,",
      "or with --peers in several databases, each in a process of its own; or with --estimates",
      "says how many rows the planner expected of each operator, and how many came.",
      "Exit status 1 when a query fails or two answers differ."
    })
public final class TpchCommand implements Callable<Integer> {
  private static final String STANDARD = "emulated";
  private static final List<String> OF_DEVICES = List.of("--device", "--estimates");
  private static final List<String> OF_PEERS =
      List.of("--workers", "--memory-limit", "--heap", "--seconds", "--limit", "--html");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--scale",
      defaultValue = "0.1",
      description = "The scale factor: 1 is six million line items (default: ${DEFAULT-VALUE}).")
  private double factor = 0.1;

  @Option(
      names = "--device",
      defaultValue = STANDARD,
      description = "Of the URL: emulated, cuda, cuda:NUMBER (default: ${DEFAULT-VALUE}).")
  private String device = STANDARD;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      converter = Count.One.class,
      description = "Runs of each query after the first (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Of the rows (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--peers",
      split = ",",
      description = "Which databases: gpdb, duckdb. The options below are for them.")
  private List<String> peers = List.of();

  @Option(
      names = "--workers",
      split = ",",
      converter = Count.One.class,
      description = "Threads of one statement (default: all processors).")
  private List<Integer> workers = List.of(Runtime.getRuntime().availableProcessors());

  @Option(
      names = "--memory-limit",
      converter = MemorySize.class,
      description =
          "What statements may take outside the heap, as in 512MB (default: no limit); the heap"
              + " then begins with 64 MiB on any machine.")
  private long memoryLimitBytes;

  @Option(
      names = "--heap",
      defaultValue = "4g",
      description = "Heap of each process (default: ${DEFAULT-VALUE}).")
  private String heap = "4g";

  @Option(
      names = "--seconds",
      defaultValue = "5",
      converter = Count.One.class,
      description = "After as many a query is not run again (default: ${DEFAULT-VALUE}).")
  private int seconds = 5;

  @Option(
      names = "--limit",
      defaultValue = "900",
      converter = Count.One.class,
      description = {
        "Seconds after which a process that loads or answers one query is ended",
        "(default: ${DEFAULT-VALUE})."
      })
  private int limitSeconds = 900;

  @Option(
      names = "--estimates",
      description = "Show instead how far off the planner's estimates of rows are (q-error).")
  private boolean estimates;

  @Mixin private final HtmlOption html = new HtmlOption();

  @Mixin private final ScratchOption scratchFolder = new ScratchOption();

  @Mixin private final JsonOption json = new JsonOption();

  /**
   * One query on both devices.
   *
   * @param hostAnswer of the emulated device
   */
  record Compared(int query, Answer answer, Answer hostAnswer) {
    boolean isEqual() {
      return answer.sameAs(hostAnswer);
    }
  }

  @Override
  public Integer call() throws SQLException, IOException, InterruptedException {
    List<TpchContestant> contestants = contestants();
    requireThatOptionsMeanSomething();
    if (estimates) {
      return judgeEstimates();
    }
    return contestants.isEmpty() ? compareDevices() : compareDatabases(contestants);
  }

  private List<TpchContestant> contestants() {
    List<TpchContestant> contestants = new ArrayList<>();
    for (String name : peers) {
      Peer peer = Peer.named(name);
      if (peer == null || !peer.hasWorkers() || !peer.hasDriver()) {
        throw new ParameterException(
            spec.commandLine(), "--peers takes gpdb and duckdb, with its driver, not " + name);
      }
      workers.forEach(count -> contestants.add(new TpchContestant(peer, count, memoryLimitBytes)));
    }
    return contestants;
  }

  private void requireThatOptionsMeanSomething() {
    ParseResult given = spec.commandLine().getParseResult();
    for (String option : peers.isEmpty() ? OF_PEERS : OF_DEVICES) {
      if (given.hasMatchedOption(option)) {
        throw new ParameterException(
            spec.commandLine(),
            option + " means nothing " + (peers.isEmpty() ? "without" : "with") + " --peers");
      }
    }
    if (!heap.matches("[1-9][0-9]*[mgMG]")) {
      throw new ParameterException(
          spec.commandLine(), "--heap takes a number of m or g, as in 4g, not " + heap);
    }
  }

  private int compareDatabases(List<TpchContestant> contestants)
      throws IOException, InterruptedException {
    TpchEffort effort = new TpchEffort(rounds, seconds, limitSeconds, heap);
    List<Map<String, TpchMeasured>> answers;
    try (ScratchDirectory scratch = scratchFolder.open();
        Progress progress = new Progress()) {
      answers = new TpchPeers(contestants, effort, progress).run(scratch, factor, seed);
    }
    TpchReport report = TpchReport.of(Machine.words(), factor, effort, contestants, answers);
    TpchSummary.print(report, System.out);
    json.write(report);
    html.write(new TpchPage(report)::html);
    return report.problems().isEmpty() ? 0 : 1;
  }

  private int judgeEstimates() throws SQLException, IOException {
    TpchEstimates found;
    try (ScratchDirectory scratch = scratchFolder.open();
        Progress progress = new Progress();
        Connection connection = DriverManager.getConnection("jdbc:gpdb:" + scratch.fresh())) {
      progress.step("loading");
      TpchTables.load(connection, new TpchScale(factor), seed, progress::part);
      found = TpchEstimates.of(connection, progress::step);
    }
    found.print(System.out);
    json.write(found.report(factor));
    return 0;
  }

  private int compareDevices() throws SQLException, IOException {
    List<Compared> all = new ArrayList<>();
    double loadSeconds;
    try (ScratchDirectory scratch = scratchFolder.open();
        Progress progress = new Progress()) {
      progress.step("loading");
      String url = "jdbc:gpdb:" + scratch.fresh();
      long start = System.nanoTime();
      try (Connection connection = DriverManager.getConnection(url)) {
        TpchTables.load(connection, new TpchScale(factor), seed, progress::part);
      }
      loadSeconds = MachineLimits.seconds(start);
      List<Answer> host = answers(url, STANDARD, progress);
      List<Answer> own = device.equals(STANDARD) ? host : answers(url, device, progress);
      for (int i = 0; i < own.size(); i++) {
        all.add(new Compared(i + 1, own.get(i), host.get(i)));
      }
    }
    print(all, loadSeconds);
    json.write(report(all, loadSeconds));
    return all.stream().allMatch(Compared::isEqual) ? 0 : 1;
  }

  private List<Answer> answers(String url, String on, Progress progress) throws SQLException {
    return TpchAnswers.of(
        on.equals(STANDARD) ? url : url + ";device=" + on,
        rounds,
        query -> progress.step(query + " on " + on));
  }

  private void print(List<Compared> all, double loadSeconds) {
    System.out.printf("scale factor %s, loaded in %.1f s%n", factor, loadSeconds);
    AlignedTable table =
        new AlignedTable("query", "rows", device + " ms", "first", STANDARD + " ms", "");
    for (Compared each : all) {
      table.row(
          "Q" + each.query(),
          Integer.toString(each.answer().rows().size()),
          AlignedTable.significant(each.answer().millis().median()),
          AlignedTable.significant(each.answer().firstMillis()),
          AlignedTable.significant(each.hostAnswer().millis().median()),
          each.isEqual() ? "equal" : "DIFFERS");
    }
    table.print(System.out);
    for (Compared each : all) {
      if (!each.isEqual()) {
        System.out.println("Q" + each.query() + ": " + difference(each));
      }
    }
  }

  private static String difference(Compared each) {
    if (!each.answer().failure().isEmpty()) {
      return each.answer().failure();
    }
    if (!each.hostAnswer().failure().isEmpty()) {
      return each.hostAnswer().failure();
    }
    List<List<String>> found = each.answer().rows();
    List<List<String>> expected = each.hostAnswer().rows();
    int row = 0;
    while (row < Math.min(found.size(), expected.size())
        && found.get(row).equals(expected.get(row))) {
      row++;
    }
    return "row %d is %s, not %s"
        .formatted(row + 1, rowOrNone(found, row), rowOrNone(expected, row));
  }

  private static String rowOrNone(List<List<String>> rows, int row) {
    return row < rows.size() ? rows.get(row).toString() : "none";
  }

  private Map<String, Object> report(List<Compared> all, double loadSeconds) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("workload", "tpch");
    report.put("scale", factor);
    report.put("device", device);
    report.put("loadSeconds", loadSeconds);
    List<Map<String, Object>> queries = new ArrayList<>();
    for (Compared each : all) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("query", each.query());
      entry.put("rows", each.answer().rows().size());
      entry.put("equal", each.isEqual());
      entry.put("difference", each.isEqual() ? "" : difference(each));
      entry.put("firstMillis", each.answer().firstMillis());
      entry.put("millis", each.answer().millis());
      entry.put("emulatedFirstMillis", each.hostAnswer().firstMillis());
      entry.put("emulatedMillis", each.hostAnswer().millis());
      queries.add(entry);
    }
    report.put("queries", queries);
    return report;
  }
}
