package io.gpdb.planner;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Another database with the same tables; what it refuses to run is counted. */
final class OtherEngine implements AutoCloseable {
  /** H2 takes (1, 2) IN (VALUES (NULL, 0)) for unknown, but it is false. */
  private static final Pattern ROW_IN = Pattern.compile(", [xt]\\d+\\.[abc]\\) (NOT )?IN \\(");

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
    if (name.equals("H2") && ROW_IN.matcher(sql).find()) {
      refused++;
      return null;
    }
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
