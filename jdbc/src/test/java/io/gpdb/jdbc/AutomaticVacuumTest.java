package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.session.database.Database;
import io.gpdb.txn.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AutomaticVacuumTest {
  private static final int ROWS = 20_000;

  private TestDatabase database;

  @BeforeEach
  void open() throws SQLException {
    database = new TestDatabase("CREATE TABLE t (id BIGINT PRIMARY KEY, v BIGINT, s VARCHAR)");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private static void insert(Connection connection, long from, int rows) throws SQLException {
    try (var statement = connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?)")) {
      for (int i = 0; i < rows; i++) {
        statement.setLong(1, from + i);
        statement.setLong(2, i);
        statement.setString(3, "string " + (from + i));
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private long statistic(String name) throws SQLException {
    return Long.parseLong(
        database
            .rows(
                "SELECT statistic_value FROM information_schema.gpdb_statistics"
                    + " WHERE statistic_name = '"
                    + name
                    + "'")
            .getFirst());
  }

  @Test
  void anIdleTableThatIsMostlyGarbageIsRewritten() throws Exception {
    insert(database.connection(), 0, 4 * ROWS);
    database.execute("DELETE FROM t WHERE id >= " + ROWS * 3 / 2);
    assertThat(statistic("rewrites")).isZero();
    for (int i = 0; i < 600 && statistic("rewrites") == 0; i++) {
      Thread.sleep(100);
    }
    assertThat(statistic("rewrites")).isOne();
    assertThat(statistic("rewrite_bytes")).isGreaterThan(1 << 20);
    assertThat(database.rows("SELECT count(*), sum(v), min(s) FROM t"))
        .containsExactly("30000|449985000|string 0");
  }

  @Test
  void oneWriterWithoutAPauseIsNeverRefused() throws Exception {
    insert(database.connection(), 0, ROWS);
    for (int round = 1; round <= 20; round++) {
      database.execute("DELETE FROM t");
      insert(database.connection(), (long) round * ROWS, ROWS);
    }
    assertThat(statistic("rewrites")).isBetween(4L, 20L);
    assertThat(statistic("conflicts")).isZero();
    assertThat(database.rows("SELECT count(*), min(id) FROM t"))
        .containsExactly(ROWS + "|" + 20L * ROWS);
  }

  /** It waits for the rewrite's end, which is its transaction's beginning. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theFirstStatementOfATransactionOutlastsARewrite(boolean autoCommit) throws Exception {
    insert(database.connection(), 0, 10);
    Connection connection = database.connection();
    connection.setAutoCommit(autoCommit);
    whileRewriting(() -> database.execute("UPDATE t SET v = v + 100 WHERE id < 3"));
    assertThat(database.rows("SELECT v FROM t WHERE id < 4 ORDER BY id"))
        .containsExactly("100", "101", "102", "3");
    if (!autoCommit) {
      connection.rollback();
      assertThat(database.rows("SELECT sum(v) FROM t")).containsExactly("45");
    }
  }

  /** What it has read before may be what it writes. */
  @Test
  void aLaterStatementOfATransactionIsRefusedByARewrite() throws Exception {
    insert(database.connection(), 0, 10);
    database.connection().setAutoCommit(false);
    assertThat(database.rows("SELECT sum(v) FROM t")).containsExactly("45");
    whileRewriting(
        () ->
            assertThatThrownBy(() -> database.execute("DELETE FROM t WHERE id < 3"))
                .isInstanceOfSatisfying(
                    SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001")));
    database.connection().rollback();
    assertThat(database.rows("SELECT sum(v) FROM t")).containsExactly("45");
  }

  private interface Work {
    void run() throws SQLException;
  }

  /** Does what meets a rewrite of the table that commits a moment later. */
  private void whileRewriting(Work work) throws Exception {
    Database opened = database.connection().unwrap(GpdbConnection.class).session().database();
    Transaction rewriter = opened.transactions().begin();
    var table = opened.catalog().snapshot(rewriter).tables().iterator().next();
    opened.catalog().rewriteTableUnlessWritten(rewriter, table);
    Thread end =
        Thread.ofPlatform()
            .start(
                () -> {
                  LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
                  rewriter.commit();
                });
    work.run();
    end.join();
  }

  @Test
  void switchedOffItDoesNothing() throws Exception {
    assertThat(database.rows("SHOW auto_vacuum")).containsExactly("on");
    database.execute("SET auto_vacuum = off");
    assertThat(database.rows("SHOW auto_vacuum")).containsExactly("off");
    for (int round = 0; round < 8; round++) {
      insert(database.connection(), (long) round * ROWS, ROWS);
      database.execute("DELETE FROM t");
    }
    assertThat(statistic("rewrites")).isZero();
    database.execute("SET auto_vacuum = on");
    database.execute("INSERT INTO t VALUES (1, 1, 'one')");
    database.execute("UPDATE t SET v = v + 1");
    insert(database.connection(), 1000, ROWS);
    database.execute("DELETE FROM t WHERE id > 1");
    assertThat(statistic("rewrites")).isOne();
    assertThat(database.rows("SELECT * FROM t")).containsExactly("1|2|one");
  }

  @Test
  void writersAtTheSameTimeKeepAllTheirRows() throws Exception {
    AtomicInteger refused = new AtomicInteger();
    List<Thread> writers = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    for (int w = 0; w < 3; w++) {
      long base = w * 1_000_000_000L;
      writers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (Connection connection = database.another()) {
                      for (int round = 0; round < 12; round++) {
                        rewriteAll(connection, base, round, refused);
                      }
                    } catch (SQLException | RuntimeException | Error e) {
                      synchronized (failures) {
                        failures.add(e);
                      }
                    }
                  }));
    }
    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(failures).isEmpty();
    assertThat(database.rows("SELECT count(*), count(DISTINCT id), min(v), max(v) FROM t"))
        .containsExactly("15000|15000|11|11");
    awaitRewrite();
    assertThat(database.rows("SELECT count(*), min(v), max(v) FROM t"))
        .containsExactly("15000|11|11");
    assertThat(refused.get()).isLessThan(12);
  }

  @Test
  void whoeverCreatesAndDropsTablesBesideItIsNeverRefused() throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (Connection connection = database.another()) {
                    for (int round = 1; round <= 20; round++) {
                      insert(connection, (long) round * ROWS, ROWS);
                      TestDatabase.execute(connection, "DELETE FROM t");
                    }
                  } catch (SQLException | RuntimeException | Error e) {
                    failure.set(e);
                  }
                });
    while (writer.isAlive()) {
      database.execute("CREATE TABLE other (id INT)");
      database.execute("DROP TABLE other");
    }
    assertThat(failure.get()).isNull();
    assertThat(statistic("rewrites")).isPositive();
  }

  /** A table that is never at rest may be rewritten only when its writers are done. */
  private void awaitRewrite() throws SQLException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (statistic("rewrites") == 0 && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
    assertThat(statistic("rewrites")).isPositive();
  }

  /** Replaces the rows of one writer by new ones, again when it was refused. */
  private static void rewriteAll(Connection connection, long base, int round, AtomicInteger refused)
      throws SQLException {
    connection.setAutoCommit(false);
    while (true) {
      try {
        TestDatabase.execute(
            connection, "DELETE FROM t WHERE id BETWEEN " + base + " AND " + (base + 999_999_999));
        insert(connection, base + round * 5000L, 5000);
        TestDatabase.execute(
            connection,
            "UPDATE t SET v = "
                + round
                + " WHERE id BETWEEN "
                + base
                + " AND "
                + (base + 999_999_999));
        connection.commit();
        return;
      } catch (SQLException e) {
        connection.rollback();
        if (!"40001".equals(e.getSQLState())) {
          throw e;
        }
        refused.incrementAndGet();
      }
    }
  }
}
