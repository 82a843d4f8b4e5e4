package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Savepoint;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TransactionTest {
  private TestDatabase database;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)",
            "INSERT INTO t VALUES (1, 10), (2, 20)");
    connection = database.connection();
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private static final String ALL = "SELECT id, v FROM t ORDER BY id";

  @Test
  void withoutAutocommitNothingIsSeenBeforeTheCommit() throws SQLException {
    connection.setAutoCommit(false);
    database.execute("UPDATE t SET v = 11 WHERE id = 1");
    try (Connection other = database.another()) {
      assertThat(TestDatabase.rows(other, ALL)).containsExactly("1|10", "2|20");
      connection.commit();
      assertThat(TestDatabase.rows(other, ALL)).containsExactly("1|11", "2|20");
    }
  }

  @Test
  void aTransactionThatASavepointBeginsHasTheLevelThatWasSetForIt() throws SQLException {
    database.execute("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
    connection.setAutoCommit(false);
    Savepoint savepoint = connection.setSavepoint();
    assertThat(database.rows("SHOW transaction_isolation")).containsExactly("serializable");
    assertThatThrownBy(() -> database.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED"))
        .hasMessageContaining("after its first statement");
    database.execute("UPDATE t SET v = 11 WHERE id = 1");
    connection.rollback(savepoint);
    connection.commit();
    assertThat(database.rows(ALL)).containsExactly("1|10", "2|20");
  }

  @Test
  void rollbackAndClosingUndoTheTransaction() throws SQLException {
    connection.setAutoCommit(false);
    database.execute("DELETE FROM t");
    connection.rollback();
    assertThat(database.rows(ALL)).containsExactly("1|10", "2|20");
    try (Connection other = database.another()) {
      other.setAutoCommit(false);
      TestDatabase.execute(other, "INSERT INTO t VALUES (3, 30)");
    }
    assertThat(database.rows(ALL)).hasSize(2);
  }

  @Test
  void switchingAutocommitOnCommits() throws SQLException {
    connection.setAutoCommit(false);
    database.execute("DELETE FROM t WHERE id = 1");
    connection.setAutoCommit(true);
    try (Connection other = database.another()) {
      assertThat(TestDatabase.rows(other, ALL)).containsExactly("2|20");
    }
    assertThatThrownBy(connection::commit)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25000"));
  }

  private long rollbacks() throws SQLException {
    return Long.parseLong(
        database
            .rows(
                "SELECT statistic_value FROM information_schema.gpdb_statistics"
                    + " WHERE statistic_name = 'rollbacks'")
            .getFirst());
  }

  @Test
  void onlyWhatHadBegunToChangeSomethingCountsAsRolledBack() throws SQLException {
    long before = rollbacks();
    for (String sql :
        new String[] {
          "SET persistency = undo",
          "SHOW ALL",
          "SHOW persistency",
          "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
          "BEGIN",
          "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
          "COMMIT",
          "CHECKPOINT",
          ALL
        }) {
      database.execute(sql);
    }
    connection.prepareStatement(ALL).close();
    connection.getMetaData().getTables(null, null, "%", null).close();
    assertThat(connection.isValid(0)).isTrue();
    assertThat(rollbacks()).isEqualTo(before);
    database.execute("BEGIN");
    database.execute("DELETE FROM t");
    database.execute("ROLLBACK");
    assertThatThrownBy(() -> database.execute("INSERT INTO t VALUES (1, 1)"))
        .isInstanceOf(SQLException.class);
    assertThat(rollbacks()).isEqualTo(before + 2);
  }

  @Test
  void aFailedStatementLeavesTheTransactionAlive() throws SQLException {
    connection.setAutoCommit(false);
    database.execute("INSERT INTO t VALUES (3, 30)");
    assertThatThrownBy(() -> database.execute("INSERT INTO t VALUES (4, 40), (1, 0)"))
        .isInstanceOf(SQLIntegrityConstraintViolationException.class);
    assertThatThrownBy(() -> database.execute("SELECT * FROM missing"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42S02"));
    connection.commit();
    assertThat(database.rows(ALL)).containsExactly("1|10", "2|20", "3|30");
  }

  @Test
  void savepointsUndoWhatCameAfterThem() throws SQLException {
    connection.setAutoCommit(false);
    Savepoint unnamed = connection.setSavepoint();
    database.execute("UPDATE t SET v = 0");
    Savepoint named = connection.setSavepoint("later");
    database.execute("DELETE FROM t");
    connection.rollback(named);
    assertThat(database.rows(ALL)).containsExactly("1|0", "2|0");
    connection.rollback(unnamed);
    assertThat(database.rows(ALL)).containsExactly("1|10", "2|20");
    assertThat(named.getSavepointName()).isEqualTo("later");
    assertThatThrownBy(named::getSavepointId).isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> connection.rollback(named)).hasMessageContaining("later");
    connection.releaseSavepoint(unnamed);
    connection.commit();
  }

  @Test
  void sqlBeginsAndEndsTransactionsOverAutocommit() throws SQLException {
    database.execute("BEGIN");
    database.execute("UPDATE t SET v = 1 WHERE id = 1");
    database.execute("SAVEPOINT a");
    database.execute("UPDATE t SET v = 2 WHERE id = 1");
    database.execute("ROLLBACK TO SAVEPOINT a");
    assertThatThrownBy(() -> database.execute("BEGIN"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25000"));
    try (Connection other = database.another()) {
      assertThat(TestDatabase.rows(other, ALL)).containsExactly("1|10", "2|20");
    }
    database.execute("COMMIT");
    try (Connection other = database.another()) {
      assertThat(TestDatabase.rows(other, ALL)).containsExactly("1|1", "2|20");
    }
    database.execute("BEGIN");
    database.execute("DELETE FROM t");
    database.execute("ROLLBACK");
    assertThat(database.rows(ALL)).hasSize(2);
  }

  @Test
  void definitionsAreTransactional() throws SQLException {
    connection.setAutoCommit(false);
    database.execute("CREATE TABLE u (a INTEGER)");
    database.execute("INSERT INTO u VALUES (1)");
    connection.rollback();
    assertThatThrownBy(() -> database.rows("SELECT * FROM u")).hasMessageContaining("U");
  }

  @Test
  void theSecondWriterOfARowIsTurnedAway() throws SQLException {
    connection.setAutoCommit(false);
    database.execute("UPDATE t SET v = 11 WHERE id = 1");
    try (Connection other = database.another()) {
      assertThatThrownBy(() -> TestDatabase.execute(other, "UPDATE t SET v = 12 WHERE id = 1"))
          .isInstanceOfSatisfying(
              SQLTransactionRollbackException.class,
              e -> assertThat(e.getSQLState()).isEqualTo("40001"));
    }
    connection.commit();
  }

  @Test
  void anOpenResultSetDoesNotSeeChangesOfItsOwnTransaction() throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id FROM t ORDER BY id")) {
      rows.next();
      database.execute("DELETE FROM t");
      assertThat(rows.getInt(1)).isEqualTo(1);
      assertThat(rows.next()).isTrue();
      assertThat(rows.getInt(1)).isEqualTo(2);
      assertThat(rows.next()).isFalse();
    }
    connection.rollback();
  }

  @Test
  void commitClosesOpenResultSets() throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      ResultSet rows = statement.executeQuery(ALL);
      rows.next();
      connection.commit();
      assertThat(rows.isClosed()).isTrue();
    }
  }

  @Test
  void withAutocommitAnOpenResultSetOutlivesOtherStatements() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id FROM t ORDER BY id")) {
      rows.next();
      database.execute("INSERT INTO t VALUES (0, 0), (9, 9)");
      database.execute("DELETE FROM t WHERE id = 2");
      assertThat(TestDatabase.rows(rows)).containsExactly("2");
    }
    assertThat(database.rows("SELECT id FROM t ORDER BY id")).containsExactly("0", "1", "9");
  }
}
