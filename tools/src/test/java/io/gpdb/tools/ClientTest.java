package io.gpdb.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small application on one tool, run on a database in memory and on one in a file. */
abstract class ClientTest {
  /** The application; it finds an empty database. */
  abstract void run(String url) throws Exception;

  @Test
  void inMemory() throws Exception {
    String url = "jdbc:gpdb:mem:" + getClass().getSimpleName();
    try (Connection keeper = DriverManager.getConnection(url)) {
      assertThat(keeper.isValid(1)).isTrue();
      run(url);
    }
  }

  @Test
  void inAFile(@TempDir Path directory) throws Exception {
    run("jdbc:gpdb:" + directory.resolve("database"));
  }

  static void execute(String url, String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Rows as text, columns with a bar between them. */
  static List<String> rows(String url, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(String.valueOf(result.getString(i)));
        }
        rows.add(String.join("|", row));
      }
    }
    return rows;
  }
}
