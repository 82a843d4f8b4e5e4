package io.gpdb.bench.micro;

import io.gpdb.bench.harness.Figures.Figure;
import io.gpdb.bench.harness.Spread;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs benchmarks in processes of JMH. */
final class MicroRun {
  private final Path scratch;
  private final int forks;
  private final int rounds;
  private final int millis;

  /**
   * @param scratch for what processes leave
   * @param millis of one round
   */
  MicroRun(Path scratch, int forks, int rounds, int millis) {
    this.scratch = scratch;
    this.forks = forks;
    this.rounds = rounds;
    this.millis = millis;
  }

  /** All benchmarks of a class; one that fails fails all. */
  List<Figure> of(MicroPart part) {
    System.setProperty("jmh.ignoreLock", "true"); // no file is left for the next run
    TimeValue time = TimeValue.milliseconds(millis);
    Options options =
        new OptionsBuilder()
            .include("^" + part.benchmarks().getName().replace(".", "\\.") + "\\.")
            .forks(forks)
            .warmupIterations(rounds)
            .warmupTime(time)
            .measurementIterations(rounds)
            .measurementTime(time)
            .jvmArgsAppend("-Djava.io.tmpdir=" + scratch)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();
    List<Figure> figures = new ArrayList<>();
    try {
      for (RunResult result : new Runner(options).run()) {
        figures.add(figure(part, result));
      }
    } catch (RunnerException e) {
      throw new IllegalStateException(part + ": " + e.getMessage(), e);
    }
    return figures;
  }

  private static Figure figure(MicroPart part, RunResult result) {
    List<Double> scores = new ArrayList<>();
    for (IterationResult round : result.getAggregatedResult().getIterationResults()) {
      scores.add(round.getPrimaryResult().getScore());
    }
    String unit = result.getPrimaryResult().getScoreUnit().replace("/op", "").replace("us", "µs");
    return new Figure(part.label(), name(result.getParams()), unit, false, Spread.of(scores));
  }

  /** The method's name in words, and the parameters. */
  private static String name(BenchmarkParams params) {
    String benchmark = params.getBenchmark();
    String words =
        benchmark
            .substring(benchmark.lastIndexOf('.') + 1)
            .replaceAll("([A-Z])", " $1")
            .toLowerCase(Locale.ROOT);
    return params.getParamsKeys().stream()
        .map(key -> ", " + params.getParam(key).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining("", words, ""));
  }
}
