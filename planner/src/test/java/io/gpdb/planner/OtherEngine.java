package io.gpdb.planner;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Another database with the same tables; what it refuses to run is counted. */
final class OtherEngine implements AutoCloseable {
  final String name;
  private final Connection connection;
  int refused;
  int answered;
  int disagreed;

  OtherEngine(String name, String url) throws SQLException {
    this.name = name;
    connection = DriverManager.getConnection(url);
  }

  void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The rows as sorted text, or null where the engine refuses or fails. */
  List<String> rows(String sql) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> found = new ArrayList<>();
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          Object value = rows.getObject(i);
          row.add(value == null ? "NULL" : value.toString());
        }
        found.add(String.join("|", row));
      }
      answered++;
      return found.stream().sorted().toList();
    } catch (SQLException | RuntimeException e) {
      refused++;
      return null;
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
