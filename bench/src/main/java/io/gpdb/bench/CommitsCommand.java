package io.gpdb.bench;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.JsonOption;
import io.gpdb.bench.harness.MachineLimits;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.ScratchOption;
import io.gpdb.bench.harness.Spread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One-row commits by several connections, with and without overlapping syncs, interleaved. */
@Command(
    name = "commits",
    mixinStandardHelpOptions = true,
    description = "One-row commits of 1 to 16 connections, and how many share a sync.")
final class CommitsCommand implements Callable<Integer> {
  private static final int PROBE_SYNCS = 100;

  @Option(
      names = "--connections",
      split = ",",
      converter = Count.One.class,
      defaultValue = "1,2,4,8,16",
      description = "How many commit at once (default: ${DEFAULT-VALUE}).")
  private List<Integer> connections = List.of(1, 2, 4, 8, 16);

  @Option(
      names = "--in-flight",
      split = ",",
      converter = Count.One.class,
      defaultValue = "1,2",
      description = "Batches whose syncs overlap, compared (default: ${DEFAULT-VALUE}).")
  private List<Integer> inFlight = List.of(1, 2);

  @Option(
      names = "--rounds",
      defaultValue = "5",
      converter = Count.One.class,
      description = "Counted rounds (default: 5).")
  private int rounds = 5;

  @Option(
      names = "--millis",
      defaultValue = "500",
      converter = Count.One.class,
      description = "How long each measurement takes (default: ${DEFAULT-VALUE}).")
  private int millis = 500;

  @Mixin private final ScratchOption scratchFolder = new ScratchOption();

  @Mixin private final JsonOption json = new JsonOption();

  /** What a number of connections reached with a number of batches in flight. */
  record Figure(
      int connections, int inFlight, Spread commitsPerSecond, Spread syncsPerCommit, int rounds) {}

  /** The values of a figure, round by round. */
  private record Series(int connections, int inFlight, List<Double> rates, List<Double> syncs) {
    Figure figure() {
      return new Figure(connections, inFlight, Spread.of(rates), Spread.of(syncs), rates.size());
    }
  }

  @Override
  public Integer call() throws SQLException, IOException {
    List<Series> series = new ArrayList<>();
    List<Double> probes = new ArrayList<>();
    for (int n : connections) {
      inFlight.forEach(f -> series.add(new Series(n, f, new ArrayList<>(), new ArrayList<>())));
    }
    try (ScratchDirectory scratch = scratchFolder.open()) {
      Map<Integer, KeyedCommits> databases = new LinkedHashMap<>();
      try {
        for (int f : inFlight) {
          databases.put(f, new KeyedCommits(scratch.fresh(), f));
        }
        measure(series, databases, probes, scratch.root().resolve("probe.bin"));
      } finally {
        for (KeyedCommits database : databases.values()) {
          database.close();
        }
      }
    }
    report(series.stream().map(Series::figure).toList(), Spread.of(probes));
    return 0;
  }

  /** The first round is not counted. */
  private void measure(
      List<Series> series, Map<Integer, KeyedCommits> databases, List<Double> probes, Path probe)
      throws SQLException, IOException {
    try (FileChannel channel =
        FileChannel.open(probe, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(1 << 20), 0);
      channel.force(true);
      for (int round = 0; round <= rounds; round++) {
        double syncs = MachineLimits.syncsPerSecond(channel, PROBE_SYNCS);
        if (round > 0) {
          probes.add(syncs);
        }
        for (Series s : series) {
          KeyedCommits database = databases.get(s.inFlight);
          if (database == null) {
            throw new IllegalStateException("no database for " + s);
          }
          KeyedCommits.Outcome outcome = database.run(s.connections, millis);
          if (round > 0) {
            s.rates.add(outcome.commitsPerSecond());
            s.syncs.add(outcome.syncsPerCommit());
          }
        }
      }
    }
  }

  private void report(List<Figure> figures, Spread probe) throws IOException {
    AlignedTable table =
        new AlignedTable("connections", "in flight", "commits/s", "min", "max", "syncs/commit");
    for (Figure figure : figures) {
      table.row(
          Integer.toString(figure.connections),
          Integer.toString(figure.inFlight),
          AlignedTable.scaled(figure.commitsPerSecond.median()),
          AlignedTable.scaled(figure.commitsPerSecond.min()),
          AlignedTable.scaled(figure.commitsPerSecond.max()),
          AlignedTable.significant(figure.syncsPerCommit.median()));
    }
    table.print(System.out);
    System.out.printf(
        "synced 4 KiB writes by this machine, one after the other: %s/s (%s to %s)%n",
        AlignedTable.scaled(probe.median()),
        AlignedTable.scaled(probe.min()),
        AlignedTable.scaled(probe.max()));
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("workload", "commits");
    all.put("millis", millis);
    all.put("syncedWritesPerSecond", probe);
    all.put("figures", figures);
    json.write(all);
  }
}
