package io.gpdb.bench.tpch;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Spread;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** How far off the planner's estimates of the 22 queries are. */
final class TpchEstimates {
  /**
   * Of one query.
   *
   * @param qErrors of its operators
   * @param worst the operator with the greatest
   */
  record OfQuery(int query, Spread qErrors, PlanEstimate worst) {}

  private static final int OPERATOR_LENGTH_MAX = 60;

  private final List<OfQuery> queries = new ArrayList<>();
  private final List<Double> all = new ArrayList<>();

  /**
   * Runs all queries.
   *
   * @param told of each query before it begins
   */
  static TpchEstimates of(Connection connection, Consumer<String> told) throws SQLException {
    TpchEstimates found = new TpchEstimates();
    try (Statement statement = connection.createStatement()) {
      for (int i = 0; i < TpchQueries.ALL.size(); i++) {
        told.accept("estimates of Q" + (i + 1));
        found.add(i + 1, PlanEstimate.of(statement, TpchQueries.ALL.get(i)));
      }
    }
    return found;
  }

  private void add(int query, List<PlanEstimate> estimates) {
    List<Double> errors = estimates.stream().map(PlanEstimate::qError).toList();
    PlanEstimate worst =
        estimates.stream().max(Comparator.comparingDouble(PlanEstimate::qError)).orElseThrow();
    queries.add(new OfQuery(query, Spread.of(errors), worst));
    all.addAll(errors);
  }

  List<OfQuery> queries() {
    return queries;
  }

  void print(PrintStream out) {
    AlignedTable table =
        new AlignedTable("query", "operators", "q-error", "greatest", "expected", "came", "of");
    for (OfQuery each : queries) {
      table.row(
          "Q" + each.query(),
          Integer.toString(each.qErrors().rounds()),
          AlignedTable.significant(each.qErrors().median()),
          AlignedTable.significant(each.qErrors().max()),
          AlignedTable.significant(each.worst().estimated()),
          AlignedTable.significant(each.worst().actual()),
          shortened(each.worst().operator()));
    }
    table.print(out);
    Spread total = Spread.of(all);
    out.printf(
        "%d operators: median q-error %s, geometric mean %s, greatest %s%n",
        total.rounds(),
        AlignedTable.significant(total.median()),
        AlignedTable.significant(geometricMean()),
        AlignedTable.significant(total.max()));
  }

  private static String shortened(String operator) {
    return operator.length() <= OPERATOR_LENGTH_MAX
        ? operator
        : operator.substring(0, OPERATOR_LENGTH_MAX - 1) + "…";
  }

  private double geometricMean() {
    return Math.exp(all.stream().mapToDouble(Math::log).average().orElse(Double.NaN));
  }

  Map<String, Object> report(double factor) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("workload", "tpch estimates");
    report.put("scale", factor);
    report.put("qErrors", Spread.of(all));
    report.put("geometricMean", geometricMean());
    report.put("queries", queries);
    return report;
  }
}
