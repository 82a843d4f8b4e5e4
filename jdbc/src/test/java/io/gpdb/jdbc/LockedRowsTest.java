package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** FOR UPDATE, SKIP LOCKED, NOWAIT and LOCK TABLE between connections. */
class LockedRowsTest {
  private static final int THREADS = 4;

  private TestDatabase database;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(
            "CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER)",
            "INSERT INTO t VALUES (1, 0), (2, 0), (3, 0)");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private Connection another(int lockTimeoutMillis) throws SQLException {
    Connection connection = database.another();
    TestDatabase.execute(connection, "SET lock_timeout = " + lockTimeoutMillis);
    connection.setAutoCommit(false);
    return connection;
  }

  private static String state(Connection connection, String sql) {
    try {
      TestDatabase.execute(connection, sql);
      return "ran";
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  private static <T> List<T> all(Callable<T> task) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<T>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        running.add(threads.submit(task));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> result : running) {
        results.add(result.get());
      }
      return results;
    }
  }

  @Test
  void aViewLocksTheRowsThatItShows() throws SQLException {
    database.execute("CREATE VIEW shown (x) AS SELECT a FROM t WHERE a > 1");
    database.connection().setAutoCommit(false);
    assertThat(database.rows("SELECT x FROM shown ORDER BY x LIMIT 1 FOR UPDATE"))
        .containsExactly("2");
    try (Connection other = another(0)) {
      assertThat(state(other, "UPDATE t SET b = 1 WHERE a = 2")).isEqualTo("40001");
      assertThat(state(other, "UPDATE t SET b = 1 WHERE a = 1")).isEqualTo("ran");
      assertThat(TestDatabase.rows(other, "SELECT x FROM shown FOR UPDATE SKIP LOCKED"))
          .containsExactly("3");
      other.rollback();
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ})
  void noUpdateIsLost(int isolation) throws Exception {
    List<Integer> commits = all(() -> addOnes(isolation, 20));
    int sum = commits.stream().mapToInt(Integer::intValue).sum();
    assertThat(database.rows("SELECT b FROM t WHERE a = 1")).containsExactly("" + sum);
    assertThat(sum).isEqualTo(THREADS * 20);
  }

  /** Reads, locks, and writes what it computed itself. */
  private int addOnes(int isolation, int times) throws SQLException {
    try (Connection connection = another(10_000)) {
      connection.setTransactionIsolation(isolation);
      int commits = 0;
      while (commits < times) {
        try {
          int b = Integer.parseInt(lockedValue(connection, 1));
          TestDatabase.execute(connection, "UPDATE t SET b = " + (b + 1) + " WHERE a = 1");
          connection.commit();
          commits++;
        } catch (SQLException e) {
          assertThat(e.getSQLState()).isEqualTo("40001");
          connection.rollback();
        }
      }
      return commits;
    }
  }

  private static String lockedValue(Connection connection, int a) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT b FROM t WHERE a = ? FOR UPDATE")) {
      select.setInt(1, a);
      try (ResultSet rows = select.executeQuery()) {
        assertThat(rows.next()).isTrue();
        return rows.getString(1);
      }
    }
  }

  @Test
  void eachJobOfAQueueIsTakenOnce() throws Exception {
    database.execute("CREATE TABLE job (id INTEGER PRIMARY KEY, done INTEGER)");
    database.execute("CREATE TABLE taken (id INTEGER PRIMARY KEY, n INTEGER)");
    for (int i = 0; i < 60; i++) {
      database.execute("INSERT INTO job VALUES (" + i + ", 0)");
    }
    all(this::takeJobs);
    assertThat(database.rows("SELECT COUNT(*), SUM(done) FROM job")).containsExactly("60|60");
    assertThat(database.rows("SELECT COUNT(*) FROM taken WHERE n = 1")).containsExactly("60");
  }

  private int takeJobs() throws SQLException {
    int taken = 0;
    try (Connection connection = another(10_000)) {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      while (true) {
        List<String> job =
            TestDatabase.rows(
                connection,
                "SELECT id FROM job WHERE done = 0 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED");
        if (job.isEmpty()) {
          connection.commit();
          return taken;
        }
        TestDatabase.execute(
            connection,
            "INSERT INTO taken VALUES ("
                + job.getFirst()
                + ", 1) ON CONFLICT (id) DO UPDATE SET n = taken.n + 1");
        TestDatabase.execute(
            connection, "UPDATE job SET done = done + 1 WHERE id = " + job.getFirst());
        connection.commit();
        taken++;
      }
    }
  }

  @Test
  void aLockedRowIsAsIfWritten() throws SQLException {
    try (Connection holder = another(0);
        Connection other = another(0)) {
      assertThat(TestDatabase.rows(holder, "SELECT a FROM t WHERE a < 3 ORDER BY a FOR UPDATE"))
          .containsExactly("1", "2");
      assertThat(state(other, "UPDATE t SET b = 1 WHERE a = 1")).isEqualTo("40001");
      assertThat(state(other, "SELECT * FROM t WHERE b = 0 FOR SHARE")).isEqualTo("40001");
      assertThat(state(other, "SELECT * FROM t WHERE a = 1 FOR UPDATE NOWAIT")).isEqualTo("55P03");
      assertThat(state(other, "SELECT * FROM t WHERE a = 1 FOR UPDATE WAIT 0.01"))
          .isEqualTo("55P03");
      assertThat(TestDatabase.rows(other, "SELECT a FROM t WHERE a = 1 FOR UPDATE SKIP LOCKED"))
          .isEmpty();
      assertThat(
              TestDatabase.rows(other, "SELECT a FROM t ORDER BY a LIMIT 1 FOR UPDATE SKIP LOCKED"))
          .containsExactly("3");
      try (PreparedStatement queue =
          other.prepareStatement(
              "SELECT a FROM t WHERE a > ? ORDER BY a OFFSET ? FETCH FIRST ? ROWS ONLY"
                  + " FOR UPDATE SKIP LOCKED")) {
        queue.setInt(1, 0);
        queue.setInt(2, 0);
        queue.setLong(3, 1L);
        assertThat(TestDatabase.rows(queue.executeQuery())).containsExactly("3");
        queue.setInt(2, 1);
        assertThat(TestDatabase.rows(queue.executeQuery())).isEmpty();
        queue.setInt(3, -1);
        assertThatThrownBy(queue::executeQuery).hasMessageContaining("LIMIT is negative");
        queue.setNull(3, Types.INTEGER);
        assertThatThrownBy(queue::executeQuery).hasMessageContaining("LIMIT is NULL");
      }
      assertThat(TestDatabase.rows(other, "SELECT a FROM t ORDER BY a"))
          .containsExactly("1", "2", "3");
    }
  }

  @Test
  void aRollBackGivesLocksBack() throws SQLException {
    try (Connection holder = another(0);
        Connection other = another(0)) {
      TestDatabase.execute(holder, "SAVEPOINT s");
      TestDatabase.rows(holder, "SELECT * FROM t FOR UPDATE");
      TestDatabase.execute(holder, "ROLLBACK TO s");
      assertThat(state(other, "UPDATE t SET b = 1 WHERE a = 1")).isEqualTo("ran");
      assertThat(state(holder, "SELECT * FROM t FOR UPDATE")).isEqualTo("40001");
      assertThat(TestDatabase.rows(holder, "SELECT b FROM t ORDER BY a"))
          .containsExactly("0", "0", "0");
    }
  }

  @Test
  void anOlderSnapshotMeetsTheLocksOfACommit() throws SQLException {
    try (Connection old = another(0);
        Connection between = another(0);
        Connection holder = another(0)) {
      TestDatabase.rows(old, "SELECT * FROM t");
      TestDatabase.rows(holder, "SELECT * FROM t WHERE a = 1 FOR UPDATE");
      TestDatabase.execute(holder, "UPDATE t SET b = 5 WHERE a = 2");
      holder.commit();
      TestDatabase.rows(between, "SELECT * FROM t");
      for (int i = 0; i < 50; i++) { // enough commits for their versions to be merged
        TestDatabase.execute(holder, "UPDATE t SET b = b + 1 WHERE a = 3");
        holder.commit();
      }
      assertThat(state(old, "UPDATE t SET b = 1 WHERE a = 1")).isEqualTo("40001");
      assertThat(state(between, "UPDATE t SET b = 1 WHERE a = 1")).isEqualTo("ran");
      assertThat(TestDatabase.rows(old, "SELECT b FROM t ORDER BY a"))
          .containsExactly("0", "0", "0");
    }
  }

  @Test
  void aLockedTableHasOneWriter() throws SQLException {
    try (Connection holder = another(0);
        Connection other = another(0)) {
      TestDatabase.execute(holder, "LOCK TABLE t IN EXCLUSIVE MODE");
      assertThat(state(other, "INSERT INTO t VALUES (4, 0)")).isEqualTo("40001");
      assertThat(state(other, "LOCK TABLE t NOWAIT")).isEqualTo("55P03");
      assertThat(state(other, "LOCK TABLE t IN ROW EXCLUSIVE MODE")).isEqualTo("ran");
      assertThat(TestDatabase.rows(other, "SELECT COUNT(*) FROM t")).containsExactly("3");
      TestDatabase.execute(holder, "INSERT INTO t VALUES (4, 0)");
      holder.commit();
      assertThat(state(other, "INSERT INTO t VALUES (5, 0)")).isEqualTo("ran");
      assertThat(state(holder, "LOCK TABLE t")).isEqualTo("40001");
      other.rollback();
      assertThat(state(holder, "LOCK TABLE t")).isEqualTo("ran");
      holder.rollback();
      assertThat(state(other, "LOCK TABLE t")).isEqualTo("ran");
    }
  }
}
