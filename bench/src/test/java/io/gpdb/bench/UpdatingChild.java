package io.gpdb.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** A process that adds one to every tenth row in one statement, over and over, until killed. */
final class UpdatingChild {
  private UpdatingChild() {}

  /** Arguments: JDBC URL. Prints a line after each acknowledged commit. */
  public static void main(String[] arguments) throws SQLException {
    try (Connection connection = DriverManager.getConnection(arguments[0]);
        Statement statement = connection.createStatement()) {
      while (true) {
        statement.executeUpdate("UPDATE t SET v = v + 1 WHERE MOD(id, 10) = 3");
        System.out.println("committed");
        System.out.flush();
      }
    }
  }
}
