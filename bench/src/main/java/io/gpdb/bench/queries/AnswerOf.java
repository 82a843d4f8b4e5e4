package io.gpdb.bench.queries;

import io.gpdb.bench.harness.Spread;
import io.gpdb.bench.queries.Workload.Query;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What one database answered to a query.
 *
 * @param rows values as text, in the order in which they came; floats with an exponent
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
  private static final Pattern DIGITS = Pattern.compile("-?\\d+(\\.\\d+)?");

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
      ResultSetMetaData types = result.getMetaData();
      int columns = types.getColumnCount();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int column = 1; column <= columns; column++) {
          row.add(text(result, column, isFloat(types.getColumnType(column))));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  private static boolean isFloat(int type) {
    return type == Types.DOUBLE || type == Types.FLOAT || type == Types.REAL;
  }

  private static String text(ResultSet result, int column, boolean isFloat) throws SQLException {
    String text = String.valueOf(result.getString(column));
    boolean plain = isFloat && DIGITS.matcher(text).matches();
    return plain ? text + "E0" : text;
  }
}
