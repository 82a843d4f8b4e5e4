package io.gpdb.jdbc.isolation;

import static io.gpdb.jdbc.isolation.IsolationDatabase.assertConflict;
import static io.gpdb.jdbc.isolation.IsolationDatabase.execute;
import static io.gpdb.jdbc.isolation.IsolationDatabase.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A statement or batch is carried out as a whole or leaves nothing, and the transaction goes on;
 * within a batch one row comes after the other.
 */
class StatementAtomicityTest {
  private static final int ROWS = 10_000;
  private static final String SUMS = "SELECT COUNT(*), SUM(v) FROM test";

  private IsolationDatabase database;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    database = new IsolationDatabase("(1, 10), (2, 20)");
    connection = database.transaction(Connection.TRANSACTION_REPEATABLE_READ);
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private static String values(int from, int n) {
    return IntStream.range(from, from + n)
        .mapToObj(id -> "(" + id + ", 1)")
        .collect(Collectors.joining(", "));
  }

  private void assertFails(String sql, String state, String... parts) {
    assertThatThrownBy(() -> execute(connection, sql))
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> {
              assertThat(e.getSQLState()).isEqualTo(state);
              for (String part : parts) {
                assertThat(e.getMessage()).contains(part);
              }
            });
  }

  @Test
  void aDuplicateInRowFiveThousandLeavesNothingOfTheInsert() throws SQLException {
    execute(connection, "UPDATE test SET v = 11 WHERE id = 1");
    assertFails(
        "INSERT INTO test VALUES " + values(100, 4999) + ", (2, 0), " + values(20_000, 3000),
        "23505",
        "row 5000",
        "2");
    assertThat(rows(connection, SUMS)).containsExactly("2=31");
    execute(connection, "INSERT INTO test VALUES " + values(100, 4999));
    connection.commit();
    assertThat(rows(database.setUp(), SUMS)).containsExactly("5001=5030");
  }

  @Test
  void anOverflowInTheMiddleOfAnUpdateLeavesNothing() throws SQLException {
    execute(connection, "INSERT INTO test VALUES " + values(100, ROWS));
    execute(connection, "UPDATE test SET v = 2147483647 WHERE id = 7000");
    assertFails("UPDATE test SET v = v + 1", "22003");
    assertThat(rows(connection, "SELECT id, v FROM test WHERE v <> 1"))
        .containsExactly("1=10", "2=20", "7000=2147483647");
    assertFails("UPDATE test SET v = 1 / (id - 7000)", "22012");
    assertFails("UPDATE test SET id = 5 WHERE id > 3", "23505");
    execute(connection, "UPDATE test SET v = v - 1");
    connection.commit();
    assertThat(rows(database.setUp(), "SELECT COUNT(*), MAX(v) FROM test"))
        .containsExactly((ROWS + 2) + "=2147483646");
  }

  @Test
  void aConflictInTheMiddleOfAnUpdateLeavesNothing() throws SQLException {
    execute(database.setUp(), "INSERT INTO test VALUES " + values(100, ROWS));
    Connection other = database.transaction(Connection.TRANSACTION_REPEATABLE_READ);
    execute(other, "UPDATE test SET v = 7 WHERE id = 7000");
    execute(connection, "UPDATE test SET v = 11 WHERE id = 1");
    assertConflict(connection, "UPDATE test SET v = v + 1");
    assertConflict(connection, "DELETE FROM test WHERE id > 200");
    assertThat(rows(connection, SUMS)).containsExactly((ROWS + 2) + "=" + (ROWS + 31));
    connection.commit();
    other.commit();
    assertThat(rows(database.setUp(), SUMS)).containsExactly((ROWS + 2) + "=" + (ROWS + 37));
  }

  @Test
  void aFailedInsertSelectAndCreateTableAsLeaveNothing() throws SQLException {
    execute(connection, "INSERT INTO test VALUES " + values(100, ROWS));
    assertFails("INSERT INTO test SELECT id + 5000, v FROM test", "23505");
    assertFails("CREATE TABLE made AS SELECT id, 1 / (id - 7000) AS q FROM test", "22012");
    assertFails("SELECT * FROM made", "42S02");
    assertThat(rows(connection, SUMS)).containsExactly((ROWS + 2) + "=" + (ROWS + 30));
    connection.commit();
  }

  private int[] batch(String sql, int[]... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int[] row : parameters) {
        for (int i = 0; i < row.length; i++) {
          statement.setInt(i + 1, row[i]);
        }
        statement.addBatch();
      }
      return statement.executeBatch();
    }
  }

  @Test
  void aRowTwiceInABatchIsUpdatedTwice() throws SQLException {
    assertThat(
            batch(
                "UPDATE test SET v = v + ? WHERE id = ?",
                new int[] {1, 1},
                new int[] {5, 2},
                new int[] {1, 1},
                new int[] {1, 3}))
        .containsExactly(1, 1, 1, 0);
    assertThat(rows(connection, "SELECT id, v FROM test")).containsExactly("1=12", "2=25");
    assertThat(batch("UPDATE test SET v = ? WHERE id = ?", new int[] {7, 1}, new int[] {8, 1}))
        .containsExactly(1, 1);
    assertThat(rows(connection, "SELECT id, v FROM test WHERE id = 1")).containsExactly("1=8");
  }

  @Test
  void manyTurnsOfFewRowsInABatchAllCount() throws SQLException {
    int[][] turns = new int[5000][];
    for (int i = 0; i < turns.length; i++) {
      turns[i] = new int[] {1, 1 + i % 2};
    }
    assertThat(batch("UPDATE test SET v = v + ? WHERE id = ?", turns)).containsOnly(1);
    assertThat(rows(connection, "SELECT id, v FROM test")).containsExactly("1=2510", "2=2520");
  }

  @Test
  void aBatchSeesWhatItsEarlierRowsDid() throws SQLException {
    assertThat(
            batch(
                "UPDATE test SET v = ? WHERE id = ? AND v = ?",
                new int[] {11, 1, 10},
                new int[] {12, 1, 11},
                new int[] {13, 1, 11}))
        .containsExactly(1, 1, 0);
    assertThat(batch("UPDATE test SET id = ? WHERE id = ?", new int[] {3, 1}, new int[] {1, 2}))
        .containsExactly(1, 1);
    assertThat(rows(connection, "SELECT id, v FROM test")).containsExactly("1=20", "3=12");
    assertThat(batch("DELETE FROM test WHERE id = ?", new int[] {1}, new int[] {1}, new int[] {3}))
        .containsExactly(1, 0, 1);
    assertThat(rows(connection, "SELECT id, v FROM test")).isEmpty();
  }

  @Test
  void aKeyDeletedByOneStatementIsFreeForTheNext() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.addBatch("DELETE FROM test WHERE id = 1");
      statement.addBatch("UPDATE test SET v = 1 WHERE id = 1");
      statement.addBatch("INSERT INTO test VALUES (1, 100)");
      statement.addBatch("UPDATE test SET v = v + 1 WHERE id = 1");
      assertThat(statement.executeBatch()).containsExactly(1, 0, 1, 1);
    }
    connection.commit();
    assertThat(database.committed()).containsExactly("1=101", "2=20");
  }

  @ParameterizedTest
  @CsvSource({"3,2", "40,39", "5000,4000", "70000,69999"})
  void aKeyTwiceInABatchIsNamedByItsRow(int n, int second) throws SQLException {
    int[][] rows = new int[n][];
    for (int i = 0; i < n; i++) {
      rows[i] = new int[] {100 + i, i};
    }
    rows[second][0] = 101;
    assertThatThrownBy(() -> batch("INSERT INTO test VALUES (?, ?)", rows))
        .isInstanceOfSatisfying(
            BatchUpdateException.class,
            e -> {
              assertThat(e.getSQLState()).isEqualTo("23505");
              assertThat(e.getMessage()).contains("ID = (101)", "row " + (second + 1));
              assertThat(e.getUpdateCounts())
                  .hasSize(rows.length)
                  .containsOnly(Statement.EXECUTE_FAILED);
            });
    assertThat(rows(connection, SUMS)).containsExactly("2=30");
    connection.commit();
  }

  @Test
  void aBatchThatFailsLeavesNothing() throws SQLException {
    assertThatThrownBy(
            () ->
                batch(
                    "UPDATE test SET v = 100 / ? WHERE id = ?", new int[] {5, 1}, new int[] {0, 2}))
        .isInstanceOfSatisfying(
            BatchUpdateException.class,
            e -> {
              assertThat(e.getSQLState()).isEqualTo("22012");
              assertThat(e.getLargeUpdateCounts()).containsExactly(-3, -3);
            });
    assertThat(rows(connection, "SELECT id, v FROM test")).containsExactly("1=10", "2=20");
    execute(connection, "UPDATE test SET v = 0 WHERE id = 1");
    connection.commit();
    assertThat(database.committed()).containsExactly("1=0", "2=20");
  }

  @Test
  void savepointsNestAcrossStatementsAndFailures() throws SQLException {
    execute(connection, "UPDATE test SET v = 11 WHERE id = 1");
    Savepoint outer = connection.setSavepoint("outer");
    execute(connection, "INSERT INTO test VALUES " + values(100, 50));
    Savepoint inner = connection.setSavepoint();
    execute(connection, "DELETE FROM test WHERE id < 120");
    assertFails("INSERT INTO test VALUES (500, 1), (130, 1)", "23505", "130");
    connection.rollback(inner);
    assertThat(rows(connection, SUMS)).containsExactly("52=81");
    execute(connection, "DELETE FROM test WHERE id = 100");
    connection.rollback(inner);
    assertThat(rows(connection, SUMS)).containsExactly("52=81");
    connection.releaseSavepoint(inner);
    assertThatThrownBy(() -> connection.rollback(inner))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("3B001"));
    connection.rollback(outer);
    assertThat(rows(connection, "SELECT id, v FROM test")).containsExactly("1=11", "2=20");
    execute(connection, "INSERT INTO test VALUES (100, 5)");
    connection.commit();
    assertThat(database.committed()).containsExactly("100=5", "1=11", "2=20");
  }

  @Test
  void whatASavepointGivesBackOthersMayWrite() throws SQLException {
    Savepoint before = connection.setSavepoint();
    execute(connection, "UPDATE test SET v = 0");
    execute(connection, "INSERT INTO test VALUES (3, 3)");
    connection.rollback(before);
    execute(database.setUp(), "UPDATE test SET v = 21 WHERE id = 2");
    execute(database.setUp(), "INSERT INTO test VALUES (3, 30)");
    execute(connection, "UPDATE test SET v = 11 WHERE id = 1");
    connection.commit();
    assertThat(database.committed()).containsExactly("1=11", "2=21", "3=30");
  }

  @Test
  void definitionsAreTransactionalBesideReaders() throws SQLException {
    Connection reader = database.transaction(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement statement = reader.createStatement();
        ResultSet open = statement.executeQuery("SELECT id, v FROM test")) {
      assertThat(open.next()).isTrue();
      Savepoint before = connection.setSavepoint();
      execute(connection, "DROP TABLE test");
      execute(connection, "CREATE TABLE test (id INTEGER, v INTEGER, more VARCHAR(10))");
      execute(connection, "INSERT INTO test VALUES (7, 7, 'x')");
      connection.rollback(before);
      assertThat(rows(connection, "SELECT id, v FROM test")).containsExactly("1=10", "2=20");
      execute(connection, "DROP TABLE test");
      execute(connection, "CREATE TABLE test (id INTEGER, v INTEGER)");
      execute(connection, "INSERT INTO test VALUES (8, 8)");
      connection.commit();
      assertThat(open.next()).isTrue();
      assertThat(open.next()).isFalse();
    }
    assertThat(rows(reader, "SELECT id, v FROM test")).containsExactly("1=10", "2=20");
    reader.commit();
    assertThat(rows(reader, "SELECT id, v FROM test")).containsExactly("8=8");
  }
}
