package io.gpdb.bench.calls;

import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.JsonOption;
import java.io.IOException;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Random calls of the driver; whatever leaves it must be an SQLException with its state. */
@Command(
    name = "calls",
    mixinStandardHelpOptions = true,
    description = "Random calls of all methods of java.sql with odd arguments.")
public final class CallsCommand implements Callable<Integer> {
  @Option(
      names = "--seconds",
      defaultValue = "60",
      converter = Count.Zero.class,
      description = "How long; 0 for one episode (default: ${DEFAULT-VALUE}).")
  private int seconds = 60;

  @Option(names = "--seed", description = "Of the first episode (default: random).")
  private @Nullable Long seed;

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws IOException {
    long first = seed == null ? new Random().nextLong() >>> 16 : seed;
    System.out.println("seed " + first);
    CallsReport report = new CallsReport();
    CallsRun.runFor(seconds * 1000L, first, report);
    report.defects().forEach((what, where) -> System.out.println("DEFECT " + what + ": " + where));
    System.out.printf(
        "%d episodes, %d calls of %d methods: %d answered, %d refused, %d defects%n",
        report.episodes(),
        report.calls(),
        report.methods(),
        report.calls() - report.refused(),
        report.refused(),
        report.defects().size());
    json.write(
        Map.of(
            "seed", first,
            "episodes", report.episodes(),
            "calls", report.calls(),
            "methods", report.methods(),
            "refused", report.refused(),
            "defects", report.defects()));
    return report.defects().isEmpty() ? 0 : 1;
  }
}
