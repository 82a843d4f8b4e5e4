package io.gpdb.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Opens the database of a directory and counts the rows of its table T. */
public final class CountingProgram {
  private CountingProgram() {}

  public static void main(String[] arguments) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + arguments[0]);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM t")) {
      row.next();
      System.out.println(row.getLong(1));
    }
  }
}
