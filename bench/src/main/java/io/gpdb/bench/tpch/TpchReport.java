package io.gpdb.bench.tpch;

import io.gpdb.bench.harness.PeakMemory.Peak;
import io.gpdb.bench.harness.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** What all contestants took for the queries, and whether they answered the same. */
record TpchReport(
    String machine,
    double factor,
    long memoryLimitBytes,
    TpchEffort effort,
    List<Query> queries,
    List<Total> totals) {

  /**
   * One query.
   *
   * @param results by the contestants' names
   */
  record Query(int number, Map<String, Result> results) {}

  /**
   * What one contestant took for one query.
   *
   * @param rows of the answer
   * @param problem why there is no answer, or how it differs from another's; empty where it is
   *     right
   * @param firstRatio to the other with as many workers; NaN for the others themselves
   * @param warmRatio of the medians of later runs, as {@code firstRatio}
   */
  record Result(
      int rows,
      String problem,
      double firstMillis,
      Spread warm,
      Peak peak,
      double firstRatio,
      double warmRatio) {}

  /**
   * One contestant over all queries that it and, for ratios, the other have answered.
   *
   * @param firstMillis geometric mean, as all that follow but the last three
   * @param warmRatioMax of one query
   * @param peak of the process, of each part that in any query
   */
  record Total(
      String name,
      boolean isOurs,
      int answered,
      double firstMillis,
      double warmMillis,
      double firstRatio,
      double warmRatio,
      double warmRatioMax,
      Peak peak) {}

  static TpchReport of(
      String machine,
      double factor,
      TpchEffort effort,
      List<TpchContestant> contestants,
      List<Map<String, TpchMeasured>> answers) {
    List<Query> queries = new ArrayList<>();
    for (Map<String, TpchMeasured> each : answers) {
      Map<String, Result> results = new LinkedHashMap<>();
      for (TpchContestant contestant : contestants) {
        results.put(contestant.name(), result(contestant, contestants, each));
      }
      queries.add(new Query(queries.size() + 1, results));
    }
    return new TpchReport(
        machine,
        factor,
        contestants.getFirst().memoryBytes(),
        effort,
        queries,
        contestants.stream().map(contestant -> total(contestant, queries)).toList());
  }

  private static Result result(
      TpchContestant contestant,
      List<TpchContestant> contestants,
      Map<String, TpchMeasured> answers) {
    TpchMeasured own = answers.get(contestant.name());
    if (own == null) {
      throw new IllegalArgumentException("no answer of " + contestant.name());
    }
    TpchMeasured other = answered(contestants, answers, o -> isRival(contestant, o));
    double firstRatio = Double.NaN;
    double warmRatio = Double.NaN;
    if (other != null && own.isAnswered()) {
      firstRatio = own.firstMillis() / other.firstMillis();
      warmRatio = own.warm().median() / other.warm().median();
    }
    return new Result(
        own.rows().size(),
        own.isAnswered() ? difference(own, contestants, answers) : own.failure(),
        own.firstMillis(),
        own.warm(),
        own.peak(),
        firstRatio,
        warmRatio);
  }

  private static boolean isRival(TpchContestant contestant, TpchContestant other) {
    return contestant.isOurs() && !other.isOurs() && contestant.workers() == other.workers();
  }

  /** Held against another database, where one has answered, or else against the first answer. */
  private static String difference(
      TpchMeasured own, List<TpchContestant> contestants, Map<String, TpchMeasured> answers) {
    TpchMeasured expected = answered(contestants, answers, other -> !other.isOurs());
    if (expected == null) {
      expected = answered(contestants, answers, _ -> true);
    }
    return expected == null ? "" : TpchRows.difference(own.rows(), expected.rows());
  }

  private static @Nullable TpchMeasured answered(
      List<TpchContestant> contestants,
      Map<String, TpchMeasured> answers,
      Predicate<TpchContestant> which) {
    return contestants.stream()
        .filter(which)
        .map(contestant -> answers.get(contestant.name()))
        .filter(answer -> answer != null && answer.isAnswered())
        .findFirst()
        .orElse(null);
  }

  private static Total total(TpchContestant contestant, List<Query> queries) {
    List<Result> results =
        queries.stream()
            .map(query -> query.results().get(contestant.name()))
            .filter(result -> result != null && !Double.isNaN(result.warm().median()))
            .toList();
    return new Total(
        contestant.name(),
        contestant.isOurs(),
        (int) results.stream().filter(result -> result.problem().isEmpty()).count(),
        mean(results, Result::firstMillis),
        mean(results, result -> result.warm().median()),
        mean(results, Result::firstRatio),
        mean(results, Result::warmRatio),
        greatest(results, Result::warmRatio),
        new Peak(
            greatest(results, result -> result.peak().bytes()),
            greatest(results, result -> result.peak().ownBytes()),
            greatest(results, result -> result.peak().fileBytes())));
  }

  /** Geometric, of what there is. */
  private static double mean(List<Result> results, ToDoubleFunction<Result> value) {
    return Math.exp(known(results, value).map(Math::log).average().orElse(Double.NaN));
  }

  private static double greatest(List<Result> results, ToDoubleFunction<Result> value) {
    return known(results, value).max().orElse(Double.NaN);
  }

  private static DoubleStream known(List<Result> results, ToDoubleFunction<Result> value) {
    return results.stream().mapToDouble(value).filter(v -> !Double.isNaN(v));
  }

  /** What was not answered, or not as others did. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (Query query : queries) {
      query
          .results()
          .forEach(
              (name, result) -> {
                if (!result.problem().isEmpty()) {
                  problems.add("Q%d, %s: %s".formatted(query.number(), name, result.problem()));
                }
              });
    }
    return problems;
  }
}
