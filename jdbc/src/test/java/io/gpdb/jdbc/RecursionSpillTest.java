package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.memory.DatabaseMemory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Recursive queries over random graphs, whose rows memory does not hold, against following the
 * edges one by one. {@code -Dgpdb.seed=S} replays one graph, {@code -Dgpdb.fuzz=N} runs N.
 */
class RecursionSpillTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261127L);
  private static final int ROUNDS = Integer.getInteger("gpdb.fuzz", 3);
  private static final long LIMIT_BYTES = 2 << 20;

  @TempDir static Path directory;

  private static Connection little;

  @BeforeAll
  static void open() throws SQLException {
    little = open("little");
  }

  private static Connection open(String name) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:gpdb:" + directory.resolve(name) + ";workers=2;memory_limit=" + LIMIT_BYTES);
  }

  @AfterAll
  static void close() throws SQLException {
    little.close();
  }

  /** By node, where its edges lead. */
  private static int[][] graph(Random random, int nodes, int edgesMax) throws SQLException {
    int[][] graph = new int[nodes][];
    List<String> rows = new ArrayList<>();
    for (int from = 0; from < nodes; from++) {
      graph[from] = new int[random.nextInt(edgesMax + 1)];
      for (int i = 0; i < graph[from].length; i++) {
        graph[from][i] = random.nextInt(nodes);
        rows.add("(" + from + "," + graph[from][i] + ")");
      }
    }
    TestDatabase.execute(little, "DROP TABLE IF EXISTS e");
    TestDatabase.execute(little, "CREATE TABLE e (a INTEGER, b INTEGER)");
    for (int i = 0; i < rows.size(); i += 1000) {
      TestDatabase.execute(
          little,
          "INSERT INTO e VALUES "
              + String.join(",", rows.subList(i, Math.min(i + 1000, rows.size()))));
    }
    return graph;
  }

  private static void assertSpills(String sql) throws SQLException {
    assertThat(String.join("\n", TestDatabase.rows(little, "EXPLAIN ANALYZE " + sql)))
        .as(sql)
        .containsPattern("recursive union.*bytes spilled ");
  }

  /** All pairs of which the second can be reached from the first: few iterations of many rows. */
  @Test
  void pairsThatMemoryDoesNotHoldAreFoundOnce() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(SEED + round);
      int[][] graph = graph(random, 180 + random.nextInt(150), 3);
      String sql =
          "WITH RECURSIVE t (a, b) AS (SELECT a, b FROM e UNION SELECT t.a, e.b FROM t JOIN e ON"
              + " e.a = t.b) SELECT a, b FROM t";
      List<String> expected = new ArrayList<>();
      for (int from = 0; from < graph.length; from++) {
        for (int to : reached(graph, from)) {
          expected.add(from + "|" + to + "|");
        }
      }
      check(sql, expected, expected.size() > 45_000, "seed " + (SEED + round));
    }
  }

  private static Set<Integer> reached(int[][] graph, int from) {
    Set<Integer> reached = new LinkedHashSet<>();
    List<Integer> last = Arrays.stream(graph[from]).boxed().toList();
    while (!last.isEmpty()) {
      List<Integer> next = new ArrayList<>();
      for (int node : last) {
        if (reached.add(node)) {
          Arrays.stream(graph[node]).forEach(next::add);
        }
      }
      last = next;
    }
    return reached;
  }

  private static void check(String sql, List<String> expected, boolean spills, String what)
      throws Exception {
    List<String> rows = SpillTest.rows(little, sql);
    assertThat(SpillTest.rows(little, sql).equals(rows)).as("twice: %s", what).isTrue();
    rows.sort(null);
    expected.sort(null);
    assertThat(rows.equals(expected)).as("%s: %s, %d rows", what, sql, rows.size()).isTrue();
    if (spills) {
      assertSpills(sql);
    }
    SpillTest.assertNoFileLeft(directory.resolve("little"), sql);
  }

  /** Nodes and how far they are by some number: many iterations, of strings and NULLs too. */
  @Test
  void rowsOfManyIterationsAreFoundOnce() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(SEED + round);
      int[][] graph = graph(random, 300, 2);
      int modulus = 150 + random.nextInt(100);
      String sql =
          "WITH RECURSIVE t (n, d, s, r) AS (SELECT 0, 0, CAST('0' AS VARCHAR(4)), CAST(0 AS REAL)"
              + " UNION SELECT e.b, MOD(t.d + 1, %d), CASE WHEN e.b < 100 THEN NULL ELSE"
                  .formatted(modulus)
              + " CAST(MOD(e.b, 7) AS VARCHAR(4)) END, CAST(-t.r AS REAL) FROM t JOIN e ON e.a ="
              + " t.n) SELECT n, d, s FROM t WHERE r = 0";
      List<String> expected = new ArrayList<>(distances(graph, modulus));
      check(sql, expected, expected.size() > 40_000, "seed " + (SEED + round));
    }
  }

  private static Set<String> distances(int[][] graph, int modulus) {
    Set<String> known = new LinkedHashSet<>();
    List<int[]> last = List.of(new int[] {0, 0});
    boolean first = true;
    while (!last.isEmpty()) {
      List<int[]> next = new ArrayList<>();
      for (int[] row : last) {
        String text = row[0] < 100 ? "null" : "" + row[0] % 7;
        if (known.add(row[0] + "|" + row[1] + "|" + (first ? "0" : text) + "|")) {
          for (int to : graph[row[0]]) {
            next.add(new int[] {to, (row[1] + 1) % modulus});
          }
        }
        first = false;
      }
      last = next;
    }
    return known;
  }

  @Test
  void workingRowsThatMemoryDoesNotHoldAreAllRead() throws Exception {
    String sql =
        "WITH RECURSIVE t (n, d) AS (SELECT i, 0 FROM s UNION ALL SELECT n + 1, d + 1 FROM t WHERE"
            + " d < 3) SELECT d, COUNT(*), SUM(n), MIN(n) FROM t GROUP BY d ORDER BY d";
    TestDatabase.execute(little, "CREATE TABLE s (i BIGINT)");
    for (int from = 0; from < 200_000; from += 50_000) {
      TestDatabase.execute(
          little,
          "INSERT INTO s SELECT * FROM GENERATE_SERIES(" + from + ", " + (from + 49_999) + ")");
    }
    List<String> expected = new ArrayList<>();
    for (long d = 0; d < 4; d++) {
      expected.add(d + "|200000|" + (199_999L * 100_000 + d * 200_000) + "|" + d + "|");
    }
    assertThat(SpillTest.rows(little, sql)).isEqualTo(expected);
    assertSpills(sql);
    SpillTest.assertNoFileLeft(directory.resolve("little"), sql);
  }

  private static final String COUNTED =
      "WITH RECURSIVE t (a, b) AS (SELECT 0, 0 UNION SELECT MOD(a * 2 + x, 90000), MOD(a, 2) FROM"
          + " t, (VALUES 0, 1) v (x)) SELECT ";

  @Test
  void anErrorComesAfterAllRowsBeforeIt() throws Exception {
    String sql = COUNTED + "a, b FROM t";
    assertSpills(sql);
    String failing =
        COUNTED.replace("MOD(a, 2)", "10 / (CASE WHEN a = 39000 THEN 0 ELSE 1 + MOD(a, 2) END)")
            + "a, b FROM t LIMIT ";
    List<String> rows = SpillTest.rows(little, failing + 39_000);
    assertThat(rows).hasSize(39_000).doesNotHaveDuplicates();
    assertThatThrownBy(() -> SpillTest.rows(little, failing + 200_000))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22012"));
    SpillTest.assertNoFileLeft(directory.resolve("little"), failing);
  }

  @Test
  void aFullDiskEndsTheStatementAlone() throws Exception {
    try (Connection connection = open("full")) {
      DatabaseMemory memory = SpillTest.fillsDisk(connection);
      assertThatThrownBy(() -> SpillTest.rows(connection, COUNTED + "COUNT(*) FROM t"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("53100"));
      assertThat(memory.work().usedBytes()).isLessThan(LIMIT_BYTES / 4);
      assertThat(SpillTest.rows(connection, "VALUES 1")).containsExactly("1|");
    }
  }
}
