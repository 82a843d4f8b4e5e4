package io.gpdb.bench.grammar;

import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.JsonOption;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Executes statements made from the grammar and looks at how they fail. */
@Command(
    name = "grammar",
    mixinStandardHelpOptions = true,
    description = {
      "Statements made from the grammar of SQL over random tables, and broken ones;",
      "rows of queries, joins and changes are held against others that must have the same.",
      "Exit status 1 when one fails with an internal error, with names of the engine's inside,",
      "with anything but an SQLException, or takes too long, or when answers differ."
    })
public final class GrammarCommand implements Callable<Integer> {
  @Option(
      names = "--seconds",
      defaultValue = "60",
      converter = Count.One.class,
      description = "How long (default: 60).")
  private int seconds = 60;

  @Option(names = "--seed", description = "Of all choices (default: the time).")
  private @Nullable Long seed;

  @Option(
      names = "--round",
      defaultValue = "0",
      description = "The round to begin with, to see a finding again (default: 0).")
  private long round;

  @Option(
      names = "--accidents",
      description = "Also find what is refused (0A000) only because something failed.")
  private boolean accidents;

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws IOException, SQLException {
    long chosen = seed == null ? System.nanoTime() : seed;
    System.out.printf("seed %d%n", chosen);
    GrammarRun run = new GrammarRun(chosen, accidents);
    long rounds =
        run.run(round, Long.MAX_VALUE, System.nanoTime() + seconds * 1_000_000_000L) - round;
    System.out.printf(
        "%d statements and %d comparisons in %d rounds: %s%n",
        run.statements(), run.answers(), rounds, run.outcomes());
    run.findings().forEach((sort, text) -> System.err.println("FOUND " + sort + "\n  " + text));
    json.write(
        Map.of(
            "workload",
            "grammar",
            "seed",
            chosen,
            "rounds",
            rounds,
            "statements",
            run.statements(),
            "comparisons",
            run.answers(),
            "outcomes",
            run.outcomes(),
            "findings",
            run.findings()));
    return run.findings().isEmpty() ? 0 : 1;
  }
}
