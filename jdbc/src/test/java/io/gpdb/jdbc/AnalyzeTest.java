package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ANALYZE stores, and what becomes of it. */
class AnalyzeTest {
  private static final String FOUND =
      "SELECT column_name, table_rows, null_values, distinct_values"
          + " FROM INFORMATION_SCHEMA.COLUMN_STATISTICS WHERE table_name = 'T'";
  private static final String[] TABLE = {
    "CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(5), n DECIMAL(30, 2), d DATE)",
    "INSERT INTO t VALUES (1, 'a', 1, NULL), (2, 'b', 2, DATE '2000-01-01'), (3, 'a', NULL, NULL)"
  };
  private static final List<String> OF_THREE =
      List.of("ID|3|0|3", "NAME|3|0|2", "N|3|1|2", "D|3|2|1");

  private static void run(Connection connection, String... statements) throws SQLException {
    for (String sql : statements) {
      TestDatabase.execute(connection, sql);
    }
  }

  @Test
  void columnsAreCountedAndTheCountsAreKept(@TempDir Path directory) throws SQLException {
    String url = "jdbc:gpdb:" + directory;
    try (Connection connection = DriverManager.getConnection(url)) {
      run(connection, TABLE);
      assertThat(TestDatabase.rows(connection, FOUND)).isEmpty();
      run(connection, "ANALYZE t");
      assertThat(TestDatabase.rows(connection, FOUND)).isEqualTo(OF_THREE);
      run(connection, "DELETE FROM t WHERE id = 3");
      assertThat(TestDatabase.rows(connection, FOUND)).isEqualTo(OF_THREE);
    }
    try (Connection connection = DriverManager.getConnection(url)) {
      assertThat(TestDatabase.rows(connection, FOUND)).isEqualTo(OF_THREE);
      run(connection, "ANALYZE");
      assertThat(TestDatabase.rows(connection, FOUND))
          .containsExactly("ID|2|0|2", "NAME|2|0|2", "N|2|0|2", "D|2|1|1");
    }
  }

  @Test
  void theyGoWithTheirTransactionAndTheirTable() throws SQLException {
    try (TestDatabase database = new TestDatabase(TABLE)) {
      run(database.connection(), "START TRANSACTION", "ANALYZE t", "ROLLBACK");
      assertThat(database.rows(FOUND)).isEmpty();
      run(database.connection(), "ANALYZE TABLE t", "VACUUM t");
      assertThat(database.rows(FOUND)).isEqualTo(OF_THREE);
      run(
          database.connection(),
          "ALTER TABLE t DROP COLUMN name",
          "ALTER TABLE t RENAME COLUMN d TO day",
          "ALTER TABLE t ALTER COLUMN n SET DATA TYPE DECIMAL(32, 2)",
          "ALTER TABLE t ADD COLUMN other INT",
          "CREATE TABLE copy (LIKE t)");
      assertThat(database.rows(FOUND)).containsExactly("ID|3|0|3", "DAY|3|2|1");
      assertThat(database.rows(FOUND.replace("'T'", "'COPY'"))).isEmpty();
      run(database.connection(), "DROP TABLE t");
      assertThat(database.rows(FOUND)).isEmpty();
    }
  }

  @Test
  void anEmptyTableHasThemToo() throws SQLException {
    try (TestDatabase database = new TestDatabase(TABLE[0], "ANALYZE t")) {
      assertThat(database.rows(FOUND))
          .containsExactly("ID|0|0|0", "NAME|0|0|0", "N|0|0|0", "D|0|0|0");
      assertThat(database.rows("SELECT a.id FROM t a, t b, t c WHERE a.id = b.id AND b.n = c.n"))
          .isEmpty();
    }
  }

  @Test
  void whatIsNoTableIsNotAnalyzed() throws SQLException {
    try (TestDatabase database = new TestDatabase(TABLE[0], "CREATE VIEW v AS SELECT id FROM t")) {
      for (String name : List.of("v", "nothing", "INFORMATION_SCHEMA.TABLES")) {
        assertThat(state(database, "ANALYZE " + name)).isEqualTo(state(database, "VACUUM " + name));
      }
    }
  }

  private static String state(TestDatabase database, String sql) {
    return assertThrows(SQLException.class, () -> database.execute(sql)).getSQLState();
  }
}
