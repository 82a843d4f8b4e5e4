package io.gpdb.jdbc.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The Hermitage scenarios (anomalies of Adya's thesis, one test each) at the default level. Two
 * rows (1, 10) and (2, 20); T1, T2, T3 interleave as written. Snapshot isolation admits write skew
 * (G2-item, G2) and nothing else of the list.
 */
class SnapshotIsolationTest {
  private Connection setUp;
  private Connection t1;
  private Connection t2;
  private Connection t3;

  @BeforeEach
  void twoRows() throws SQLException {
    String url = "jdbc:gpdb:mem:hermitage" + System.nanoTime();
    setUp = DriverManager.getConnection(url);
    execute(setUp, "CREATE TABLE test (id INTEGER PRIMARY KEY, v INTEGER)");
    execute(setUp, "INSERT INTO test VALUES (1, 10), (2, 20)");
    t1 = transaction(url);
    t2 = transaction(url);
    t3 = transaction(url);
  }

  @AfterEach
  void close() throws SQLException {
    for (Connection connection : List.of(t1, t2, t3)) {
      connection.rollback();
      connection.close();
    }
    setUp.close();
  }

  @Test
  void g0WriteCyclesArePrevented() throws SQLException {
    execute(t1, "UPDATE test SET v = 11 WHERE id = 1");
    assertConflict(t2, "UPDATE test SET v = 12 WHERE id = 1");
    t2.rollback();
    execute(t1, "UPDATE test SET v = 21 WHERE id = 2");
    t1.commit();
    assertThat(rows(setUp, "SELECT id, v FROM test")).containsExactly("1=11", "2=21");
  }

  @Test
  void g1aAbortedReadsArePrevented() throws SQLException {
    execute(t1, "UPDATE test SET v = 101 WHERE id = 1");
    assertThat(rows(t2, "SELECT id, v FROM test")).containsExactly("1=10", "2=20");
    t1.rollback();
    assertThat(rows(t2, "SELECT id, v FROM test")).containsExactly("1=10", "2=20");
  }

  @Test
  void g1bIntermediateReadsArePrevented() throws SQLException {
    execute(t1, "UPDATE test SET v = 101 WHERE id = 1");
    assertThat(rows(t2, "SELECT id, v FROM test")).containsExactly("1=10", "2=20");
    execute(t1, "UPDATE test SET v = 11 WHERE id = 1");
    t1.commit();
    assertThat(rows(t2, "SELECT id, v FROM test")).containsExactly("1=10", "2=20");
    t2.commit();
    assertThat(rows(t2, "SELECT id, v FROM test")).containsExactly("1=11", "2=20");
  }

  @Test
  void g1cCircularInformationFlowIsPrevented() throws SQLException {
    execute(t1, "UPDATE test SET v = 11 WHERE id = 1");
    execute(t2, "UPDATE test SET v = 22 WHERE id = 2");
    assertThat(rows(t1, "SELECT id, v FROM test WHERE id = 2")).containsExactly("2=20");
    assertThat(rows(t2, "SELECT id, v FROM test WHERE id = 1")).containsExactly("1=10");
    t1.commit();
    t2.commit();
    assertThat(rows(setUp, "SELECT id, v FROM test")).containsExactly("1=11", "2=22");
  }

  @Test
  void otvObservedTransactionsDoNotVanish() throws SQLException {
    execute(t1, "UPDATE test SET v = 11 WHERE id = 1");
    execute(t1, "UPDATE test SET v = 19 WHERE id = 2");
    assertConflict(t2, "UPDATE test SET v = 12 WHERE id = 1");
    t2.rollback();
    t1.commit();
    assertThat(rows(t3, "SELECT id, v FROM test WHERE id = 1")).containsExactly("1=11");
    execute(t2, "UPDATE test SET v = 18 WHERE id = 2");
    t2.commit();
    assertThat(rows(t3, "SELECT id, v FROM test")).containsExactly("1=11", "2=19");
  }

  @Test
  void pmpPredicateManyPrecedersArePrevented() throws SQLException {
    assertThat(rows(t1, "SELECT id, v FROM test WHERE v = 30")).isEmpty();
    execute(t2, "INSERT INTO test VALUES (3, 30)");
    t2.commit();
    assertThat(rows(t1, "SELECT id, v FROM test WHERE MOD(v, 3) = 0")).isEmpty();
  }

  @Test
  void pmpOnAWritePredicateConflicts() throws SQLException {
    execute(t1, "UPDATE test SET v = v + 10");
    assertConflict(t2, "DELETE FROM test WHERE v = 20");
    t1.commit();
  }

  @Test
  void p4LostUpdatesArePrevented() throws SQLException {
    assertThat(rows(t1, "SELECT id, v FROM test WHERE id = 1")).containsExactly("1=10");
    assertThat(rows(t2, "SELECT id, v FROM test WHERE id = 1")).containsExactly("1=10");
    execute(t1, "UPDATE test SET v = 11 WHERE id = 1");
    t1.commit();
    assertConflict(t2, "UPDATE test SET v = 11 WHERE id = 1");
  }

  @Test
  void gSingleReadSkewIsPrevented() throws SQLException {
    assertThat(rows(t1, "SELECT id, v FROM test WHERE id = 1")).containsExactly("1=10");
    execute(t2, "UPDATE test SET v = 12 WHERE id = 1");
    execute(t2, "UPDATE test SET v = 18 WHERE id = 2");
    t2.commit();
    assertThat(rows(t1, "SELECT id, v FROM test WHERE id = 2")).containsExactly("2=20");
  }

  @Test
  void gSingleOnPredicatesIsPrevented() throws SQLException {
    assertThat(rows(t1, "SELECT id, v FROM test WHERE MOD(v, 5) = 0"))
        .containsExactly("1=10", "2=20");
    execute(t2, "UPDATE test SET v = 12 WHERE v = 10");
    t2.commit();
    assertThat(rows(t1, "SELECT id, v FROM test WHERE MOD(v, 3) = 0")).isEmpty();
  }

  @Test
  void gSingleWithADeleteConflicts() throws SQLException {
    assertThat(rows(t1, "SELECT id, v FROM test WHERE id = 1")).containsExactly("1=10");
    execute(t2, "UPDATE test SET v = 12 WHERE id = 1");
    execute(t2, "UPDATE test SET v = 18 WHERE id = 2");
    t2.commit();
    assertConflict(t1, "DELETE FROM test WHERE v = 20");
  }

  @Test
  void g2ItemWriteSkewIsAdmittedBySnapshots() throws SQLException {
    assertThat(rows(t1, "SELECT id, v FROM test")).hasSize(2);
    assertThat(rows(t2, "SELECT id, v FROM test")).hasSize(2);
    execute(t1, "UPDATE test SET v = 11 WHERE id = 1");
    execute(t2, "UPDATE test SET v = 21 WHERE id = 2");
    t1.commit();
    t2.commit();
    assertThat(rows(setUp, "SELECT id, v FROM test")).containsExactly("1=11", "2=21");
  }

  @Test
  void twoInsertsOfOneKeyConflict() throws SQLException {
    execute(t1, "INSERT INTO test VALUES (3, 30)");
    assertThatThrownBy(() -> execute(t2, "INSERT INTO test VALUES (3, 33)"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isIn("40001", "23505"));
    t2.rollback();
    t1.commit();
    assertThat(rows(setUp, "SELECT id, v FROM test WHERE id = 3")).containsExactly("3=30");
  }

  @Test
  void aTransactionSeesItsOwnWrites() throws SQLException {
    execute(t1, "UPDATE test SET v = v + 1");
    execute(t1, "INSERT INTO test VALUES (3, 30)");
    execute(t1, "DELETE FROM test WHERE id = 2");
    assertThat(rows(t1, "SELECT id, v FROM test")).containsExactly("1=11", "3=30");
    assertThat(rows(t2, "SELECT id, v FROM test")).containsExactly("1=10", "2=20");
  }

  private static Connection transaction(String url) throws SQLException {
    Connection connection = DriverManager.getConnection(url);
    connection.setAutoCommit(false);
    return connection;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void assertConflict(Connection connection, String sql) {
    assertThatThrownBy(() -> execute(connection, sql))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
  }

  private static List<String> rows(Connection connection, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        rows.add(result.getInt(1) + "=" + result.getInt(2));
      }
    }
    rows.sort(null);
    return rows;
  }
}
