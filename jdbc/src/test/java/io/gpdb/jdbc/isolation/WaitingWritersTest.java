package io.gpdb.jdbc.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writers that wait for others, by {@code lock_timeout}. */
final class WaitingWritersTest {
  private static final String URL = "jdbc:gpdb:mem:waiting";

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Connection first;
  private Connection second;

  @BeforeEach
  void open() throws SQLException {
    try (Connection given = DriverManager.getConnection(URL + ";lock_timeout=70")) {
      assertThat(number(given, "SHOW lock_timeout")).isEqualTo(70);
    }
    first = connection(5_000, "READ COMMITTED");
    second = connection(5_000, "READ COMMITTED");
    run(first, "CREATE TABLE acct (id INTEGER PRIMARY KEY, v INTEGER, s VARCHAR(20))");
    run(first, "INSERT INTO acct VALUES (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c')");
    run(first, "CREATE TABLE plain (v INTEGER)");
    run(first, "INSERT INTO plain VALUES (1), (2)");
    first.commit();
  }

  @AfterEach
  void close() throws SQLException {
    first.close();
    second.close();
    threads.close();
  }

  private static Connection connection(int timeoutMillis, String level) throws SQLException {
    Connection connection = DriverManager.getConnection(URL);
    connection.setAutoCommit(false);
    run(connection, "SET lock_timeout = " + timeoutMillis);
    run(connection, "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + level);
    connection.commit();
    return connection;
  }

  private static int run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
      return statement.getUpdateCount();
    }
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static void level(Connection connection, String level) throws SQLException {
    run(connection, "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + level);
    connection.commit();
  }

  private static SQLException refused(ThrowingCallable act) {
    Throwable thrown = org.assertj.core.api.Assertions.catchThrowable(act);
    while (thrown instanceof ExecutionException e) {
      thrown = e.getCause();
    }
    assertThat(thrown).isInstanceOf(SQLException.class);
    return (SQLException) thrown;
  }

  /** Begins the change on another thread and returns when it waits, or has ended. */
  private Future<Integer> waiting(Connection connection, String sql) throws Exception {
    return waiting(() -> run(connection, sql));
  }

  private Future<Integer> waiting(Callable<Integer> update) throws Exception {
    AtomicReference<Thread> worker = new AtomicReference<>();
    Future<Integer> change =
        threads.submit(
            () -> {
              worker.set(Thread.currentThread());
              return update.call();
            });
    while (!change.isDone() && !isWaiting(worker.get())) {
      Thread.sleep(5);
    }
    return change;
  }

  private static boolean isWaiting(@Nullable Thread thread) {
    return thread != null
        && thread.getState() == Thread.State.TIMED_WAITING
        && Arrays.stream(thread.getStackTrace())
            .anyMatch(frame -> frame.getClassName().endsWith(".LockWaits"));
  }

  @Test
  void twoThreadsThatUpdateOneRowLoseNothingAndMeetNoConflict() throws Exception {
    run(first, "SET lock_timeout = 60000");
    run(second, "SET lock_timeout = 60000");
    String[] changes = {
      "UPDATE acct SET v = v + 1 WHERE id = 1",
      "UPDATE plain SET v = v + 1 WHERE v > 0",
      "UPDATE acct SET v = v + 1 WHERE s = 'b'"
    };
    List<Future<Void>> both = new ArrayList<>();
    for (Connection connection : List.of(first, second)) {
      Callable<Void> worker =
          () -> {
            for (int i = 0; i < 300; i++) {
              run(connection, changes[i % changes.length]);
              connection.commit();
            }
            return null;
          };
      both.add(threads.submit(worker));
    }
    for (Future<Void> one : both) {
      one.get();
    }
    assertThat(number(first, "SELECT v FROM acct WHERE id = 1")).isEqualTo(210);
    assertThat(number(first, "SELECT v FROM acct WHERE id = 2")).isEqualTo(220);
    assertThat(number(first, "SELECT sum(v) FROM plain")).isEqualTo(403);
  }

  @Test
  void aWaitingUpdateJudgesTheNewestRow() throws Exception {
    for (String condition : List.of("id = 1 AND v = 10", "v = 10")) {
      run(first, "UPDATE acct SET v = 11 WHERE id = 1");
      Future<Integer> change = waiting(second, "UPDATE acct SET v = v * 2 WHERE " + condition);
      assertThat(change.isDone()).isFalse();
      first.commit();
      assertThat(change.get()).isZero();
      second.commit();
      run(first, "UPDATE acct SET v = 10 WHERE id = 1");
      first.commit();
    }
    run(first, "DELETE FROM acct WHERE id = 1");
    Future<Integer> change = waiting(second, "UPDATE acct SET v = 0");
    first.rollback();
    assertThat(change.get()).isEqualTo(3);
  }

  @Test
  void aBatchWaitsToo() throws Exception {
    run(first, "UPDATE acct SET v = 12 WHERE id = 2");
    Future<int[]> batch =
        threads.submit(
            () -> {
              try (PreparedStatement change =
                  second.prepareStatement("UPDATE acct SET v = v + ? WHERE id = ?")) {
                for (int i = 0; i < 60; i++) {
                  change.setInt(1, 1);
                  change.setInt(2, 1 + i % 3);
                  change.addBatch();
                }
                return change.executeBatch();
              }
            });
    Thread.sleep(100);
    assertThat(batch.isDone()).isFalse();
    first.commit();
    assertThat(batch.get()).hasSize(60).containsOnly(1);
    assertThat(number(second, "SELECT v FROM acct WHERE id = 2")).isEqualTo(32);
  }

  @Test
  void aDuplicateOfAnOpenInsertWaits() throws Exception {
    run(first, "INSERT INTO acct VALUES (4, 0, 'x')");
    Future<Integer> again = waiting(second, "INSERT INTO acct VALUES (4, 1, 'y')");
    assertThat(again.isDone()).isFalse();
    first.rollback();
    assertThat(again.get()).isEqualTo(1);
    second.rollback();
    run(first, "INSERT INTO acct VALUES (4, 0, 'x')");
    Future<Integer> late = waiting(second, "INSERT INTO acct VALUES (4, 1, 'y')");
    first.commit();
    assertThat(refused(late::get).getSQLState()).isEqualTo("23505");
  }

  @Test
  void underASnapshotAWaiterGoesOnOnlyAfterARollback() throws Exception {
    for (String level : List.of("SNAPSHOT", "SERIALIZABLE")) {
      level(second, level);
      number(second, "SELECT count(*) FROM acct");
      run(first, "UPDATE acct SET v = v + 1 WHERE id = 1");
      Future<Integer> change = waiting(second, "UPDATE acct SET v = 0 WHERE id = 1");
      first.rollback();
      assertThat(change.get()).isEqualTo(1);
      second.rollback();
      number(second, "SELECT count(*) FROM acct");
      run(first, "UPDATE acct SET v = v + 1 WHERE id = 1");
      Future<Integer> refused = waiting(second, "UPDATE acct SET v = 0 WHERE id = 1");
      first.commit();
      assertThat(refused(refused::get).getSQLState()).isEqualTo("40001");
      second.rollback();
    }
  }

  @Test
  void waitingEndsWithTheTimeoutACancelAndASavepoint() throws Exception {
    run(first, "SAVEPOINT before");
    run(first, "UPDATE acct SET v = v + 1 WHERE id = 1");
    run(second, "SET lock_timeout = 50");
    assertThat(refused(() -> run(second, "DELETE FROM acct WHERE id = 1")).getSQLState())
        .isEqualTo("55P03");
    run(second, "SET lock_timeout = 60000");
    try (Statement waiter = second.createStatement()) {
      Future<Integer> change =
          waiting(() -> waiter.executeUpdate("UPDATE acct SET v = 0 WHERE id = 1"));
      waiter.cancel();
      assertThat(refused(change::get).getSQLState()).isEqualTo("57014");
    }
    Future<Integer> change = waiting(second, "UPDATE acct SET v = 0 WHERE id = 1");
    run(first, "ROLLBACK TO before");
    assertThat(change.get()).isEqualTo(1);
  }

  /**
   * Which one fails is open: a waiter looks again whenever the one that it waits for has undone a
   * statement, so the last to close the circle may be any of the three.
   */
  @Test
  void aCircleOfWaitersIsFoundAndOneOfThemFails() throws Exception {
    try (Connection third = connection(60_000, "READ COMMITTED")) {
      List<Connection> writers = List.of(first, second, third);
      for (int row = 1; row <= 3; row++) {
        run(writers.get(row - 1), "SET lock_timeout = 60000");
        run(writers.get(row - 1), "UPDATE acct SET v = v + 1 WHERE id = " + row);
      }
      List<Future<Integer>> changes = new ArrayList<>();
      for (int writer = 0; writer < 3; writer++) {
        int rowOfNext = (writer + 1) % 3 + 1;
        changes.add(
            waiting(writers.get(writer), "UPDATE acct SET v = v + 1 WHERE id = " + rowOfNext));
      }
      while (changes.stream().noneMatch(Future::isDone)) {
        Thread.sleep(5);
      }
      List<Integer> failed =
          IntStream.range(0, 3).filter(writer -> changes.get(writer).isDone()).boxed().toList();
      assertThat(failed).hasSize(1);
      int victim = failed.getFirst();
      SQLException found = refused(changes.get(victim)::get);
      assertThat(found.getSQLState()).isEqualTo("40P01");
      assertThat(found.getMessage()).contains("3 transactions");
      writers.get(victim).rollback();
      int before = (victim + 2) % 3;
      assertThat(changes.get(before).get()).isEqualTo(1);
      writers.get(before).commit();
      assertThat(changes.get((victim + 1) % 3).get()).isEqualTo(1);
    }
  }

  @Test
  void aConflictNamesTheTableAndTheKey() throws Exception {
    run(second, "SET lock_timeout = 0");
    run(first, "UPDATE acct SET v = 11 WHERE id = 2");
    run(first, "UPDATE plain SET v = 5 WHERE v = 2");
    run(first, "INSERT INTO acct VALUES (9, 0, 'x')");
    for (String sql :
        List.of(
            "UPDATE acct SET v = 0 WHERE id = 2", "DELETE FROM acct", "UPDATE acct SET v = 1")) {
      SQLException conflict = refused(() -> run(second, sql));
      assertThat(conflict.getSQLState()).isEqualTo("40001");
      assertThat(conflict.getMessage()).contains("ID = 2", "ACCT");
    }
    assertThat(
            refused(() -> run(second, "INSERT INTO acct VALUES (8, 0, ''), (9, 0, '')"))
                .getMessage())
        .contains("ID = 9", "ACCT");
    assertThat(refused(() -> run(second, "UPDATE acct SET id = 9 WHERE id = 1")).getMessage())
        .contains("ID = 9", "ACCT");
    assertThat(refused(() -> run(second, "DELETE FROM plain")).getMessage())
        .contains("number 2", "PLAIN");
  }
}
