package io.gpdb.bench.tpch;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many rows the planner expected of an operator, and how many came, as {@code EXPLAIN ANALYZE}
 * says. The q-error is the factor between them (Moerkotte, Neumann and Steidl, "Preventing bad
 * plans by bounding the impact of cardinality estimation errors", VLDB 2009), with less than one
 * row taken as one.
 *
 * @param operator its line of the plan, up to where it runs
 * @param estimated rows
 * @param actual rows
 */
public record PlanEstimate(String operator, double estimated, double actual) {
  private static final Pattern LINE =
      Pattern.compile("^\\s*(.*) \\[[^\\]]*] rows~([^\\s:]+): (\\d+) rows.*$");

  public double qError() {
    double expected = Math.max(estimated, 1);
    double came = Math.max(actual, 1);
    return Math.max(expected / came, came / expected);
  }

  /** Of all operators of a query that counted their rows; runs it. */
  public static List<PlanEstimate> of(Statement statement, String query) throws SQLException {
    List<PlanEstimate> estimates = new ArrayList<>();
    try (ResultSet plan = statement.executeQuery("EXPLAIN ANALYZE " + query)) {
      while (plan.next()) {
        Matcher line = LINE.matcher(plan.getString(1));
        if (line.matches()) {
          estimates.add(
              new PlanEstimate(
                  line.group(1),
                  Double.parseDouble(line.group(2)),
                  Double.parseDouble(line.group(3))));
        }
      }
    }
    return estimates;
  }
}
