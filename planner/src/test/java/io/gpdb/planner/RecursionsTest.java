package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Recursive queries over generated graphs return the rows that following their edges one by one
 * finds. {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class RecursionsTest {
  private static final int QUERIES = 8;
  private static final int NODES = 30;

  private record Edge(@Nullable Integer from, @Nullable Integer to, @Nullable String name) {}

  private record Row(@Nullable Integer node, int depth, @Nullable String text) {
    @Override
    public String toString() {
      return (node == null ? "NULL" : node) + "|" + depth + "|" + (text == null ? "NULL" : text);
    }
  }

  /** How a step makes rows of rows. */
  private record Step(boolean all, boolean outer, int depthMax, int modulus, boolean path) {
    static Step of(Random random) {
      boolean all = random.nextBoolean();
      int modulus = all ? 0 : 1 + random.nextInt(4);
      return new Step(
          all, random.nextInt(3) == 0, 2 + random.nextInt(4), modulus, all && random.nextBoolean());
    }

    String sql() {
      String depth = modulus > 0 ? "MOD(t.d + 1, " + modulus + ")" : "t.d + 1";
      return "WITH RECURSIVE t (n, d, s) AS (SELECT b, 0, CAST(s AS VARCHAR(50)) FROM e WHERE a = 1"
          + (all ? " UNION ALL" : " UNION")
          + " SELECT e.b, "
          + depth
          + (path ? ", t.s || e.s" : ", e.s")
          + " FROM t"
          + (outer ? " LEFT" : "")
          + " JOIN e ON e.a = t.n"
          + (all ? " WHERE t.d < " + depthMax : "")
          + ") SELECT n, d, s FROM t";
    }

    List<String> rows(List<Edge> edges) {
      List<Row> working = new ArrayList<>();
      for (Edge edge : edges) {
        if (Objects.equals(edge.from, 1)) {
          working.add(new Row(edge.to, 0, edge.name));
        }
      }
      List<Row> found = new ArrayList<>();
      Set<Row> known = new HashSet<>();
      while (!working.isEmpty()) {
        List<Row> next = new ArrayList<>();
        for (Row row : working) {
          if (all || known.add(row)) {
            found.add(row);
            next.addAll(after(row, edges));
          }
        }
        working = next;
      }
      return found.stream().map(Row::toString).sorted().toList();
    }

    private List<Row> after(Row row, List<Edge> edges) {
      List<Row> next = new ArrayList<>();
      if (all && row.depth >= depthMax) {
        return next;
      }
      int depth = modulus > 0 ? (row.depth + 1) % modulus : row.depth + 1;
      for (Edge edge : edges) {
        if (row.node != null && row.node.equals(edge.from)) {
          next.add(new Row(edge.to, depth, text(row, edge.name)));
        }
      }
      if (next.isEmpty() && outer) {
        next.add(new Row(null, depth, null));
      }
      return next;
    }

    private @Nullable String text(Row row, @Nullable String name) {
      return !path ? name : name == null || row.text == null ? null : row.text + name;
    }
  }

  @Test
  void rowsAreThoseOfFollowingTheEdges() {
    RandomSeeds.of(3).forEach(RecursionsTest::round);
  }

  private static void round(long seed) {
    Random random = new Random(seed);
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE e (a INTEGER, b INTEGER, s VARCHAR(2))");
      if (random.nextBoolean()) {
        db.run("CREATE INDEX ea ON e (a)");
      }
      List<Edge> edges = new ArrayList<>();
      StringBuilder values = new StringBuilder();
      int count = 10 + random.nextInt(100);
      for (int i = 0; i < count; i++) {
        Edge edge =
            new Edge(node(random), node(random), i % 7 == 0 ? null : "" + (char) ('a' + i % 3));
        edges.add(edge);
        String name = edge.name == null ? "NULL" : "'" + edge.name + "'";
        values.append(i == 0 ? "" : ", ");
        values.append("(" + edge.from + ", " + edge.to + ", " + name + ")");
      }
      db.run("INSERT INTO e VALUES " + values);
      for (int i = 0; i < QUERIES; i++) {
        Step step = Step.of(random);
        String sql = step.sql();
        List<String> rows = db.rows(sql).stream().sorted().toList();
        assertThat(rows).as("-Dgpdb.seed=" + seed + ": " + sql).isEqualTo(step.rows(edges));
        assertThat(db.rows("EXPLAIN " + sql)).noneMatch(line -> line.contains("enumerable"));
      }
    }
  }

  private static @Nullable Integer node(Random random) {
    return random.nextInt(15) == 0 ? null : 1 + random.nextInt(NODES);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      textBlock =
          """
          WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n * 2 FROM t) SELECT n FROM t LIMIT 4; 1, 2, 4, 8
          WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n * 2 FROM t) SELECT n FROM t LIMIT 1 OFFSET 30; 1073741824
          WITH RECURSIVE t (n) AS (SELECT 1 WHERE FALSE UNION ALL SELECT n FROM t) SELECT n FROM t; ''
          WITH RECURSIVE t (n) AS (VALUES 1, 1, NULL, NULL UNION SELECT n FROM t) SELECT n FROM t; 1, NULL
          WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 3) SELECT a.n + b.n FROM t a, t b WHERE a.n = b.n; 2, 4, 6
          WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT m FROM (WITH RECURSIVE t (m) AS (SELECT 2 UNION ALL SELECT m + 1 FROM t WHERE m < 3) SELECT m FROM t) AS x WHERE m > 9) SELECT n FROM t; 1
          WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT x.m FROM t, (WITH RECURSIVE u (m) AS (SELECT n + 1 FROM t UNION ALL SELECT m + 1 FROM u WHERE m < 3) SELECT m FROM u) AS x WHERE n < 3) SELECT n FROM t; 1, 2, 3, 3, 4
          WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT a.n + 1 FROM t a FULL JOIN t b ON a.n > b.n WHERE a.n < 3) SELECT n FROM t; 1, 2, 3
          WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT SUM(n) + 1 FROM t GROUP BY GROUPING SETS ((n), ()) HAVING SUM(n) < 4) SELECT n FROM t; 1, 2, 2
          SELECT i, (WITH RECURSIVE t (n) AS (SELECT i UNION ALL SELECT n + i FROM t WHERE n < 5) SELECT MAX(n) FROM t) FROM (VALUES 1, 2) AS v (i); 1|5, 2|6
          """)
  void recursionsAreAnywhere(String sql, String expected) {
    try (EndToEnd db = new EndToEnd()) {
      List<String> rows = expected.equals("''") ? List.of() : List.of(expected.split(", ", -1));
      assertThat(db.rows(sql)).containsExactlyInAnyOrderElementsOf(rows);
    }
  }

  @Test
  void anErrorIsRaisedAfterTheRowsBeforeIt() {
    try (EndToEnd db = new EndToEnd()) {
      String recursion =
          "WITH RECURSIVE t (n, d) AS (SELECT 2000, 1 UNION ALL SELECT n - 1, 1000 / (n - 1) FROM t)"
              + " SELECT n FROM t LIMIT ";
      assertThat(db.rows(recursion + 2000)).hasSize(2000);
      assertThatThrownBy(() -> db.rows(recursion + 2001))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code().sqlState()).isEqualTo("22012"));
    }
  }
}
