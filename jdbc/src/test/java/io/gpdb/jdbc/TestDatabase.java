package io.gpdb.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLong;

/** A database in memory for one test, and short ways to ask it. */
final class TestDatabase implements AutoCloseable {
  private static final AtomicLong NAMES = new AtomicLong();

  private final String url = "jdbc:gpdb:mem:test" + NAMES.incrementAndGet();
  private final Connection connection;

  TestDatabase(String... statements) throws SQLException {
    connection = DriverManager.getConnection(url);
    for (String sql : statements) {
      execute(connection, sql);
    }
  }

  String url() {
    return url;
  }

  Connection connection() {
    return connection;
  }

  /** Another connection to the same database. */
  Connection another() throws SQLException {
    return DriverManager.getConnection(url);
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  void execute(String sql) throws SQLException {
    execute(connection, sql);
  }

  /** Rows as text, columns with a bar between them; none of a statement that returns a count. */
  static List<String> rows(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute(sql) ? rows(statement.getResultSet()) : List.of();
    }
  }

  static List<String> rows(ResultSet rows) throws SQLException {
    List<String> all = new ArrayList<>();
    int columns = rows.getMetaData().getColumnCount();
    while (rows.next()) {
      StringJoiner row = new StringJoiner("|");
      for (int i = 1; i <= columns; i++) {
        row.add(rows.getString(i)); // which says "null" for NULL
      }
      all.add(row.toString());
    }
    return all;
  }

  List<String> rows(String sql) throws SQLException {
    return rows(connection, sql);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
