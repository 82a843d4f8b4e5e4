package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** Searches that go back for ever, or too deep. */
class RegularExpressionsTest {
  private static void state(Statement statement, String sql, String state) {
    assertThatThrownBy(() -> TestDatabase.rows(statement.executeQuery(sql)))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).as("%s", e).isEqualTo(state));
  }

  @Test
  void aSearchWithoutAnEndIsStopped() throws SQLException {
    try (TestDatabase database =
            new TestDatabase(
                "CREATE TABLE t (s VARCHAR)", "INSERT INTO t VALUES (REPEAT('a', 60))");
        Statement statement = database.connection().createStatement()) {
      statement.setQueryTimeout(1);
      long start = System.nanoTime();
      state(statement, "SELECT COUNT(*) FROM t WHERE REGEXP_LIKE(s, '^(a|aa)+\\1?c')", "57014");
      state(statement, "SELECT REGEXP_REPLACE(s, '^(a|aa)+\\1?c', '') FROM t", "57014");
      assertThat(System.nanoTime() - start).isLessThan(20_000_000_000L);
      assertThat(database.rows("SELECT COUNT(*) FROM t")).containsExactly("1");
    }
  }

  @Test
  void aSearchThatGoesTooDeepIsALimit() throws SQLException {
    try (TestDatabase database =
            new TestDatabase(
                "CREATE TABLE t (s VARCHAR)", "INSERT INTO t VALUES (REPEAT('ab', 2000000))");
        Statement statement = database.connection().createStatement()) {
      state(statement, "SELECT COUNT(*) FROM t WHERE REGEXP_LIKE(s, '^(a|b)*$')", "54000");
      state(statement, "SELECT CHAR_LENGTH(REGEXP_REPLACE(s, 'a', '0123456789')) FROM t", "54000");
      assertThat(database.rows("SELECT COUNT(*) FROM t")).containsExactly("1");
    }
  }
}
