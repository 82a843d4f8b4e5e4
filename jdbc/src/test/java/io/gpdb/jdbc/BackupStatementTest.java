package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackupStatementTest {
  @TempDir Path temp;

  private static long count(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM t WHERE name = 'n'")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Test
  void aBackupOfFilesAndOfMemoryIsADatabase() throws SQLException {
    for (String source : new String[] {"mem:backed-up", temp.resolve("db").toString()}) {
      Path copy = temp.resolve("copy" + source.length());
      try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + source);
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(10))");
        statement.execute("INSERT INTO t VALUES (1, 'n'), (2, 'n')");
        connection.setAutoCommit(false);
        statement.execute("INSERT INTO t VALUES (3, 'n')");
        statement.execute("BACKUP TO '" + copy + "'");
        connection.commit();
        assertThatThrownBy(() -> statement.execute("BACKUP TO '" + copy + "'"))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("58P02"));
        assertThat(count(connection)).isEqualTo(3);
        connection.rollback();
      }
      try (Connection restored =
              DriverManager.getConnection("jdbc:gpdb:" + copy + ";readonly=true");
          Statement statement = restored.createStatement()) {
        assertThat(count(restored)).isEqualTo(2);
        assertThat(restored.unwrap(GpdbConnection.class).check()).isEmpty();
        assertThatThrownBy(() -> statement.execute("INSERT INTO t VALUES (9, 'n')"))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25006"));
      }
      try (Connection restored = DriverManager.getConnection("jdbc:gpdb:" + copy);
          Statement statement = restored.createStatement()) {
        statement.execute("INSERT INTO t VALUES (9, 'n')");
        assertThat(count(restored)).isEqualTo(3);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  "})
  void aBackupToNoDirectoryIsRefused(String directory) throws SQLException, IOException {
    Path working = Path.of("");
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:");
        Statement statement = connection.createStatement();
        Stream<Path> before = Files.list(working)) {
      assertThatThrownBy(() -> statement.execute("BACKUP TO '" + directory + "'"))
          .hasMessageContaining("names no directory")
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22023"));
      try (Stream<Path> after = Files.list(working)) {
        assertThat(after.toList()).containsExactlyInAnyOrderElementsOf(before.toList());
      }
    }
  }
}
