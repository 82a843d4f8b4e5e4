package io.gpdb.bench.tpch;

import io.gpdb.bench.harness.Spread;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/** Answers to the queries on one device, and how long each took. */
final class TpchAnswers {
  /**
   * One query's.
   *
   * @param rows the rows' values as text, in the order in which they came
   * @param failure of the first run that failed; empty where all ended
   * @param firstMillis of the first run
   * @param millis of the later runs
   */
  record Answer(List<List<String>> rows, String failure, double firstMillis, Spread millis) {
    boolean sameAs(Answer other) {
      return failure.isEmpty() && other.failure.isEmpty() && rows.equals(other.rows);
    }
  }

  private TpchAnswers() {}

  /**
   * Answers to all queries.
   *
   * @param told of each query before it begins
   */
  static List<Answer> of(String url, int rounds, Consumer<String> told) throws SQLException {
    List<Answer> answers = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String query : TpchQueries.ALL) {
        told.accept("Q" + (answers.size() + 1));
        answers.add(answer(statement, query, rounds, Integer.MAX_VALUE));
      }
    }
    return answers;
  }

  /**
   * Runs a query once and then again.
   *
   * @param rounds how often at most
   * @param seconds after which it is not run again, once it has been
   */
  static Answer answer(Statement statement, String query, int rounds, int seconds) {
    List<List<String>> rows = List.of();
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    double first = Double.NaN;
    List<Double> later = new ArrayList<>();
    try {
      for (int round = 0; round <= rounds && (round < 2 || System.nanoTime() < end); round++) {
        long start = System.nanoTime();
        rows = rows(statement, query);
        double millis = (System.nanoTime() - start) / 1e6;
        if (round == 0) {
          first = millis;
        } else {
          later.add(millis);
        }
      }
    } catch (SQLException e) {
      String failure = e.getSQLState() + " " + e.getMessage();
      return new Answer(rows, failure, first, Spread.of(later));
    }
    return new Answer(rows, "", first, Spread.of(later));
  }

  static List<List<String>> rows(Statement statement, String query) throws SQLException {
    List<List<String>> rows = new ArrayList<>();
    try (ResultSet result = statement.executeQuery(query)) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int column = 1; column <= columns; column++) {
          row.add(String.valueOf(result.getString(column)));
        }
        rows.add(Collections.unmodifiableList(row));
      }
    }
    return rows;
  }
}
