package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.planner.batch.BatchMemory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One connection used by several threads, whose calls follow one another. */
final class SharedConnectionTest {
  private static final int ROWS = 20_000;
  private static final int READERS = 3;
  private static final int ROUNDS = Integer.getInteger("gpdb.fuzz", 15);

  @BeforeAll
  static void readersOfReleasedMemoryFail() {
    BatchMemory.endWithUse(true);
  }

  @AfterAll
  static void pooledAgain() {
    BatchMemory.endWithUse(false);
  }

  /** Each row has b = 2a, c = 'v' and a, d = a + 0.5, whatever version of it is read. */
  private static TestDatabase pairs(int rows) throws SQLException {
    TestDatabase database =
        new TestDatabase(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a BIGINT, b BIGINT, c VARCHAR(20), d DOUBLE)");
    try (PreparedStatement insert =
        database.connection().prepareStatement("INSERT INTO t VALUES (?, ?, ?, ?, ?)")) {
      for (int i = 0; i < rows; i++) {
        insert.setInt(1, i);
        insert.setLong(2, i);
        insert.setLong(3, 2L * i);
        insert.setString(4, "v" + i);
        insert.setDouble(5, i + 0.5);
        insert.addBatch();
      }
      insert.executeBatch();
    }
    return database;
  }

  private static long readAll(ResultSet rows) throws SQLException {
    long read = 0;
    while (rows.next()) {
      long a = rows.getLong(1);
      assertThat(rows.getLong(2)).as("b of a=%d", a).isEqualTo(2 * a);
      assertThat(rows.getString(3)).as("c of a=%d", a).isEqualTo("v" + a);
      assertThat(rows.getDouble(4)).as("d of a=%d", a).isEqualTo(a + 0.5);
      read++;
    }
    return read;
  }

  private static void change(Connection connection, Random random) throws SQLException {
    String where = " WHERE MOD(id, 5) = " + random.nextInt(5);
    switch (random.nextInt(4)) {
      case 0 ->
          TestDatabase.execute(
              connection,
              "UPDATE t SET a = a + 1, b = 2 * (a + 1), c = 'v' || CAST(a + 1 AS VARCHAR(20)),"
                  + " d = CAST(a AS DOUBLE) + 1.5"
                  + where);
      case 1 -> {
        TestDatabase.execute(connection, "SAVEPOINT s");
        TestDatabase.execute(connection, "DELETE FROM t" + where);
        TestDatabase.execute(connection, "ROLLBACK TO SAVEPOINT s");
      }
      case 2 ->
          TestDatabase.execute(
              connection,
              "UPDATE t SET a = 3, b = 6, c = 'v3', d = 3.5 WHERE id = " + random.nextInt(ROWS));
      default -> TestDatabase.execute(connection, "UPDATE t SET c = c || ''" + where);
    }
  }

  private static void all(List<Callable<Void>> works) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(works.size())) {
      List<Future<Void>> running = new ArrayList<>();
      works.forEach(work -> running.add(threads.submit(work)));
      for (Future<Void> each : running) {
        each.get(600, TimeUnit.SECONDS);
      }
    }
  }

  private static Callable<Void> reader(Connection connection, long rowsMin) {
    return () -> {
      for (int i = 0; i < ROUNDS; i++) {
        try (Statement statement = connection.createStatement();
            ResultSet rows = statement.executeQuery("SELECT a, b, c, d FROM t")) {
          assertThat(readAll(rows)).isBetween(rowsMin, (long) ROWS);
        }
      }
      return null;
    };
  }

  private static void readersBesideAWriter(boolean autoCommit) throws Exception {
    long seed = Long.getLong("gpdb.seed", 11);
    try (TestDatabase database = pairs(ROWS)) {
      Connection connection = database.connection();
      connection.setAutoCommit(autoCommit);
      List<Callable<Void>> works = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        // A statement may run between the DELETE of a fifth and its ROLLBACK TO.
        works.add(reader(connection, autoCommit ? ROWS : ROWS - ROWS / 5));
      }
      works.add(
          () -> {
            Random random = new Random(seed);
            for (int i = 0; i < ROUNDS; i++) {
              if (autoCommit) {
                TestDatabase.execute(
                    connection,
                    "UPDATE t SET a = a + 1, b = 2 * (a + 1), c = 'v' || CAST(a + 1 AS VARCHAR(9)),"
                        + " d = CAST(a AS DOUBLE) + 1.5");
              } else {
                change(connection, random);
              }
            }
            return null;
          });
      all(works);
    }
  }

  @Test
  void rowsReadBesideChangesOfTheSameTransactionAreWhole() throws Exception {
    readersBesideAWriter(false);
  }

  @Test
  void rowsReadBesideChangesOfTheSameConnectionAreWhole() throws Exception {
    readersBesideAWriter(true);
  }

  @Test
  void aResultSetDoesNotSeeTheChangesThatOneThreadMakesWhileItReads() throws SQLException {
    try (TestDatabase database = pairs(ROWS)) {
      Connection connection = database.connection();
      connection.setAutoCommit(false);
      try (Statement reading = connection.createStatement();
          ResultSet rows = reading.executeQuery("SELECT a, b, c, d, id FROM t ORDER BY id")) {
        for (int i = 0; i < ROWS; i++) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getLong(1)).isEqualTo(i);
          if (i % 997 == 0) {
            TestDatabase.execute(
                connection, "UPDATE t SET a = -1, b = -2, c = 'x' WHERE id >= " + i);
          }
          assertThat(rows.getLong(2)).isEqualTo(2L * i);
          assertThat(rows.getString(3)).isEqualTo("v" + i);
          assertThat(rows.getInt(5)).isEqualTo(i);
        }
        assertThat(rows.next()).isFalse();
      }
    }
  }

  /** The threads that have begun to read are gone when others write. */
  @Test
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whoClosesNothingHoldsNoWriterUp() throws Exception {
    for (int rows : new int[] {1, 64, 65, 1500}) {
      try (TestDatabase database = pairs(rows);
          Connection other = database.another()) {
        Connection connection = database.connection();
        connection.setAutoCommit(false);
        List<ResultSet> open = new ArrayList<>();
        for (String query :
            List.of(
                "SELECT a, b, c, d FROM t",
                "SELECT a + 1, b FROM t WHERE d > 0",
                "SELECT a FROM t LIMIT 10",
                "SELECT a, count(*) FROM t GROUP BY a",
                "SELECT max(c) FROM t")) {
          Thread reader =
              new Thread(
                  () -> {
                    try {
                      open.add(connection.createStatement().executeQuery(query));
                      open.add(connection.createStatement().executeQuery(query));
                      open.getLast().next();
                    } catch (SQLException e) {
                      throw new IllegalStateException(query, e);
                    }
                  });
          reader.start();
          reader.join();
        }
        assertThat(open).hasSize(10);
        TestDatabase.execute(other, "UPDATE t SET c = c || ''");
        TestDatabase.execute(other, "INSERT INTO t VALUES (-1, 0, 0, 'v0', 0.5)");
        TestDatabase.execute(connection, "INSERT INTO t VALUES (-2, 0, 0, 'v0', 0.5)");
        TestDatabase.execute(connection, "UPDATE t SET d = d WHERE id = -2");
        connection.rollback();
      }
    }
  }

  @Test
  void anErrorAmongRowsReadAheadIsTheReadersNotTheWriters() throws SQLException {
    try (TestDatabase database = pairs(0)) {
      Connection connection = database.connection();
      TestDatabase.execute(connection, "INSERT INTO t VALUES (1, 1, 2, 'v1', 1.5)");
      connection.setAutoCommit(false);
      try (Statement reading = connection.createStatement();
          ResultSet rows =
              reading.executeQuery("SELECT 9223372036854775807 + a FROM t WHERE id = 1")) {
        TestDatabase.execute(connection, "UPDATE t SET a = 7");
        assertThatThrownBy(rows::next)
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22003"));
      }
      assertThat(TestDatabase.rows(connection, "SELECT a FROM t")).containsExactly("7");
    }
  }

  @Test
  void oneStatementSharedByThreadsGivesEachItsOwnAnswer() throws Exception {
    try (TestDatabase database = pairs(100);
        Statement shared = database.connection().createStatement();
        PreparedStatement prepared =
            database.connection().prepareStatement("SELECT a, b, c, d FROM t WHERE id < ?")) {
      List<Callable<Void>> works = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        works.add(
            () -> {
              for (int n = 0; n < 200; n++) {
                try (ResultSet rows = shared.executeQuery("SELECT a, b, c, d FROM t")) {
                  readAll(rows);
                } catch (SQLException e) {
                  assertThat(e.getSQLState()).isEqualTo("24000");
                }
                prepared.setInt(1, n);
                try (ResultSet rows = prepared.executeQuery()) {
                  readAll(rows);
                } catch (SQLException e) {
                  assertThat(e.getSQLState()).isEqualTo("24000");
                }
                assertThat(shared.executeUpdate("UPDATE t SET c = c || ''")).isEqualTo(100);
              }
              return null;
            });
      }
      all(works);
    }
  }

  @Test
  void aWaitingStatementCanBeCancelledAndRunsOutOfItsTime() throws Exception {
    try (TestDatabase database = pairs(10)) {
      GpdbConnection connection = (GpdbConnection) database.connection();
      CountDownLatch held = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      try (ExecutorService threads = Executors.newFixedThreadPool(3);
          Statement late = connection.createStatement();
          Statement cancelled = connection.createStatement()) {
        Future<?> holder =
            threads.submit(
                () -> {
                  connection.session().lock().lock();
                  held.countDown();
                  release.await();
                  connection.session().lock().unlock();
                  return null;
                });
        held.await();
        late.setQueryTimeout(1);
        Future<ResultSet> outOfTime = threads.submit(() -> late.executeQuery("SELECT a FROM t"));
        Future<ResultSet> stopped = threads.submit(() -> cancelled.executeQuery("SELECT 1"));
        assertThat(connection.isValid(1)).isTrue();
        assertThatThrownBy(() -> outOfTime.get(10, TimeUnit.SECONDS))
            .hasCauseInstanceOf(SQLTimeoutException.class);
        cancelled.cancel();
        assertThatThrownBy(() -> stopped.get(10, TimeUnit.SECONDS))
            .hasCauseInstanceOf(SQLException.class)
            .hasMessageContaining("cancelled");
        release.countDown();
        holder.get(10, TimeUnit.SECONDS);
      }
      assertThat(TestDatabase.rows(connection, "SELECT count(*) FROM t")).containsExactly("10");
    }
  }
}
