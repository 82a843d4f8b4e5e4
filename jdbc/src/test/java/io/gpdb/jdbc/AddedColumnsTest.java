package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows inserted before a column is added in one transaction, as a killed process leaves them. */
class AddedColumnsTest {
  private static final List<String> EXPECTED =
      List.of("0 77 was here", "1 77 was here", "2 78 was here");

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "undo, true",
    "undo, false",
    "redo, true",
    "redo, false",
    "versioned, true",
    "checksummed, true",
    "checksummed, false",
    "auto, true",
    "auto, false"
  })
  void rowsKeepWhatAColumnHasByDefault(String persistency, boolean created) throws Exception {
    Path files = directory.resolve("db");
    Path copy = directory.resolve("copy");
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + files);
        Statement statement = connection.createStatement()) {
      if (!created) {
        statement.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        statement.execute("INSERT INTO t VALUES (0)");
        statement.execute("CHECKPOINT");
      }
      connection.setAutoCommit(false);
      statement.execute("SET persistency = " + persistency);
      if (created) {
        statement.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        statement.execute("INSERT INTO t VALUES (0)");
      }
      statement.execute("INSERT INTO t VALUES (1), (2)");
      statement.execute("ALTER TABLE t ADD COLUMN c INT DEFAULT 77");
      statement.execute("ALTER TABLE t ADD COLUMN s VARCHAR(20) DEFAULT 'was here'");
      statement.execute("SET persistency = redo");
      statement.execute("UPDATE t SET c = 78 WHERE id = 2");
      connection.commit();
      assertThat(rows(statement)).isEqualTo(EXPECTED);
      CopiedFiles.copy(files, copy);
    }
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + copy);
        Statement statement = connection.createStatement()) {
      assertThat(rows(statement)).isEqualTo(EXPECTED);
    }
  }

  private static List<String> rows(Statement statement) throws SQLException {
    List<String> found = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery("SELECT id, c, s FROM t ORDER BY id")) {
      while (rows.next()) {
        found.add(rows.getInt(1) + " " + rows.getInt(2) + " " + rows.getString(3));
      }
    }
    return found;
  }
}
