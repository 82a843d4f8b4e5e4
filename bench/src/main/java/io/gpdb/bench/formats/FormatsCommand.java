package io.gpdb.bench.formats;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Count;
import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Changes fields of database files under right checksums and judges what opening them does. */
@Command(
    name = "formats",
    mixinStandardHelpOptions = true,
    description = {
      "One field of one structure changed, all checksums right: superblock, root, extents, log and",
      "undo records, sections. Each database must open and be readable, or be refused as damaged.",
      "Exit status 1 for any other error, and where time or memory go beyond bounds."
    })
public final class FormatsCommand implements Callable<Integer> {
  @Option(
      names = "--count",
      defaultValue = "2000",
      converter = Count.One.class,
      description = "Changed databases (default: 2000).")
  private int count = 2000;

  @Option(names = "--from", defaultValue = "0", description = "The first one's number.")
  private int from;

  @Option(names = "--seed", description = "Of all choices (default: the time).")
  private @Nullable Long seed;

  @Override
  public Integer call() throws IOException, SQLException {
    long chosen = seed == null ? System.nanoTime() : seed;
    System.out.printf("seed %d%n", chosen);
    long start = System.nanoTime();
    int printed = 0;
    try (FormatFuzz fuzz = new FormatFuzz(chosen)) {
      for (int n = from; n < from + count; n++) {
        fuzz.run(n);
        for (; printed < fuzz.violations().size(); printed++) {
          System.err.println("VIOLATION " + fuzz.violations().get(printed));
        }
      }
      AlignedTable table = new AlignedTable("structure", "opened", "refused");
      fuzz.tallies()
          .forEach(
              (structure, tally) ->
                  table.row(structure, Integer.toString(tally[0]), Integer.toString(tally[1])));
      table.print(System.out);
      System.out.printf("%.0f s%n", (System.nanoTime() - start) / 1e9);
    }
    return printed == 0 ? 0 : 1;
  }
}
