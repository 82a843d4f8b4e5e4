package io.gpdb.jdbc.isolation;

import static io.gpdb.jdbc.isolation.IsolationDatabase.assertConflict;
import static io.gpdb.jdbc.isolation.IsolationDatabase.execute;
import static io.gpdb.jdbc.isolation.IsolationDatabase.rows;
import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static java.sql.Connection.TRANSACTION_READ_UNCOMMITTED;
import static java.sql.Connection.TRANSACTION_REPEATABLE_READ;
import static java.sql.Connection.TRANSACTION_SERIALIZABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** How a level is chosen, and what SERIALIZABLE takes for read. */
@ParameterizedClass
@EnumSource(IsolationDatabase.Place.class)
class LevelsTest {
  private static final String ALL = "SELECT id, v FROM test";

  private final IsolationDatabase.Place place;
  private IsolationDatabase database;

  LevelsTest(IsolationDatabase.Place place) {
    this.place = place;
  }

  @BeforeEach
  void open() throws SQLException {
    database = new IsolationDatabase(place, "(1, 10), (2, 20)");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private static String shown(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SHOW transaction_isolation")) {
      rows.next();
      return rows.getString(1);
    }
  }

  private Connection serializable() throws SQLException {
    return database.transaction(TRANSACTION_SERIALIZABLE);
  }

  private void commitElsewhere(String sql) throws SQLException {
    execute(database.setUp(), sql);
  }

  @Test
  void theDriverSaysWhichLevelsThereAre() throws SQLException {
    Connection connection = database.transaction(TRANSACTION_READ_UNCOMMITTED);
    assertThat(connection.getTransactionIsolation()).isEqualTo(TRANSACTION_READ_UNCOMMITTED);
    for (int level :
        new int[] {
          TRANSACTION_READ_UNCOMMITTED,
          TRANSACTION_READ_COMMITTED,
          TRANSACTION_REPEATABLE_READ,
          TRANSACTION_SERIALIZABLE
        }) {
      assertThat(connection.getMetaData().supportsTransactionIsolationLevel(level)).isTrue();
    }
    assertThat(
            connection.getMetaData().supportsTransactionIsolationLevel(Connection.TRANSACTION_NONE))
        .isFalse();
    assertThat(connection.getMetaData().getDefaultTransactionIsolation())
        .isEqualTo(TRANSACTION_REPEATABLE_READ);
  }

  @Test
  void setTransactionIsForOneTransaction() throws SQLException {
    Connection connection = database.transaction(TRANSACTION_REPEATABLE_READ);
    execute(connection, "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
    assertThat(shown(connection)).isEqualTo("serializable");
    rows(connection, ALL);
    assertThat(shown(connection)).isEqualTo("serializable");
    connection.commit();
    assertThat(shown(connection)).isEqualTo("repeatable-read");
    assertThat(connection.getTransactionIsolation()).isEqualTo(TRANSACTION_REPEATABLE_READ);
  }

  @Test
  void setTransactionUnderAutocommitIsForTheNext() throws SQLException {
    Connection connection = database.setUp();
    execute(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    execute(connection, "BEGIN");
    assertThat(shown(connection)).isEqualTo("read-committed");
    execute(connection, "COMMIT");
    assertThat(shown(connection)).isEqualTo("repeatable-read");
    execute(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    rows(connection, ALL);
    assertThat(shown(connection)).isEqualTo("repeatable-read");
  }

  @Test
  void sessionCharacteristicsAreForAllTransactionsToCome() throws SQLException {
    Connection connection = database.setUp();
    execute(connection, "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE");
    for (int i = 0; i < 2; i++) {
      execute(connection, "BEGIN");
      assertThat(shown(connection)).isEqualTo("serializable");
      execute(connection, "COMMIT");
    }
    assertThat(connection.getTransactionIsolation()).isEqualTo(TRANSACTION_SERIALIZABLE);
    execute(connection, "SET transaction_isolation = 'snapshot'");
    assertThat(connection.getTransactionIsolation()).isEqualTo(TRANSACTION_REPEATABLE_READ);
  }

  @Test
  void beginMayNameTheLevel() throws SQLException {
    Connection connection = database.setUp();
    execute(connection, "START TRANSACTION ISOLATION LEVEL SERIALIZABLE");
    assertThat(shown(connection)).isEqualTo("serializable");
    execute(connection, "ROLLBACK");
    assertThat(shown(connection)).isEqualTo("repeatable-read");
  }

  @Test
  void aTransactionThatHasBegunKeepsItsLevel() throws SQLException {
    Connection connection = database.transaction(TRANSACTION_REPEATABLE_READ);
    rows(connection, ALL);
    assertThatThrownBy(() -> connection.setTransactionIsolation(TRANSACTION_SERIALIZABLE))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25000"));
    assertThatThrownBy(() -> execute(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED"))
        .hasMessageContaining("after its first statement");
    assertThat(shown(connection)).isEqualTo("repeatable-read");
    connection.commit();
    connection.setTransactionIsolation(TRANSACTION_SERIALIZABLE);
    assertThat(shown(connection)).isEqualTo("serializable");
  }

  @Test
  void atReadCommittedOpenRowsStayThoseOfTheirStatement() throws SQLException {
    StringBuilder more = new StringBuilder("(3, 3)");
    for (int id = 4; id < 300; id++) {
      more.append(", (").append(id).append(", ").append(id).append(')');
    }
    commitElsewhere("INSERT INTO test VALUES " + more);
    Connection connection = database.transaction(TRANSACTION_READ_COMMITTED);
    try (Statement statement = connection.createStatement();
        ResultSet open = statement.executeQuery("SELECT id, v FROM test WHERE id < 300")) {
      assertThat(open.next()).isTrue();
      commitElsewhere("UPDATE test SET v = -1");
      commitElsewhere("DELETE FROM test WHERE id > 100");
      assertThat(rows(connection, ALL)).hasSize(100).contains("5=-1");
      int count = 1;
      while (open.next()) {
        count++;
        assertThat(open.getInt(2)).isPositive();
      }
      assertThat(count).isEqualTo(299);
    }
    execute(connection, "UPDATE test SET v = 7 WHERE id = 1");
    connection.commit();
    assertThat(database.committed()).contains("1=7");
  }

  @Test
  void atReadCommittedATableMadeByOthersIsSeen() throws SQLException {
    Connection connection = database.transaction(TRANSACTION_READ_COMMITTED);
    rows(connection, ALL);
    commitElsewhere("CREATE TABLE late (a INTEGER, b INTEGER)");
    commitElsewhere("INSERT INTO late VALUES (1, 2)");
    assertThat(rows(connection, "SELECT a, b FROM late")).containsExactly("1=2");
    commitElsewhere("DROP TABLE late");
    assertThatThrownBy(() -> rows(connection, "SELECT a, b FROM late"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42S02"));
  }

  @Test
  void serializableTakesTheCatalogForRead() throws SQLException {
    Connection connection = serializable();
    assertThatThrownBy(() -> rows(connection, "SELECT a, b FROM late"))
        .isInstanceOf(SQLException.class);
    execute(connection, "UPDATE test SET v = 0 WHERE id = 1");
    commitElsewhere("CREATE TABLE late (a INTEGER, b INTEGER)");
    assertConflict(connection::commit);
    assertThat(database.committed()).containsExactly("1=10", "2=20");
  }

  @Test
  void serializableTakesAStringThatNobodyHasForRead() throws SQLException {
    commitElsewhere("CREATE TABLE names (name VARCHAR(20) PRIMARY KEY, n INTEGER)");
    Connection connection = serializable();
    assertThat(rows(connection, "SELECT n, n FROM names WHERE name = 'ann'")).isEmpty();
    execute(connection, "UPDATE test SET v = 0 WHERE id = 1");
    commitElsewhere("INSERT INTO names VALUES ('ann', 1)");
    assertConflict(connection::commit);
  }

  @Test
  void serializableTakesAChangeOfNoRowsForRead() throws SQLException {
    for (String sql :
        new String[] {
          "UPDATE test SET v = 1 WHERE id = 9",
          "DELETE FROM test WHERE id = 9",
          "DELETE FROM test WHERE v > 1000",
          "INSERT INTO test SELECT id + 100, v FROM test WHERE v > 1000"
        }) {
      Connection connection = serializable();
      execute(connection, sql);
      execute(connection, "UPDATE test SET v = 0 WHERE id = 1");
      commitElsewhere("INSERT INTO test VALUES (9, 9999)");
      assertConflict(connection::commit);
      commitElsewhere("DELETE FROM test WHERE id = 9");
    }
  }

  @Test
  void serializableBatchesByKeyTakeTheirKeysForRead() throws SQLException {
    Connection connection = serializable();
    try (PreparedStatement batch =
        connection.prepareStatement("UPDATE test SET v = v + ? WHERE id = ?")) {
      for (int id : new int[] {1, 9}) {
        batch.setInt(1, 1);
        batch.setInt(2, id);
        batch.addBatch();
      }
      assertThat(batch.executeBatch()).containsExactly(1, 0);
    }
    commitElsewhere("INSERT INTO test VALUES (9, 9)");
    assertConflict(connection::commit);
  }

  @Test
  void serializableIsNotDisturbedByOtherRowsFoundByKey() throws SQLException {
    Connection connection = serializable();
    assertThat(rows(connection, ALL + " WHERE id = 1")).containsExactly("1=10");
    execute(connection, "UPDATE test SET v = 11 WHERE id = 1");
    commitElsewhere("UPDATE test SET v = 21 WHERE id = 2");
    commitElsewhere("INSERT INTO test VALUES (3, 30)");
    connection.commit();
    assertThat(database.committed()).containsExactly("1=11", "2=21", "3=30");
  }

  @Test
  void serializableReadersAreNeverRefused() throws SQLException {
    Connection connection = serializable();
    assertThat(rows(connection, ALL)).hasSize(2);
    commitElsewhere("DELETE FROM test");
    assertThat(rows(connection, ALL)).hasSize(2);
    connection.commit();
    assertThat(rows(connection, ALL)).isEmpty();
  }

  @Test
  void afterARefusedCommitTheTransactionCanBeRunAgain() throws SQLException {
    Connection connection = serializable();
    assertThat(rows(connection, ALL)).hasSize(2);
    execute(connection, "INSERT INTO test VALUES (3, 30)");
    commitElsewhere("UPDATE test SET v = 11 WHERE id = 1");
    assertConflict(connection::commit);
    assertThat(rows(connection, ALL)).containsExactly("1=11", "2=20");
    execute(connection, "INSERT INTO test VALUES (3, 30)");
    connection.commit();
    assertThat(database.committed()).containsExactly("1=11", "2=20", "3=30");
  }
}
