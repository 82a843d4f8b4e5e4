package io.gpdb.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What many a process does first: a table, a few rows, a look-up, a change and two aggregates. */
public final class FirstStatementsProgram {
  static final String EXPECTED = "20 two\n1\n2\n32\n";

  private FirstStatementsProgram() {}

  public static void main(String[] arguments) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:first");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, name VARCHAR(20))");
      statement.execute("INSERT INTO t VALUES (1, 10, 'one'), (2, 20, 'two')");
      try (PreparedStatement lookUp =
          connection.prepareStatement("SELECT a, name FROM t WHERE id = ?")) {
        lookUp.setInt(1, 2);
        try (ResultSet row = lookUp.executeQuery()) {
          row.next();
          System.out.println(row.getInt(1) + " " + row.getString(2));
        }
      }
      try (PreparedStatement change =
          connection.prepareStatement("UPDATE t SET a = a + ? WHERE id = ?")) {
        change.setInt(1, 2);
        change.setInt(2, 2);
        System.out.println(change.executeUpdate());
      }
      for (String aggregate : new String[] {"COUNT(*)", "SUM(a)"}) {
        try (ResultSet row = statement.executeQuery("SELECT " + aggregate + " FROM t")) {
          row.next();
          System.out.println(row.getLong(1));
        }
      }
    }
  }
}
