package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A batch of texts takes effect whole or not at all, and so cannot end its transaction. */
class TextBatchTest {
  private static final String IDS = "SELECT id FROM t ORDER BY id";

  private TestDatabase database;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY)", "INSERT INTO t VALUES (1)");
    connection = database.connection();
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private void run(String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.addBatch(sql);
      }
      statement.executeBatch();
    }
  }

  private void assertRefused(String sqlState, String message, String... statements) {
    assertThatThrownBy(() -> run(statements))
        .hasMessageContaining(message)
        .isInstanceOfSatisfying(
            BatchUpdateException.class,
            e -> {
              assertThat(e.getSQLState()).isEqualTo(sqlState);
              assertThat(e.getUpdateCounts())
                  .hasSize(statements.length)
                  .containsOnly(Statement.EXECUTE_FAILED);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN",
        "COMMIT",
        "ROLLBACK",
        "SAVEPOINT b",
        "ROLLBACK TO a",
        "RELEASE SAVEPOINT a",
        "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
        "SET transaction_isolation = 'serializable'",
        "SET autocommit = on"
      })
  void whatControlsTheTransactionIsRefusedAndTheTransactionGoesOn(String control)
      throws SQLException {
    connection.setAutoCommit(false);
    database.execute("INSERT INTO t VALUES (20)");
    database.execute("SAVEPOINT a");
    database.execute("INSERT INTO t VALUES (21)");
    assertRefused(
        "25000",
        "cannot be in a batch",
        "INSERT INTO t VALUES (22)",
        control,
        "INSERT INTO t VALUES (1)");
    assertThat(database.rows(IDS)).containsExactly("1", "20", "21");
    database.execute("ROLLBACK TO a");
    connection.commit();
    try (Connection other = database.another()) {
      assertThat(TestDatabase.rows(other, IDS)).containsExactly("1", "20");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT a"})
  void underAutocommitItIsRefusedTooAndNothingStays(String control) throws SQLException {
    assertRefused("25000", "cannot be in a batch", "INSERT INTO t VALUES (2)", control);
    assertThat(database.rows(IDS)).containsExactly("1");
    assertThat(connection.unwrap(GpdbConnection.class).inTransaction()).isFalse();
    run("INSERT INTO t VALUES (2)", "DELETE FROM t WHERE id = 1");
    database.execute("BEGIN");
    database.execute("COMMIT");
    assertThat(database.rows(IDS)).containsExactly("2");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theErrorIsThatOfTheStatementThatFailed(boolean autoCommit) throws SQLException {
    connection.setAutoCommit(autoCommit);
    assertRefused(
        "23505",
        "T_PKEY",
        "CREATE TABLE made (id INTEGER)",
        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE",
        "INSERT INTO t VALUES (2)",
        "INSERT INTO t VALUES (1)");
    assertThat(database.rows(IDS)).containsExactly("1");
    assertThatThrownBy(() -> database.rows("SELECT id FROM made")).isInstanceOf(SQLException.class);
  }

  @Test
  void theFirstStatementOfATransactionMayBeABatch() throws SQLException {
    connection.setAutoCommit(false);
    assertRefused("23505", "T_PKEY", "INSERT INTO t VALUES (2)", "INSERT INTO t VALUES (1)");
    run("INSERT INTO t VALUES (3)");
    connection.commit();
    assertThat(database.rows(IDS)).containsExactly("1", "3");
  }
}
