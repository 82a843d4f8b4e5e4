package io.gpdb.bench.peers;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.HtmlOption;
import io.gpdb.bench.harness.JsonOption;
import io.gpdb.bench.harness.Machine;
import io.gpdb.bench.harness.MachineLimits;
import io.gpdb.bench.harness.Progress;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.ScratchOption;
import io.gpdb.bench.peers.PeersReport.Contestant;
import io.gpdb.bench.peers.PeersReport.Figure;
import io.gpdb.bench.peers.PeersReport.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** gpDB beside other embedded databases, in processes that take turns. */
@Command(
    name = "peers",
    mixinStandardHelpOptions = true,
    description = "The same batches, commits, look-ups and queries on other embedded databases.")
public final class PeersCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--peers",
      split = ",",
      defaultValue = "gpdb,h2,hsqldb,derby,sqlite,duckdb",
      description = {
        "Which databases (default: ${DEFAULT-VALUE});",
        "also h2-default and hsqldb-default, which are not durable."
      })
  private List<String> names = List.of();

  @Option(
      names = "--workers",
      split = ",",
      converter = Count.One.class,
      description = "Threads of one statement, where there are any (default: all processors).")
  private List<Integer> workers = List.of(Runtime.getRuntime().availableProcessors());

  @Option(
      names = "--rows",
      defaultValue = "1000000",
      converter = Count.One.class,
      description = "Rows of the table that is queried (default: ${DEFAULT-VALUE}).")
  private int rows = 1_000_000;

  @Option(
      names = "--keyed-rows",
      defaultValue = "200000",
      converter = Count.One.class,
      description = "Rows that are changed by key (default: ${DEFAULT-VALUE}).")
  private int keyedRows = 200_000;

  @Option(
      names = "--runs",
      defaultValue = "12",
      converter = Count.One.class,
      description = "How often a process runs each query (default: ${DEFAULT-VALUE}).")
  private int runs = 12;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      converter = Count.One.class,
      description = "Processes of each database (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--connections",
      defaultValue = "16",
      converter = Count.One.class,
      description = "Connections that commit and read side by side (default: ${DEFAULT-VALUE}).")
  private int connections = 16;

  @Option(
      names = "--window",
      defaultValue = "500",
      converter = Count.One.class,
      description = "Milliseconds of a window of commits or look-ups (default: ${DEFAULT-VALUE}).")
  private int windowMillis = 500;

  @Option(
      names = "--seconds",
      defaultValue = "5",
      converter = Count.One.class,
      description = {
        "After as many, a query is not run again, and batches by key end",
        "(default: ${DEFAULT-VALUE})."
      })
  private int workSeconds = 5;

  @Option(
      names = "--limit",
      defaultValue = "900",
      converter = Count.One.class,
      description = "Seconds after which a process is ended (default: ${DEFAULT-VALUE}).")
  private int limitSeconds = 900;

  @Option(
      names = "--heap",
      defaultValue = "4g",
      description = "Heap of each process (default: ${DEFAULT-VALUE}).")
  private String heap = "4g";

  @Mixin private final ScratchOption scratchFolder = new ScratchOption();

  @Mixin private final JsonOption json = new JsonOption();

  @Mixin private final HtmlOption html = new HtmlOption();

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Contestant> contestants = contestants();
    requireHeap();
    PeerSizes sizes = new PeerSizes(rows, keyedRows, runs, connections, windowMillis, workSeconds);
    Map<Contestant, List<Measured>> found = new LinkedHashMap<>();
    contestants.forEach(contestant -> found.put(contestant, new ArrayList<>()));
    List<String> notes = new ArrayList<>();
    MachineLimits limits;
    try (ScratchDirectory scratch = scratchFolder.open();
        Progress progress = new Progress()) {
      progress.step("storage of this machine");
      limits = MachineLimits.measure(scratch.root());
      for (int round = 1; round <= rounds; round++) {
        for (Contestant contestant : contestants) {
          String turn = "round %d of %d: %s".formatted(round, rounds, contestant.name());
          List<Measured> own = Objects.requireNonNull(found.get(contestant));
          progress.step(turn);
          new PeerProcess(contestant, sizes, heap, limitSeconds)
              .run(scratch.fresh(), new Turn(turn, own, notes, progress));
        }
      }
    }
    PeersReport report =
        new PeersReport(
            Machine.words(), limits, sizes, rounds, contestants, PeersReport.figures(found), notes);
    print(report);
    json.write(report);
    html.write(new PeersPage(report)::html);
    return found.values().stream().anyMatch(List::isEmpty) ? 1 : 0;
  }

  /** What comes of one contestant's process in one round. */
  private record Turn(String name, List<Measured> found, List<String> notes, Progress progress)
      implements PeerProcess.Taker {
    @Override
    public void figure(Measured measured) {
      found.add(measured);
    }

    @Override
    public void part(String text) {
      progress.part(name + ": " + text);
    }

    @Override
    public void end(String reason) {
      notes.add(name + ": " + reason);
      progress.step(name + ": " + reason);
    }
  }

  private List<Contestant> contestants() {
    List<Contestant> contestants = new ArrayList<>();
    for (String name : names) {
      Peer peer = Peer.named(name);
      if (peer == null) {
        throw new ParameterException(
            spec.commandLine(),
            "no such database: " + name + "; there are " + String.join(", ", Peer.labels()));
      }
      if (!peer.hasDriver()) {
        throw new ParameterException(
            spec.commandLine(), "the driver of " + name + " is not on the class path");
      }
      if (peer.hasWorkers()) {
        workers.forEach(count -> contestants.add(Contestant.of(peer, count)));
      } else {
        contestants.add(Contestant.of(peer, workers.getFirst()));
      }
    }
    return contestants;
  }

  private void requireHeap() {
    if (!heap.matches("[1-9][0-9]*[mgMG]")) {
      throw new ParameterException(
          spec.commandLine(), "--heap takes a number of m or g, as in 4g, not " + heap);
    }
  }

  /** A table for each section: medians of warm runs, and of the first ones in brackets. */
  private static void print(PeersReport report) {
    List<String> header = new ArrayList<>(List.of("median, warm (first run)"));
    report.contestants().forEach(contestant -> header.add(contestant.name()));
    String section = "";
    AlignedTable table = new AlignedTable(header.toArray(String[]::new));
    for (Figure figure : report.figures()) {
      if (!figure.section().equals(section)) {
        section = figure.section();
        table.row(filled(section, header.size()));
      }
      table.row(cells(figure, report.contestants()));
    }
    table.print(System.out);
    System.out.println();
    for (Contestant contestant : report.contestants()) {
      System.out.println(contestant.name() + ": " + contestant.durability());
    }
    report.notes().forEach(System.out::println);
  }

  private static String[] filled(String first, int columns) {
    String[] cells = new String[columns];
    Arrays.fill(cells, "");
    cells[0] = first;
    return cells;
  }

  private static String[] cells(Figure figure, List<Contestant> contestants) {
    List<String> cells = new ArrayList<>();
    cells.add("  " + figure.name() + " [" + figure.unit() + "]");
    for (Contestant contestant : contestants) {
      Result result = figure.results().get(contestant.name());
      cells.add(
          result == null || result.warm().rounds() == 0
              ? "-"
              : AlignedTable.scaled(result.warm().median())
                  + " ("
                  + AlignedTable.scaled(result.first().median())
                  + ")");
    }
    return cells.toArray(String[]::new);
  }
}
