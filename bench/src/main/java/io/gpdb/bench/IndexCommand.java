package io.gpdb.bench;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.ScratchOption;
import io.gpdb.bench.harness.Spread;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What indexes take: to build them over the rows of a table, and to keep them while it changes. */
@Command(
    name = "index",
    mixinStandardHelpOptions = true,
    description = "CREATE INDEX over many rows, and batches by key with one secondary index.")
final class IndexCommand implements Callable<Integer> {
  @Option(
      names = "--rows",
      defaultValue = "1000000",
      converter = Count.One.class,
      description = "Rows of the table that gets indexes (default: ${DEFAULT-VALUE}).")
  private int rows = 1_000_000;

  @Option(
      names = "--batch-rows",
      defaultValue = "500000",
      converter = Count.One.class,
      description = "Rows of the tables that are changed by batches (default: ${DEFAULT-VALUE}).")
  private int batchRows = 500_000;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      converter = Count.One.class,
      description = "Counted rounds (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Mixin private final ScratchOption scratchFolder = new ScratchOption();

  @Override
  public Integer call() throws SQLException, IOException {
    try (ScratchDirectory scratch = scratchFolder.open()) {
      builds(scratch);
      System.out.println();
      batches(scratch);
    }
    return 0;
  }

  private void builds(ScratchDirectory scratch) throws SQLException {
    AlignedTable table = new AlignedTable("build", "seconds", "min", "max", "million rows/s");
    new IndexBuilds(scratch.fresh(), rows, rounds)
        .run(
            (definition, seconds) ->
                table.row(
                    definition,
                    AlignedTable.scaled(seconds.median()),
                    AlignedTable.scaled(seconds.min()),
                    AlignedTable.scaled(seconds.max()),
                    AlignedTable.scaled(rows / seconds.median() / 1e6)));
    table.print(System.out);
  }

  /** Each round tries all kinds of indexes one after the other, so that load meets all alike. */
  private void batches(ScratchDirectory scratch) throws SQLException {
    Map<String, List<Map<String, Double>>> found = new LinkedHashMap<>();
    for (int round = 0; round <= rounds; round++) {
      for (String kind : IndexedBatches.KINDS) {
        Map<String, Double> figures = new IndexedBatches(scratch.fresh(), kind, batchRows).run();
        if (round > 0) {
          found.computeIfAbsent(kind, _ -> new ArrayList<>()).add(figures);
        }
      }
    }
    AlignedTable table =
        new AlignedTable("batches of 10 000", "index", "rows/s", "min", "max", "of none");
    Map<String, Double> none = new LinkedHashMap<>();
    found.forEach(
        (kind, figures) -> {
          for (String name : figures.getFirst().keySet()) {
            Spread spread =
                Spread.of(figures.stream().map(f -> f.getOrDefault(name, Double.NaN)).toList());
            none.putIfAbsent(name, spread.median());
            table.row(
                name,
                kind,
                AlignedTable.scaled(spread.median()),
                AlignedTable.scaled(spread.min()),
                AlignedTable.scaled(spread.max()),
                AlignedTable.scaled(spread.median() / none.getOrDefault(name, Double.NaN)));
          }
        });
    table.print(System.out);
  }
}
