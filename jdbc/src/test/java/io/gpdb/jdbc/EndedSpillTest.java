package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A statement that spills and is cancelled anywhere, or whose result is closed anywhere, leaves no
 * temporary file and no memory, and the next one answers.
 */
class EndedSpillTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);
  private static final int ROUNDS = Integer.getInteger("gpdb.fuzz", 4);
  private static final String LIMIT = ";memory_limit=" + (4 << 20);
  private static final String CANCELLED = "57014";

  /** More rows than there is memory for. */
  private static final String MANY =
      "(SELECT id + 1 AS k, d, w FROM t UNION ALL SELECT -id, d, w FROM t UNION"
          + " ALL SELECT -id - 7, d, w FROM t)";

  @TempDir static Path directory;

  private static Connection little;

  @BeforeAll
  static void fill() throws SQLException {
    little =
        DriverManager.getConnection(
            "jdbc:gpdb:" + directory.resolve("little") + ";workers=2" + LIMIT);
    SpillTest.fill(little);
  }

  @AfterAll
  static void close() throws SQLException {
    little.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM t ORDER BY s, d, w, n, i",
        "SELECT * FROM t ORDER BY s, d LIMIT 20000 OFFSET 9000",
        "SELECT id, s, count(*), sum(i), max(s), min(w) FROM t GROUP BY id, s",
        "SELECT DISTINCT id, d, s, w FROM t",
        "SELECT b, i, LISTAGG(s) WITHIN GROUP (ORDER BY d), MEDIAN(n), COUNT(DISTINCT w),"
            + " PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY r) FROM t GROUP BY GROUPING SETS ((b),"
            + " (b, i))",
        "SELECT id, s, w, d FROM t UNION SELECT id + 9, s, w, d FROM t",
        "SELECT a.d, b.* FROM " + MANY + " a JOIN " + MANY + " b ON a.k = b.k",
        "SELECT a.id, a.d, b.* FROM t a LEFT JOIN " + MANY + " b ON a.id = b.k AND a.d < b.d",
        "SELECT a.id, a.d, b.* FROM t a FULL JOIN " + MANY + " b ON a.id = b.k",
        "SELECT a.*, ROW_NUMBER() OVER (PARTITION BY b ORDER BY d, id), SUM(d) OVER (ORDER BY id)"
            + " FROM t a",
        "WITH RECURSIVE r (k, x) AS (SELECT id, 0 FROM t UNION SELECT MOD(k * 2 + y, 90000), y FROM"
            + " r, (VALUES 0, 1) v (y)) SELECT k, x FROM r"
      })
  void aCancelAnywhereLeavesNothing(String sql) throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/fd")));
    Random random = new Random(SEED);
    String plan = String.join("\n", TestDatabase.rows(little, "EXPLAIN ANALYZE " + sql));
    assertThat(plan).contains("bytes spilled ");
    long before = SpillTest.memory(little).work().usedBytes();
    long start = System.nanoTime();
    int rows = SpillTest.rows(little, sql).size();
    long millis = (System.nanoTime() - start) / 1_000_000;
    for (int round = 0; round < 2 * ROUNDS; round++) {
      int wanted = random.nextInt(3) > 0 ? rows : random.nextInt(rows);
      String ended = ended(sql, random.nextLong(millis + 1), wanted);
      assertThat(ended).as("seed %d, round %d", SEED, round).isIn("", CANCELLED);
      SpillTest.assertNoFileLeft(directory.resolve("little"), sql);
      assertThat(SpillTest.memory(little).work().usedBytes()).as(sql).isEqualTo(before);
    }
    assertThat(SpillTest.rows(little, sql)).hasSize(rows);
  }

  /** Reads some rows while another thread cancels; returns the state of the error. */
  private static String ended(String sql, long millis, int rows) throws Exception {
    try (Statement statement = little.createStatement()) {
      CountDownLatch done = new CountDownLatch(1);
      Thread canceller = Thread.ofPlatform().start(() -> cancelLater(statement, millis, done));
      try (ResultSet result = statement.executeQuery(sql)) {
        for (int row = 0; row < rows && result.next(); row++) {
          result.getString(1);
        }
        return "";
      } catch (SQLException e) {
        return e.getSQLState();
      } finally {
        done.countDown();
        canceller.join();
      }
    }
  }

  private static void cancelLater(Statement statement, long millis, CountDownLatch done) {
    try {
      if (!done.await(millis, TimeUnit.MILLISECONDS)) {
        statement.cancel();
      }
    } catch (InterruptedException | SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
