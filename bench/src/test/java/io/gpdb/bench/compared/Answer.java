package io.gpdb.bench.compared;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** What gpDB answers: rows of texts in the order of these, or a state and its message. */
record Answer(List<List<String>> rows, String error) {
  private static final int TIMEOUT_SECONDS = Integer.getInteger("gpdb.timeout", 5);

  /** A query that is refused, takes too long or needs more memory says nothing of its rows. */
  private static final String UNDECIDED = "57014|53200|0A000";

  static Answer of(List<List<String>> rows) {
    return new Answer(
        rows.stream().sorted((a, b) -> a.toString().compareTo(b.toString())).toList(), "");
  }

  static Answer of(SQLException e) {
    return new Answer(List.of(), e.getSQLState() + " " + e.getMessage());
  }

  static Answer of(Connection database, String sql) {
    try (Statement statement = database.createStatement()) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      try (ResultSet rows = statement.executeQuery(sql)) {
        return of(rows(rows));
      }
    } catch (SQLException e) {
      return of(e);
    }
  }

  /** What a statement that was prepared, and whose parameters are bound, returns. */
  static Answer of(PreparedStatement statement) {
    try {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      try (ResultSet rows = statement.executeQuery()) {
        return of(rows(rows));
      }
    } catch (SQLException e) {
      return of(e);
    }
  }

  /** What a query around this one returns. */
  Answer map(UnaryOperator<List<List<String>>> change) {
    return error.isEmpty() ? of(change.apply(rows)) : this;
  }

  String state() {
    return error.isEmpty() ? "" : error.substring(0, 5);
  }

  boolean isUndecided() {
    return state().matches(UNDECIDED);
  }

  boolean isSame(Answer other) {
    return rows.equals(other.rows) && state().equals(other.state());
  }

  private static List<List<String>> rows(ResultSet result) throws SQLException {
    ResultSetMetaData columns = result.getMetaData();
    List<List<String>> rows = new ArrayList<>();
    while (result.next()) {
      List<String> row = new ArrayList<>();
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        String text = QueriesBesideDuckDbTest.text(result.getObject(i));
        boolean wrong =
            result.wasNull() && columns.isNullable(i) == ResultSetMetaData.columnNoNulls;
        row.add(wrong ? "NULL in a column without NULLs" : text);
      }
      rows.add(row);
    }
    return rows;
  }

  @Override
  public String toString() {
    return error.isEmpty() ? rows.size() + " rows " + few() : error;
  }

  private String few() {
    String all = rows.toString();
    return all.length() > 400 ? all.substring(0, 400) + "…" : all;
  }
}
