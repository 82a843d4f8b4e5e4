package io.gpdb.bench.faults;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.JsonOption;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Injects faults of the medium into SQL workloads and counts what came of them. */
@Command(
    name = "faults",
    mixinStandardHelpOptions = true,
    description = {
      "Full disks, failing and short writes and syncs, flipped bits, files cut and deleted,",
      "under SQL workloads.",
      "Exit status 1 when a transaction is lost, an answer is wrong, or an error says nothing."
    })
public final class FaultsCommand implements Callable<Integer> {
  @Option(
      names = "--count",
      defaultValue = "2000",
      converter = Count.One.class,
      description = "Faults, shared among the sorts, protocols and logs (default: 2000).")
  private int count = 2000;

  @Option(names = "--seed", description = "Of all choices (default: the time).")
  private @Nullable Long seed;

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws IOException {
    long chosen = seed == null ? System.nanoTime() : seed;
    System.out.printf("seed %d%n", chosen);
    long start = System.nanoTime();
    FaultsRun run = new FaultsRun(chosen);
    String violation = "";
    try {
      run.run(count);
    } catch (Violation e) {
      violation = String.valueOf(e.getMessage());
    }
    AlignedTable table = new AlignedTable("fault", "injected", "outcomes");
    run.tallies()
        .forEach((name, tally) -> table.row(name, Integer.toString(tally.injected), tally.text()));
    table.print(System.out);
    run.totals().forEach((sort, injected) -> System.out.printf("%s: %d%n", sort.text(), injected));
    System.out.printf("%.0f s%n", (System.nanoTime() - start) / 1e9);
    json.write(report(run, chosen, violation));
    if (!violation.isEmpty()) {
      System.err.println("VIOLATION seed=" + chosen + " " + violation);
    }
    return violation.isEmpty() ? 0 : 1;
  }

  private static Map<String, Object> report(FaultsRun run, long seed, String violation) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("workload", "faults");
    report.put("seed", seed);
    report.put("violation", violation);
    Map<String, Integer> injected = new LinkedHashMap<>();
    run.totals().forEach((sort, number) -> injected.put(sort.name(), number));
    report.put("injected", injected);
    Map<String, Object> faults = new LinkedHashMap<>();
    run.tallies()
        .forEach(
            (name, tally) ->
                faults.put(name, Map.of("injected", tally.injected, "outcomes", tally.outcomes)));
    report.put("faults", faults);
    return report;
  }
}
