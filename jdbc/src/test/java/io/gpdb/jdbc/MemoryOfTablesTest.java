package io.gpdb.jdbc;

import static io.gpdb.jdbc.TestDatabase.execute;
import static io.gpdb.jdbc.TestDatabase.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.memory.DatabaseMemory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code memory_limit} counts the tables of a database in memory: a statement that would add too
 * much fails with 53200 and changes nothing; whatever makes room, and whatever reads, goes on.
 */
class MemoryOfTablesTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);
  private static final int STEPS = Integer.getInteger("gpdb.fuzz", 30);
  private static final long MIB = 1 << 20;
  private static final long LIMIT_BYTES = 4 * MIB;

  /** What one statement may add after it was asked: a batch, and tablets that double. */
  private static final long BEYOND_BYTES = 4 * MIB;

  private static final String TABLE =
      "CREATE TABLE t (id BIGINT PRIMARY KEY, v BIGINT, s VARCHAR(200))";

  private static final List<String> ADDING =
      List.of(
          "INSERT INTO t VALUES (-1, 1, 'a string that nobody has')",
          "INSERT INTO t SELECT id + 1000000, v, s FROM t",
          "UPDATE t SET s = s || ' and more' WHERE id < 100",
          "UPDATE t SET id = id + 1000000",
          "CREATE INDEX i ON t (v)",
          "ALTER TABLE t ADD COLUMN w BIGINT DEFAULT 7",
          "CREATE TABLE u AS SELECT * FROM t");

  private static final String COUNTS = "SELECT count(*), sum(id), sum(v), min(s) FROM t";

  private static Connection open(String name) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:gpdb:mem:" + name + ";workers=2;auto_vacuum=false;memory_limit=" + LIMIT_BYTES);
  }

  private static DatabaseMemory memory(Connection connection) throws SQLException {
    return connection
        .unwrap(GpdbConnection.class)
        .session()
        .database()
        .transactions()
        .space()
        .memory();
  }

  /** Runs a statement; false where it fails because there is no memory. */
  private static boolean runs(Connection connection, String sql) throws SQLException {
    try {
      execute(connection, sql);
      return true;
    } catch (SQLException e) {
      assertThat(e.getSQLState()).as(sql + ", seed=" + SEED).isEqualTo("53200");
      return false;
    }
  }

  private static String text(long id, long salt) {
    return ("string of row " + id + " and " + salt + " ").repeat(3);
  }

  private static boolean inserts(Connection connection, long from, int n) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?)")) {
      for (long id = from; id < from + n; id++) {
        insert.setLong(1, id);
        insert.setLong(2, id % 10);
        insert.setString(3, text(id, 0));
        insert.addBatch();
      }
      insert.executeBatch();
      return true;
    } catch (SQLException e) {
      assertThat(e.getSQLState()).as("seed=" + SEED).isEqualTo("53200");
      return false;
    }
  }

  /** Inserts rows until there is no memory for one more; returns the next id. */
  private static long fill(Connection connection, long from) throws SQLException {
    long id = from;
    for (int n = 512; n > 0; ) {
      if (inserts(connection, id, n)) {
        id += n;
      } else {
        n /= 2;
      }
    }
    return id;
  }

  @Test
  void whatNeedsMoreFailsAndChangesNothing() throws SQLException {
    try (Connection connection = open("full")) {
      execute(connection, TABLE);
      fill(connection, 0);
      List<String> before = rows(connection, COUNTS);
      for (String sql : ADDING) {
        for (boolean autoCommit : new boolean[] {true, false}) {
          connection.setAutoCommit(autoCommit);
          assertThat(runs(connection, sql)).as(sql).isFalse();
          assertThat(rows(connection, COUNTS)).as(sql).isEqualTo(before);
        }
        execute(connection, "UPDATE t SET v = 100 WHERE id = 7");
        connection.rollback();
      }
      execute(connection, "UPDATE t SET v = v + 1 WHERE id = 7");
      connection.commit();
      assertThat(rows(connection, "SELECT v FROM t WHERE id = 7")).containsExactly("8");
      connection.setAutoCommit(true);
      execute(connection, "DROP TABLE t");
      assertThat(memory(connection).tables().usedBytes()).isLessThan(MIB / 2);
      execute(connection, TABLE);
      assertThat(inserts(connection, 0, 2000)).isTrue();
    }
  }

  @Test
  void whatIsDeletedMakesRoomAgain() throws SQLException {
    try (Connection connection = open("again")) {
      execute(connection, TABLE);
      long next = 0;
      long first = 0;
      for (int round = 0; round < 2; round++) {
        long end = fill(connection, next);
        assertThat(end - next).isGreaterThan(1000);
        assertThat(memory(connection).tables().usedBytes()).isLessThan(LIMIT_BYTES + BEYOND_BYTES);
        execute(connection, "DELETE FROM t WHERE id >= " + first + " AND id < " + (end - 100));
        first = end - 100;
        next = end;
        execute(connection, "VACUUM t");
        assertThat(rows(connection, "SELECT count(*), min(id), max(id) FROM t"))
            .containsExactly("100|" + first + "|" + (end - 1));
      }
    }
  }

  @Test
  void atTheLimitADatabaseIsWhatAModelSays() throws SQLException {
    Random random = new Random(SEED);
    Map<Long, String> model = new TreeMap<>();
    int refused = 0;
    try (Connection connection = open("model")) {
      execute(connection, TABLE);
      long next = fill(connection, 0);
      for (long id = 0; id < next; id++) {
        model.put(id, text(id, 0));
      }
      for (int step = 0; step < STEPS; step++) {
        long low = random.nextLong(next + 1);
        long high = low + 1 + random.nextInt(2000);
        String range = " WHERE id >= " + low + " AND id < " + high;
        boolean rollsBack = random.nextInt(5) == 0;
        connection.setAutoCommit(!rollsBack);
        Map<Long, String> changed = new TreeMap<>(model);
        boolean done =
            switch (random.nextInt(10)) {
              case 0 -> {
                changed.keySet().removeIf(id -> id >= low && id < high);
                yield runs(connection, "DELETE FROM t" + range);
              }
              case 1 -> {
                String other = text(low, step);
                changed.replaceAll((id, s) -> id >= low && id < high ? other + id : s);
                yield runs(connection, "UPDATE t SET s = '" + other + "' || id" + range);
              }
              case 2 -> {
                connection.setAutoCommit(true);
                rollsBack = false;
                execute(connection, "VACUUM t");
                yield true;
              }
              default -> {
                int n = 1 + random.nextInt(1500);
                for (long id = next; id < next + n; id++) {
                  changed.put(id, text(id, 0));
                }
                next += n;
                yield inserts(connection, next - n, n);
              }
            };
        refused += done ? 0 : 1;
        if (rollsBack) {
          connection.rollback();
        } else if (done) {
          model = changed;
        }
        if (step % 5 == 0 || step == STEPS - 1) {
          assertThat(rows(connection, "SELECT id, s FROM t").stream().sorted().toList())
              .as("seed=%d, step=%d", SEED, step)
              .isEqualTo(
                  model.entrySet().stream()
                      .map(e -> e.getKey() + "|" + e.getValue())
                      .sorted()
                      .toList());
          assertThat(memory(connection).tables().usedBytes())
              .as("seed=%d, step=%d", SEED, step)
              .isLessThan(LIMIT_BYTES + BEYOND_BYTES);
        }
      }
    }
    assertThat(refused).as("seed=%d", SEED).isPositive();
  }

  @Test
  void severalThatFillItAreAllRefusedAndGoOn() throws Exception {
    try (Connection connection = open("several");
        ExecutorService threads = Executors.newFixedThreadPool(3)) {
      execute(connection, TABLE);
      List<Future<Long>> ends = new ArrayList<>();
      for (int t = 0; t < 3; t++) {
        long from = t * 1_000_000L;
        ends.add(
            threads.submit(
                () -> {
                  try (Connection own = open("several")) {
                    return fill(own, from) - from;
                  }
                }));
      }
      long count = 0;
      for (Future<Long> end : ends) {
        count += end.get();
      }
      assertThat(rows(connection, "SELECT count(*) FROM t")).containsExactly("" + count);
      assertThat(memory(connection).tables().usedBytes())
          .isLessThan(LIMIT_BYTES + 3 * BEYOND_BYTES);
      execute(connection, "DELETE FROM t WHERE id >= 1000");
      execute(connection, "VACUUM t");
      assertThat(fill(connection, 5_000_000) - 5_000_000).isGreaterThan(1000);
    }
  }

  @Test
  void tablesInFilesAreNotCounted(@TempDir Path directory) throws SQLException {
    String url = "jdbc:gpdb:" + directory.resolve("db") + ";memory_limit=" + LIMIT_BYTES;
    try (Connection connection = DriverManager.getConnection(url)) {
      execute(connection, TABLE);
      for (int i = 0; i < 20; i++) {
        assertThat(inserts(connection, i * 1500L, 1500)).isTrue();
      }
      assertThat(memory(connection).tables().usedBytes()).isGreaterThan(LIMIT_BYTES);
    }
  }

  @Test
  void aLimitThatIsNotSetIsOneOfTheMachine() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:unset")) {
      long most = Long.parseLong(rows(connection, "SHOW memory_limit").getFirst());
      assertThat(most).isGreaterThan(256 * MIB);
      assertThatThrownBy(() -> memory(connection).requireTableRoom(most))
          .hasMessageStartingWith("no memory for tables: bytes=" + most);
    }
  }
}
