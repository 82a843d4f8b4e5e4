package io.gpdb.bench.queries;

import io.gpdb.bench.harness.Spread;
import io.gpdb.bench.queries.Workload.Query;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * What one database answered to a query.
 *
 * @param rows values as text, in the order in which they came
 * @param failure of the first run that failed; empty where all ended
 * @param planMillis until the statement was prepared
 * @param firstMillis of the first run
 * @param laterMillis of the runs after it
 */
record AnswerOf(
    List<List<String>> rows,
    String failure,
    double planMillis,
    double firstMillis,
    Spread laterMillis) {

  static AnswerOf ask(Connection connection, Query query, int rounds, int limitSeconds) {
    List<List<String>> rows = List.of();
    List<Double> later = new ArrayList<>();
    double plan = Double.NaN;
    double first = Double.NaN;
    long start = System.nanoTime();
    try (PreparedStatement statement = connection.prepareStatement(query.sql())) {
      plan = millis(start);
      statement.setQueryTimeout(limitSeconds);
      for (int round = 0; round <= rounds; round++) {
        start = System.nanoTime();
        rows = rows(statement);
        if (round == 0) {
          first = millis(start);
        } else {
          later.add(millis(start));
        }
      }
    } catch (SQLException e) {
      String failure =
          e.getSQLState() + " " + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      return new AnswerOf(List.of(), failure, plan, first, Spread.of(later));
    }
    return new AnswerOf(rows, "", plan, first, Spread.of(later));
  }

  AnswerOf withoutRows() {
    return new AnswerOf(List.of(), failure, planMillis, firstMillis, laterMillis);
  }

  private static double millis(long start) {
    return (System.nanoTime() - start) / 1e6;
  }

  private static List<List<String>> rows(PreparedStatement statement) throws SQLException {
    List<List<String>> rows = new ArrayList<>();
    try (ResultSet result = statement.executeQuery()) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int column = 1; column <= columns; column++) {
          row.add(String.valueOf(result.getString(column)));
        }
        rows.add(row);
      }
    }
    return rows;
  }
}
