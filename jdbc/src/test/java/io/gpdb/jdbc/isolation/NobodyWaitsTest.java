package io.gpdb.jdbc.isolation;

import static io.gpdb.jdbc.isolation.IsolationDatabase.assertConflict;
import static io.gpdb.jdbc.isolation.IsolationDatabase.execute;
import static io.gpdb.jdbc.isolation.IsolationDatabase.rows;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers never block writers nor writers readers, and nothing can wait in a circle. */
@Tag("isolation")
class NobodyWaitsTest {
  private static final int SECONDS_MAX = 60;

  private IsolationDatabase database;
  private ExecutorService threads;

  @BeforeEach
  void open() throws SQLException {
    StringBuilder rows = new StringBuilder("(0, 0)");
    for (int id = 1; id < 400; id++) {
      rows.append(", (").append(id).append(", ").append(id).append(')');
    }
    database = new IsolationDatabase(rows.toString());
    threads = Executors.newCachedThreadPool();
  }

  @AfterEach
  void close() throws SQLException {
    threads.shutdownNow();
    database.close();
  }

  private void inAnotherThread(IsolationDatabase.Act act)
      throws InterruptedException, ExecutionException, TimeoutException {
    Future<?> done =
        threads.submit(
            () -> {
              act.run();
              return null;
            });
    done.get(SECONDS_MAX, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM test",
        "SELECT v, id FROM test",
        "SELECT id, v + 1 FROM test WHERE v >= 0",
        "SELECT id, v FROM test LIMIT 390",
        "SELECT id, v FROM test UNION ALL SELECT v, id FROM test",
        "SELECT a.id, b.v FROM test a JOIN test b ON a.id = b.id",
        "SELECT id, SUM(v) OVER (ORDER BY id) FROM test",
        "SELECT DISTINCT id, v FROM test",
        "SELECT id, v FROM test ORDER BY v DESC",
        "SELECT id, v FROM test WHERE CAST(v AS VARCHAR) SIMILAR TO '[0-9]+'"
      })
  void openRowsBlockNoWriter(String query) throws Exception {
    Connection reader = database.transaction(Connection.TRANSACTION_REPEATABLE_READ);
    Connection writer = database.transaction(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement statement = reader.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      assertThat(rows.next()).isTrue();
      inAnotherThread(
          () -> {
            execute(writer, "UPDATE test SET v = v + 1");
            execute(writer, "DELETE FROM test WHERE id > 300");
            execute(writer, "INSERT INTO test VALUES (1000, 1)");
            writer.commit();
          });
      execute(database.setUp(), "UPDATE test SET v = 5 WHERE id = 5");
      int count = 1;
      while (rows.next()) {
        count++;
      }
      assertThat(count).isGreaterThanOrEqualTo(390);
    }
    assertThat(database.committed()).hasSize(302);
  }

  @Test
  void aWriterBlocksNoReader() throws Exception {
    Connection writer = database.transaction(Connection.TRANSACTION_SERIALIZABLE);
    execute(writer, "UPDATE test SET v = -1");
    execute(writer, "DELETE FROM test WHERE id < 10");
    for (HermitageTest.Level level : HermitageTest.Level.values()) {
      Connection reader = database.transaction(level.jdbc);
      inAnotherThread(
          () -> {
            assertThat(rows(reader, "SELECT id, v FROM test")).hasSize(400).contains("7=7");
            assertThat(rows(reader, "SELECT id, v FROM test WHERE id = 7")).containsExactly("7=7");
            reader.commit();
          });
    }
    writer.commit();
  }

  /** The classic deadlock: each has what the other wants; here both are refused, none waits. */
  @ParameterizedTest
  @EnumSource
  void twoThatCrossAreRefusedAtOnce(HermitageTest.Level level) throws Exception {
    Connection first = database.transaction(level.jdbc);
    Connection second = database.transaction(level.jdbc);
    execute(first, "UPDATE test SET v = 1 WHERE id = 1");
    execute(second, "UPDATE test SET v = 2 WHERE id = 2");
    inAnotherThread(() -> assertConflict(first, "UPDATE test SET v = 1 WHERE id = 2"));
    inAnotherThread(() -> assertConflict(second, "UPDATE test SET v = 2 WHERE id = 1"));
    first.commit();
    second.commit();
    assertThat(database.committed()).contains("1=1", "2=2");
  }

  @Test
  void manyCrossingRowsTablesAndDefinitionsComeToAnEnd() throws Exception {
    for (int t = 0; t < 3; t++) {
      execute(database.setUp(), "CREATE TABLE other" + t + " (id INTEGER PRIMARY KEY, v INTEGER)");
      execute(database.setUp(), "INSERT INTO other" + t + " SELECT id, v FROM test");
    }
    AtomicBoolean stop = new AtomicBoolean();
    List<Future<Integer>> running = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Connection connection = database.transaction(HermitageTest.Level.values()[i % 3].jdbc);
      int seed = i;
      running.add(threads.submit(() -> cross(connection, new Random(seed), stop)));
    }
    Thread.sleep(3000);
    stop.set(true);
    int committed = 0;
    for (Future<Integer> thread : running) {
      committed += thread.get(SECONDS_MAX, TimeUnit.SECONDS);
    }
    assertThat(committed).isPositive();
    assertThat(rows(database.setUp(), "SELECT COUNT(*), COUNT(DISTINCT id) FROM test")).hasSize(1);
  }

  private static int cross(Connection connection, Random random, AtomicBoolean stop)
      throws SQLException {
    int committed = 0;
    while (!stop.get()) {
      try {
        for (int i = 0; i < 3; i++) {
          execute(connection, randomChange(random));
        }
        connection.commit();
        committed++;
      } catch (SQLException e) {
        assertThat(e.getSQLState()).isIn("40001", "23505", "42S01", "42S02");
        connection.rollback();
      }
    }
    return committed;
  }

  private static String randomChange(Random random) {
    String table = random.nextInt(4) == 0 ? "test" : "other" + random.nextInt(3);
    int id = random.nextInt(20);
    return switch (random.nextInt(12)) {
      case 0 -> "DROP TABLE IF EXISTS made" + random.nextInt(2);
      case 1 -> "CREATE TABLE IF NOT EXISTS made" + random.nextInt(2) + " (a INTEGER)";
      case 2 -> "DELETE FROM " + table + " WHERE id = " + id;
      case 3 -> "INSERT INTO " + table + " VALUES (" + id + ", 1)";
      case 4 -> "UPDATE " + table + " SET v = v + 1 WHERE v < 3";
      case 5 -> "UPDATE " + table + " SET v = (SELECT MAX(v) FROM test) WHERE id = " + id;
      case 6 -> "SELECT COUNT(*) FROM " + table;
      default -> "UPDATE " + table + " SET v = v + 1 WHERE id = " + id;
    };
  }
}
