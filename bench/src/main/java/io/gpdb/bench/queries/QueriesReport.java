package io.gpdb.bench.queries;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Spread;
import io.gpdb.bench.tpch.PlanEstimate;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** What was found out about all queries. */
record QueriesReport(String machine, List<OfQuery> queries) {
  /**
   * One query.
   *
   * @param answers by database; without their rows
   * @param problem what was not answered, or not as by the first database; empty where all is well
   * @param qErrors of gpDB's operators, where they were asked for
   */
  record OfQuery(
      String name, int rows, String problem, Map<String, AnswerOf> answers, List<Double> qErrors) {

    static OfQuery of(String name, Map<String, AnswerOf> answers, List<PlanEstimate> estimates) {
      Map<String, AnswerOf> times = new LinkedHashMap<>();
      answers.forEach((peer, answer) -> times.put(peer, answer.withoutRows()));
      return new OfQuery(
          name,
          answers.values().iterator().next().rows().size(),
          problem(answers),
          times,
          estimates.stream().map(PlanEstimate::qError).sorted().toList());
    }

    private static String problem(Map<String, AnswerOf> answers) {
      AnswerOf first = null;
      for (Map.Entry<String, AnswerOf> each : answers.entrySet()) {
        AnswerOf answer = each.getValue();
        if (!answer.failure().isEmpty()) {
          return each.getKey() + ": " + answer.failure();
        }
        String difference =
            first == null ? "" : AnswerComparison.difference(first.rows(), answer.rows());
        if (!difference.isEmpty()) {
          return "beside " + each.getKey() + " " + difference;
        }
        first = first == null ? answer : first;
      }
      return "";
    }

    private double time(String peer, ToDoubleFunction<AnswerOf> time) {
      @Nullable AnswerOf answer = answers.get(peer);
      return answer == null ? Double.NaN : time.applyAsDouble(answer);
    }
  }

  /** Answers that are there and equal. */
  long equal() {
    return queries.stream().filter(query -> query.problem().isEmpty()).count();
  }

  /** Queries of which an answer had rows: an answer of none says little. */
  long withRows() {
    return queries.stream().filter(query -> query.rows() > 0).count();
  }

  private Spread qErrors() {
    return Spread.of(queries.stream().flatMap(query -> query.qErrors().stream()).toList());
  }

  private static double geometricMean(DoubleStream values) {
    return Math.exp(
        values.filter(v -> !Double.isNaN(v)).map(Math::log).average().orElse(Double.NaN));
  }

  void print(List<String> peers, PrintStream out) {
    List<String> header = new ArrayList<>(List.of("query", "rows"));
    peers.forEach(peer -> header.add(peer + " ms (first, plan)"));
    header.addAll(List.of("q-error", "greatest", ""));
    AlignedTable table = new AlignedTable(header.toArray(String[]::new));
    for (OfQuery query : queries) {
      List<String> cells = new ArrayList<>(List.of(query.name(), Integer.toString(query.rows())));
      for (String peer : peers) {
        cells.add(
            "%s (%s, %s)"
                .formatted(
                    AlignedTable.significant(query.time(peer, a -> a.laterMillis().median())),
                    AlignedTable.significant(query.time(peer, AnswerOf::firstMillis)),
                    AlignedTable.significant(query.time(peer, AnswerOf::planMillis))));
      }
      Spread errors = Spread.of(query.qErrors());
      cells.add(AlignedTable.significant(errors.median()));
      cells.add(AlignedTable.significant(errors.max()));
      cells.add(query.problem().isEmpty() ? "equal" : "DIFFERS");
      table.row(cells.toArray(String[]::new));
    }
    table.print(out);
    for (OfQuery query : queries) {
      if (!query.problem().isEmpty()) {
        out.println(query.name() + ": " + query.problem());
      }
    }
    out.printf(
        "%d of %d queries answered alike, %d with rows%n", equal(), queries.size(), withRows());
    Spread errors = qErrors();
    if (errors.rounds() > 0) {
      out.printf(
          "%d operators: median q-error %s, geometric mean %s, greatest %s%n",
          errors.rounds(),
          AlignedTable.significant(errors.median()),
          AlignedTable.significant(
              geometricMean(
                  queries.stream()
                      .flatMap(query -> query.qErrors().stream())
                      .mapToDouble(Double::doubleValue))),
          AlignedTable.significant(errors.max()));
    }
  }
}
