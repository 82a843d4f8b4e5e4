package io.gpdb.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Adds a row to table T of a database, says how many it has, and ends in one of several ways. */
public final class EndingProgram {
  static final String KILLED = "killed";
  static final String CLOSED_BY_A_HOOK = "hook";

  private EndingProgram() {}

  public static void main(String[] arguments) throws SQLException {
    String url = "jdbc:gpdb:" + arguments[0];
    if (arguments[1].equals(CLOSED_BY_A_HOOK)) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> openAndClose(url)));
      return;
    }
    add(DriverManager.getConnection(url));
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  private static void openAndClose(String url) {
    try (Connection connection = DriverManager.getConnection(url)) {
      add(connection);
    } catch (SQLException e) {
      System.out.println("failed: " + e);
      return;
    }
    System.out.println("closed");
  }

  private static void add(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS t (id INTEGER, s VARCHAR(9))");
      statement.execute("INSERT INTO t VALUES (1, 'one')");
      try (ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM t")) {
        row.next();
        System.out.println("rows " + row.getInt(1));
      }
    }
  }
}
