package io.gpdb.bench;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.JsonOption;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.ScratchOption;
import io.gpdb.bench.harness.Spread;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The single figures that gpDB promises, each measured several times on a durable database. */
@Command(
    name = "speed",
    mixinStandardHelpOptions = true,
    description = "Single operations: batches by key, bulk update, scan, look-up, commit, import.")
final class SpeedCommand implements Callable<Integer> {
  @Option(
      names = "--rows",
      defaultValue = "10000000",
      converter = Count.One.class,
      description = "Rows of the scanned table (default: ${DEFAULT-VALUE}).")
  private int rows = 10_000_000;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      converter = Count.One.class,
      description = "Counted rounds (default: 5).")
  private int rounds = 5;

  @Mixin private final ScratchOption scratchFolder = new ScratchOption();

  @Option(
      names = "--flights",
      description = "CSV (.gz) with date,delay,distance,origin,destination: measures its import.")
  private @Nullable Path flights;

  @Mixin private final JsonOption json = new JsonOption();

  /** One figure; {@code target} is what the project set out to reach, NaN for none. */
  record Figure(String name, String unit, Spread spread, double target, boolean higherIsBetter) {
    boolean isReached() {
      return higherIsBetter ? spread.median() >= target : spread.median() <= target;
    }
  }

  @Override
  public Integer call() throws SQLException, IOException {
    List<Figure> figures = new ArrayList<>();
    try (ScratchDirectory scratch = scratchFolder.open()) {
      new KeyedBatches(scratch.fresh(), rounds).run(figures);
      new SingleCommits(scratch.fresh(), rounds).run(figures);
      if (flights != null) {
        new FlightsImport(scratch, flights, rounds).run(figures);
      }
      new BigTable(scratch.fresh(), rows, rounds).run(figures);
    }
    AlignedTable table = new AlignedTable("figure", "median", "min", "max", "target", "");
    for (Figure figure : figures) {
      boolean judged = !Double.isNaN(figure.target());
      table.row(
          figure.name() + " [" + figure.unit() + "]",
          AlignedTable.scaled(figure.spread().median()),
          AlignedTable.scaled(figure.spread().min()),
          AlignedTable.scaled(figure.spread().max()),
          judged ? AlignedTable.scaled(figure.target()) : "",
          judged ? figure.isReached() ? "reached" : "MISSED" : "");
    }
    table.print(System.out);
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("workload", "speed");
    report.put("rows", rows);
    report.put("figures", figures);
    json.write(report);
    return 0;
  }
}
