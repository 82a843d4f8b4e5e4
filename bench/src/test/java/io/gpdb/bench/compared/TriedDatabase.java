package io.gpdb.bench.compared;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.function.IntFunction;

/**
 * A database on which features are tried.
 *
 * @param url of the database in memory with that number
 */
record TriedDatabase(String name, IntFunction<String> url, Properties properties) {
  static final List<TriedDatabase> ALL =
      List.of(
          new TriedDatabase("gpDB", i -> "jdbc:gpdb:mem:compared" + i, new Properties()),
          new TriedDatabase("H2 2.4", i -> "jdbc:h2:mem:compared" + i, new Properties()),
          new TriedDatabase("SQLite 3.54", i -> "jdbc:sqlite::memory:", keyed()));

  private static Properties keyed() {
    Properties properties = new Properties();
    properties.setProperty("foreign_keys", "true");
    return properties;
  }

  boolean has(Feature feature, int number) throws SQLException {
    for (int i = 0; i < feature.spellings().size(); i++) {
      if (works(feature.spellings().get(i), number * 10 + i)) {
        return true;
      }
    }
    return false;
  }

  private boolean works(List<String> lines, int number) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url.apply(number), properties);
        Statement statement = connection.createStatement()) {
      String first = "";
      for (String line : lines) {
        if (line.startsWith("= ")) {
          if (!first.equals(line.substring(2))) {
            return false;
          }
        } else if (line.startsWith("! ")) {
          if (isTaken(connection, statement, line.substring(2))) {
            return false;
          }
        } else {
          try {
            first = run(connection, statement, line);
          } catch (SQLException e) {
            return false;
          }
        }
      }
      return true;
    }
  }

  private static boolean isTaken(Connection connection, Statement statement, String sql) {
    try {
      run(connection, statement, sql);
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  /** The first value of the first row, or nothing. */
  private static String run(Connection connection, Statement statement, String sql)
      throws SQLException {
    switch (sql) {
      case "BEGIN" -> connection.setAutoCommit(false);
      case "COMMIT" -> {
        connection.commit();
        connection.setAutoCommit(true);
      }
      case "ROLLBACK" -> {
        connection.rollback();
        connection.setAutoCommit(true);
      }
      default -> {
        if (statement.execute(sql)) {
          try (ResultSet rows = statement.getResultSet()) {
            return rows.next() ? String.valueOf(rows.getString(1)) : "";
          }
        }
      }
    }
    return "";
  }
}
