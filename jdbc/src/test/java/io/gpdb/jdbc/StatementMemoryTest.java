package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.MemoryAccount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a statement takes outside the heap is counted while it runs and given back at its end,
 * whether it succeeds, fails or is cancelled; what it may take is limited.
 */
class StatementMemoryTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);
  private static final int ROUNDS = Integer.getInteger("gpdb.fuzz", 30);
  private static final int ROWS = 70_000;
  private static final long LIMIT_BYTES = 2 << 20;
  private static final long MIB = 1 << 20;

  /** What the records of commits and recovery take beyond the limit. */
  private static final long BEYOND_LIMIT_BYTES = 5 * MIB;

  private static final List<String> QUERIES =
      List.of(
          "SELECT * FROM t ORDER BY s, v DESC",
          "SELECT id, v * 2 FROM t WHERE v > 3 ORDER BY v + id DESC LIMIT 50000 OFFSET 7",
          "SELECT id, count(*), sum(v), min(s) FROM t GROUP BY id",
          "SELECT s, avg(v), count(DISTINCT g) FROM t GROUP BY s",
          "SELECT DISTINCT id, s FROM t",
          "SELECT count(*), sum(v), max(s), count(DISTINCT id) FROM t",
          "SELECT a.id, b.s FROM t a JOIN t b ON a.id = b.id + 1",
          "SELECT a.id, b.s FROM t a LEFT JOIN t b ON a.id = b.v * 1000",
          "SELECT id FROM t WHERE id IN (SELECT v + id FROM t WHERE g > 2)",
          "SELECT id FROM t WHERE id NOT IN (SELECT v + id FROM t)",
          "SELECT id, s FROM t UNION ALL SELECT v, s || 'x' FROM t",
          "SELECT id FROM t INTERSECT SELECT v FROM t",
          "SELECT id, (SELECT max(b.v) FROM t b WHERE b.g = t.g) FROM t",
          "SELECT id, sum(v) OVER (PARTITION BY g ORDER BY id) FROM t WHERE id < 5000",
          "SELECT upper(s) || id FROM t WHERE s LIKE '%1%' ORDER BY 1",
          "SELECT count(*) FROM t a, t b WHERE a.id = 5 AND b.id < 3000",
          "SELECT id FROM t LIMIT 10",
          "SELECT * FROM t WHERE id = 77",
          "SHOW memory_limit");

  private static final List<String> CHANGES =
      List.of(
          "UPDATE t SET v = v + 1 WHERE g = 3",
          "UPDATE t SET s = s || 'y' WHERE id < 500",
          "DELETE FROM t WHERE id > 69000 AND g = 1",
          "INSERT INTO t SELECT id + 200000, g, v, s FROM t WHERE id < 2000",
          "DELETE FROM t WHERE id >= 200000",
          "CREATE TABLE more AS SELECT id, s FROM t WHERE g = 2; DROP TABLE more",
          "UPDATE t SET v = 9 WHERE id = 7");

  private static final List<String> FAILURES =
      List.of(
          "SELECT id / (id - 69500) FROM t",
          "SELECT sum(100 / (id - 60001)) FROM t GROUP BY g",
          "SELECT a.id FROM t a JOIN t b ON a.id = 1 / (b.id - 60001)",
          "SELECT id FROM t ORDER BY 1 / (id - 60001)",
          "SELECT (SELECT b.id FROM t b WHERE b.g = t.g) FROM t",
          "UPDATE t SET v = 1 / (id - 69000)",
          "INSERT INTO t SELECT id, g, v, s FROM t",
          "SELECT nothing FROM t");

  @TempDir Path directory;

  private static Connection open(Path directory, String options) throws SQLException {
    return DriverManager.getConnection("jdbc:gpdb:" + directory.resolve("db") + options);
  }

  private static void fill(Connection connection) throws SQLException {
    TestDatabase.execute(
        connection, "CREATE TABLE t (id BIGINT PRIMARY KEY, g INTEGER, v BIGINT, s VARCHAR)");
    insert(connection, 0, ROWS, 5000);
  }

  private static void insert(Connection connection, int from, int to, int batch)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?, ?)")) {
      for (int id = from; id < to; id++) {
        statement.setLong(1, id);
        statement.setInt(2, id % 7);
        statement.setLong(3, id % 10);
        statement.setString(4, "string " + id % 1000);
        statement.addBatch();
        if ((id - from) % batch == batch - 1) {
          statement.executeBatch();
        }
      }
    }
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

  /** Reads some of the rows; returns whether all of them. */
  private static boolean read(Statement statement, int most) throws SQLException {
    try (ResultSet rows = statement.getResultSet()) {
      for (int i = 0; rows != null && i < most; i++) {
        if (!rows.next()) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void theAccountIsAsBeforeWhateverEndsAStatement() throws Exception {
    Random random = new Random(SEED);
    try (Connection connection = open(directory, "")) {
      fill(connection);
      MemoryAccount work = memory(connection).work();
      long before = settled(work, 0);
      for (int round = 0; round < ROUNDS; round++) {
        long left = work.leftBytes();
        String what = runOne(connection, random);
        assertThat(settled(work, before)).as("seed %d, %s", SEED, what).isEqualTo(before);
        if (!what.startsWith("stopped")) {
          assertThat(work.leftBytes()).as("seed %d, left by %s", SEED, what).isEqualTo(left);
        }
      }
    }
  }

  /** Undo versions are dropped by another thread, a while later. */
  private static long settled(MemoryAccount work, long expected) throws InterruptedException {
    long until = System.nanoTime() + 5_000_000_000L;
    while (work.usedBytes() != expected && System.nanoTime() < until) {
      Thread.sleep(2);
    }
    return work.usedBytes();
  }

  private String runOne(Connection connection, Random random) throws Exception {
    return switch (random.nextInt(8)) {
      case 0, 1 -> query(connection, one(QUERIES, random), Integer.MAX_VALUE);
      case 2 -> query(connection, one(QUERIES, random), random.nextInt(5000));
      case 3 -> change(connection, one(CHANGES, random));
      case 4 -> failure(connection, one(FAILURES, random));
      case 5 -> batch(connection, random);
      case 6 -> copy(connection);
      default ->
          stopped(connection, one(random.nextInt(3) > 0 ? QUERIES : CHANGES, random), random);
    };
  }

  private static String one(List<String> of, Random random) {
    return of.get(random.nextInt(of.size()));
  }

  private static String query(Connection connection, String sql, int rows) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
      read(statement, rows);
    }
    return sql;
  }

  private static String change(Connection connection, String sql) throws SQLException {
    TestDatabase.execute(connection, "DELETE FROM t WHERE id >= 200000");
    TestDatabase.execute(connection, sql);
    return sql;
  }

  private static String failure(Connection connection, String sql) {
    assertThatThrownBy(() -> query(connection, sql, Integer.MAX_VALUE), sql)
        .isInstanceOf(SQLException.class);
    return "stopped by its failure: " + sql;
  }

  private static String batch(Connection connection, Random random) throws SQLException {
    int from = 300_000 + random.nextInt(1000) * 1000;
    insert(connection, from, from + 3000, 3000);
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE t SET v = v + ? WHERE id = ?")) {
      for (int id = 0; id < 2000; id++) {
        update.setLong(1, 3);
        update.setLong(2, id * 20L);
        update.addBatch();
      }
      update.executeBatch();
    }
    TestDatabase.execute(connection, "DELETE FROM t WHERE id >= 300000");
    return "batch";
  }

  private String copy(Connection connection) throws SQLException {
    Path file = directory.resolve("t.csv");
    TestDatabase.execute(connection, "COPY (SELECT id + 500000, g, v, s FROM t) TO '" + file + "'");
    TestDatabase.execute(connection, "COPY t FROM '" + file + "'");
    TestDatabase.execute(connection, "DELETE FROM t WHERE id >= 500000");
    return "COPY";
  }

  private static String stopped(Connection connection, String sql, Random random) throws Exception {
    int micros = random.nextInt(20_000);
    TestDatabase.execute(connection, "DELETE FROM t WHERE id >= 200000");
    try (Statement statement = connection.createStatement()) {
      AtomicBoolean done = new AtomicBoolean();
      Thread canceller =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      Thread.sleep(micros / 1000, micros % 1000 * 1000);
                      while (!done.get()) {
                        statement.cancel();
                        Thread.sleep(1);
                      }
                    } catch (InterruptedException | SQLException e) {
                      throw new IllegalStateException(e);
                    }
                  });
      try {
        statement.execute(sql);
        read(statement, Integer.MAX_VALUE);
      } catch (SQLException e) {
        assertThat(e.getSQLState()).isIn("57014", "42S01", "42S02");
      } finally {
        done.set(true);
        canceller.join();
      }
    }
    if (sql.startsWith("CREATE")) {
      TestDatabase.execute(connection, "DROP TABLE IF EXISTS more");
    }
    return "stopped after " + micros + " microseconds: " + sql;
  }

  @Test
  void rowsThatAreKeptBesideAChangeCountUntilTheyAreReleased() throws SQLException {
    try (Connection connection = open(directory, "");
        Statement statement = connection.createStatement()) {
      fill(connection);
      connection.setAutoCommit(false);
      MemoryAccount work = memory(connection).work();
      try (ResultSet rows = statement.executeQuery("SELECT id, s FROM t")) {
        assertThat(rows.next()).isTrue();
        long before = work.usedBytes();
        TestDatabase.execute(connection, "UPDATE t SET v = 8 WHERE id = 8");
        assertThat(work.usedBytes() - before).isBetween(ROWS * 50L, ROWS * 200L);
        int count = 1;
        while (rows.next()) {
          count++;
        }
        assertThat(count).isEqualTo(ROWS);
      }
      // The undo version of the change is in its first blocks.
      assertThat(work.usedBytes()).isLessThan(2 * MIB);
    }
  }

  @Test
  void eachOperatorFailsWhereItNeedsMoreThanThereMayBe() throws Exception {
    List<String> statements = new ArrayList<>(List.of(QUERIES.get(1)));
    statements.add("UPDATE t SET v = v + 1, s = 'long ' || s");
    Path file = directory.resolve("t.csv");
    statements.add("COPY t FROM '" + file + "'");
    Files.writeString(file, "900001,1,2,x\n");
    try (Connection connection = open(directory, ";memory_limit=" + LIMIT_BYTES)) {
      fill(connection);
      MemoryAccount work = memory(connection).work();
      AtomicLong most = new AtomicLong();
      AtomicBoolean done = new AtomicBoolean();
      Thread watch =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!done.get()) {
                      most.accumulateAndGet(work.usedBytes(), Math::max);
                      Thread.onSpinWait();
                    }
                  });
      try {
        long before = settled(work, 0);
        List<String> spilling = QUERIES.subList(0, 9); // a tablet's rows may be too many
        for (String sql : Stream.concat(spilling.stream(), statements.stream()).toList()) {
          if (statements.contains(sql)) {
            assertExhausted(connection, sql);
          } else {
            assertAnswersOrIsExhausted(connection, sql);
          }
          assertThat(settled(work, before)).as(sql).isEqualTo(before);
          assertThat(TestDatabase.rows(connection, "SELECT s FROM t WHERE id = 77"))
              .containsExactly("string 77");
        }
      } finally {
        done.set(true);
        watch.join();
      }
      assertThat(most.get()).isLessThanOrEqualTo(LIMIT_BYTES + BEYOND_LIMIT_BYTES);
    }
  }

  private static void assertAnswersOrIsExhausted(Connection connection, String sql) {
    try {
      query(connection, sql, Integer.MAX_VALUE);
    } catch (SQLException e) {
      assertThat(e.getSQLState()).as(sql).isEqualTo("53200");
    }
  }

  private static void assertExhausted(Connection connection, String sql) {
    assertThatThrownBy(() -> query(connection, sql, Integer.MAX_VALUE))
        .as(sql)
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> {
              assertThat(e.getSQLState()).as(sql).isEqualTo("53200");
              assertThat(e.getMessage()).contains("limitBytes=" + LIMIT_BYTES);
            });
  }

  /** What the system has mapped for blocks: each slab is a mapping of the file of zeros. */
  private static long mappedBytes() throws IOException {
    long bytes = 0;
    for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
      if (line.contains(".zeros")) {
        String[] ends = line.substring(0, line.indexOf(' ')).split("-");
        bytes += Long.parseLong(ends[1], 16) - Long.parseLong(ends[0], 16);
      }
    }
    return bytes;
  }

  @Test
  void theAccountsSayWhatTheProcessHasTaken() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/maps")));
    long others = mappedBytes();
    try (Connection connection = open(directory, "")) {
      fill(connection);
      DatabaseMemory memory = memory(connection);
      for (String sql : QUERIES) {
        query(connection, sql, Integer.MAX_VALUE);
        assertTaken(memory, others, sql);
      }
      memory.trim();
      assertTaken(memory, others, "trimmed");
      // A slab goes when all of it is free; table data has some of each.
      assertThat(memory.reservedBytes() - memory.usedBytes()).isLessThan(16 * MIB);
    }
  }

  private static void assertTaken(DatabaseMemory memory, long others, String what)
      throws IOException {
    assertThat(mappedBytes() - others)
        .as(what)
        .isCloseTo(memory.reservedBytes(), org.assertj.core.data.Offset.offset(MIB));
    assertThat(memory.usedBytes()).as(what).isLessThanOrEqualTo(memory.reservedBytes());
  }
}
