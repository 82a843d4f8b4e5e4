package io.gpdb.jdbc.isolation;

import static io.gpdb.jdbc.isolation.IsolationDatabase.assertConflict;
import static io.gpdb.jdbc.isolation.IsolationDatabase.execute;
import static io.gpdb.jdbc.isolation.IsolationDatabase.rows;
import static java.sql.Connection.TRANSACTION_REPEATABLE_READ;
import static java.sql.Connection.TRANSACTION_SERIALIZABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * However a transaction was begun, its level may be set before its first statement and then holds:
 * a write skew is refused at SERIALIZABLE, and no more in the transaction after it.
 */
class SetTransactionTest {
  private static final String ALL = "SELECT id, v FROM test";
  private static final String SERIALIZABLE = "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE";
  private static final String DUPLICATE = "INSERT INTO test VALUES (1, 10)";

  private IsolationDatabase database;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    database = new IsolationDatabase("(1, 10), (2, 20)");
    connection = database.transaction(TRANSACTION_REPEATABLE_READ);
    connection.setAutoCommit(true);
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  /** What came before a transaction in which nothing has run yet. */
  private enum Way {
    QUERY_THEN_BEGIN {
      @Override
      void go(Connection connection) throws SQLException {
        rows(connection, ALL);
        execute(connection, "BEGIN");
      }
    },
    OPEN_ROWS_THEN_BEGIN {
      @Override
      void go(Connection connection) throws SQLException {
        connection.createStatement().executeQuery(ALL).next();
        execute(connection, "BEGIN");
      }
    },
    CHANGE_THEN_BEGIN {
      @Override
      void go(Connection connection) throws SQLException {
        execute(connection, "UPDATE test SET v = 11 WHERE id = 1");
        execute(connection, "BEGIN");
      }
    },
    DEFINITION_THEN_BEGIN {
      @Override
      void go(Connection connection) throws SQLException {
        execute(connection, "CREATE TABLE other (id INTEGER)");
        execute(connection, "BEGIN");
      }
    },
    FAILED_CHANGE_THEN_BEGIN {
      @Override
      void go(Connection connection) throws SQLException {
        assertThatThrownBy(() -> execute(connection, DUPLICATE)).hasMessageContaining("TEST");
        execute(connection, "BEGIN");
      }
    },
    BATCHES_THEN_BEGIN {
      @Override
      void go(Connection connection) throws SQLException {
        runBatches(connection);
        execute(connection, "BEGIN");
      }
    },
    COMMIT_THEN_BEGIN {
      @Override
      void go(Connection connection) throws SQLException {
        execute(connection, "BEGIN");
        rows(connection, ALL);
        execute(connection, "COMMIT");
        execute(connection, "BEGIN");
      }
    },
    ROLLBACK_THEN_QUERY_THEN_BEGIN {
      @Override
      void go(Connection connection) throws SQLException {
        execute(connection, "BEGIN");
        execute(connection, "DELETE FROM test");
        execute(connection, "ROLLBACK");
        rows(connection, ALL);
        execute(connection, "BEGIN");
      }
    },
    CHANGE_THEN_AUTOCOMMIT_OFF {
      @Override
      void go(Connection connection) throws SQLException {
        execute(connection, "UPDATE test SET v = 11 WHERE id = 1");
        connection.setAutoCommit(false);
      }
    },
    CHANGE_THEN_AUTOCOMMIT_OFF_IN_SQL {
      @Override
      void go(Connection connection) throws SQLException {
        execute(connection, "UPDATE test SET v = 11 WHERE id = 1");
        execute(connection, "SET autocommit = off");
      }
    },
    COMMIT_WITHOUT_AUTOCOMMIT {
      @Override
      void go(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        execute(connection, "UPDATE test SET v = 11 WHERE id = 1");
        connection.commit();
      }
    },
    ROLLBACK_WITHOUT_AUTOCOMMIT {
      @Override
      void go(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        execute(connection, "UPDATE test SET v = 11 WHERE id = 1");
        connection.rollback();
      }
    },
    BEGIN_WITHOUT_AUTOCOMMIT {
      @Override
      void go(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        execute(connection, "BEGIN");
      }
    },
    AUTOCOMMIT_ON_AND_OFF {
      @Override
      void go(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        execute(connection, "UPDATE test SET v = 11 WHERE id = 1");
        connection.setAutoCommit(true);
        rows(connection, ALL);
        connection.setAutoCommit(false);
      }
    },
    UNKNOWN_TABLE_AFTER_BEGIN {
      @Override
      void go(Connection connection) throws SQLException {
        rows(connection, ALL);
        execute(connection, "BEGIN");
        assertThatThrownBy(() -> rows(connection, "SELECT a FROM nowhere"))
            .isInstanceOf(SQLException.class);
      }
    },
    SHOW_AFTER_BEGIN {
      @Override
      void go(Connection connection) throws SQLException {
        rows(connection, ALL);
        execute(connection, "BEGIN");
        execute(connection, "SHOW transaction_isolation");
        execute(connection, "SET persistency = undo");
      }
    };

    abstract void go(Connection connection) throws SQLException;
  }

  /** What is the first statement of a transaction, after which its level stays. */
  private enum First {
    QUERY {
      @Override
      void go(Connection connection, Path folder) throws SQLException {
        rows(connection, ALL);
      }
    },
    CHANGE {
      @Override
      void go(Connection connection, Path folder) throws SQLException {
        execute(connection, "DELETE FROM test WHERE id = 1");
      }
    },
    FAILED_CHANGE {
      @Override
      void go(Connection connection, Path folder) throws SQLException {
        assertThatThrownBy(() -> execute(connection, DUPLICATE)).isInstanceOf(SQLException.class);
      }
    },
    BATCHES {
      @Override
      void go(Connection connection, Path folder) throws SQLException {
        runBatches(connection);
      }
    },
    COPY {
      @Override
      void go(Connection connection, Path folder) throws SQLException {
        execute(connection, "COPY test TO '" + folder.resolve("out.csv") + "' (FORMAT CSV)");
      }
    },
    SAVEPOINT {
      @Override
      void go(Connection connection, Path folder) throws SQLException {
        execute(connection, "SAVEPOINT a");
      }
    };

    abstract void go(Connection connection, Path folder) throws SQLException;
  }

  private static void runBatches(Connection connection) throws SQLException {
    try (PreparedStatement rows = connection.prepareStatement("INSERT INTO test VALUES (?, ?)");
        Statement texts = connection.createStatement()) {
      rows.setInt(1, 3);
      rows.setInt(2, 30);
      rows.addBatch();
      rows.executeBatch();
      texts.addBatch("DELETE FROM test WHERE id = 3");
      texts.executeBatch();
    }
  }

  private static String shown(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SHOW transaction_isolation")) {
      rows.next();
      return rows.getString(1);
    }
  }

  /** Reads all, and changes one row while another transaction changes the other. */
  private void skew() throws SQLException {
    assertThat(rows(connection, ALL)).hasSize(2);
    execute(connection, "UPDATE test SET v = v + 1 WHERE id = 1");
    execute(database.setUp(), "UPDATE test SET v = v + 1 WHERE id = 2");
  }

  /** The current transaction, and no later one, is serializable. */
  private void assertSerializableOnce() throws SQLException {
    assertThat(shown(connection)).isEqualTo("serializable");
    skew();
    assertConflict(() -> execute(connection, "COMMIT"));
    assertThat(shown(connection)).isEqualTo("repeatable-read");
    if (connection.getAutoCommit()) {
      execute(connection, "BEGIN");
    }
    skew();
    execute(connection, "COMMIT");
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void theLevelSetInANewTransactionHolds(Way way) throws SQLException {
    way.go(connection);
    execute(connection, SERIALIZABLE);
    assertSerializableOnce();
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void jdbcSetsTheLevelOfANewTransactionAndOfLaterOnes(Way way) throws SQLException {
    way.go(connection);
    connection.setTransactionIsolation(TRANSACTION_SERIALIZABLE);
    for (int i = 0; i < 2; i++) {
      assertThat(shown(connection)).isEqualTo("serializable");
      skew();
      assertConflict(() -> execute(connection, "COMMIT"));
      if (connection.getAutoCommit()) {
        execute(connection, "BEGIN");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(First.class)
  void afterItsFirstStatementATransactionKeepsItsLevel(First first, @TempDir Path folder)
      throws SQLException {
    rows(connection, ALL);
    execute(connection, "BEGIN");
    first.go(connection, folder);
    assertThatThrownBy(() -> execute(connection, SERIALIZABLE))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25000"));
    assertThatThrownBy(() -> connection.setTransactionIsolation(TRANSACTION_SERIALIZABLE))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25000"));
    assertThat(shown(connection)).isEqualTo("repeatable-read");
    assertThat(connection.getTransactionIsolation()).isEqualTo(TRANSACTION_REPEATABLE_READ);
  }

  @Test
  void aLevelSetUnderAutocommitHoldsInTheTransactionThatBegins() throws SQLException {
    rows(connection, ALL);
    execute(connection, SERIALIZABLE);
    execute(connection, "BEGIN");
    assertSerializableOnce();
    execute(connection, SERIALIZABLE);
    connection.setAutoCommit(false);
    assertSerializableOnce();
  }

  @Test
  void theLevelOfBeginHoldsAfterAStatementUnderAutocommit() throws SQLException {
    rows(connection, ALL);
    execute(connection, "BEGIN ISOLATION LEVEL SERIALIZABLE");
    assertSerializableOnce();
  }

  @Test
  void theLevelMayBeSetAgainWhileNothingHasRun() throws SQLException {
    rows(connection, ALL);
    execute(connection, "BEGIN ISOLATION LEVEL SERIALIZABLE");
    execute(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    execute(connection, SERIALIZABLE);
    assertSerializableOnce();
  }

  @Test
  void aLevelSetForATransactionThatEndsUnusedIsForgotten() throws SQLException {
    rows(connection, ALL);
    execute(connection, "BEGIN");
    execute(connection, SERIALIZABLE);
    execute(connection, "ROLLBACK");
    execute(connection, "BEGIN");
    skew();
    execute(connection, "COMMIT");
    assertThat(shown(connection)).isEqualTo("repeatable-read");
  }

  @Test
  void aCommitOfNothingKeepsTheLevelSetForTheNextTransaction() throws SQLException {
    execute(connection, SERIALIZABLE);
    execute(connection, "COMMIT");
    execute(connection, "BEGIN");
    assertSerializableOnce();
  }

  @Test
  void withoutAutocommitBeginMayBeTheFirstStatementAndNoLaterOne() throws SQLException {
    connection.setAutoCommit(false);
    execute(connection, SERIALIZABLE);
    execute(connection, "BEGIN");
    assertBeginRefused();
    assertSerializableOnce();
    rows(connection, ALL);
    assertBeginRefused();
    connection.commit();
    execute(connection, "BEGIN ISOLATION LEVEL SERIALIZABLE");
    assertSerializableOnce();
  }

  private void assertBeginRefused() {
    assertThatThrownBy(() -> execute(connection, "BEGIN"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25000"))
        .hasMessageContaining("open already");
  }
}
