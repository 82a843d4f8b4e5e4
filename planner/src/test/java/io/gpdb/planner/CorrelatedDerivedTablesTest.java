package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Subqueries that read rows of a derived table, whose columns are in another order than those of
 * the table below, repeated, constant or of groups, return what they return over a table with its
 * rows. {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class CorrelatedDerivedTablesTest {
  private static final int QUERIES = 40;
  private static final int ROWS = 15;

  private static final List<String> ITEMS =
      List.of("a", "b", "c", "a + 1", "b * 2", "0", "3", "CASE WHEN a > b THEN a ELSE c END");

  private static final List<String> GROUPED_ITEMS =
      List.of("a", "b", "MIN(c)", "MAX(c)", "SUM(c)", "COUNT(*)", "0", "a + 1", "MIN(c) + b");

  /** Over g, with columns p, q and r. */
  private static final List<String> QUERIES_OF =
      List.of(
          "SELECT p, (SELECT g.q WHERE g.q > 1) FROM G",
          "SELECT q, (SELECT MAX(x) FROM o WHERE x < g.r) FROM G",
          "SELECT r, (SELECT g.p + g.q FROM o LIMIT 1), (SELECT COUNT(*) FROM o WHERE y = r) FROM"
              + " G",
          "SELECT p, EXISTS (SELECT * FROM o WHERE x = g.q AND y > g.p) FROM G",
          "SELECT p + q, (SELECT MIN(x) FROM o WHERE y = g.q AND x <> g.p) FROM G WHERE r > 0",
          "SELECT q FROM G WHERE EXISTS (SELECT * FROM o WHERE x = g.r)",
          "SELECT q, r FROM G WHERE p > (SELECT MIN(y) FROM o WHERE x <= g.q)",
          "SELECT q, (SELECT SUM(x) FROM o WHERE y IN (g.p, g.r)) FROM G WHERE q IN (SELECT x FROM"
              + " o)",
          "SELECT r, COUNT(*), SUM((SELECT MAX(x) FROM o WHERE x < g.q)) FROM G GROUP BY r",
          "SELECT p, (SELECT MAX(x) FROM o WHERE x < g.p) FROM G GROUP BY p",
          "SELECT DISTINCT q, (SELECT COUNT(*) FROM o WHERE x > g.q) FROM G",
          "SELECT g.q, h.p, (SELECT MAX(x) FROM o WHERE x < g.q + h.p) FROM G JOIN o h (p, z) ON"
              + " g.r = h.z",
          "SELECT p, (SELECT MAX(x) FROM o WHERE x < g.r) AS m FROM G ORDER BY m, q");

  @Test
  void theyReadTheColumnsThatTheyName() {
    RandomSeeds.of(2).forEach(CorrelatedDerivedTablesTest::round);
  }

  private static void round(long seed) {
    Random random = new Random(seed);
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t (a INTEGER, b INTEGER, c INTEGER)");
      db.run("CREATE TABLE o (x INTEGER, y INTEGER)");
      db.run("INSERT INTO t VALUES " + SmallNumbers.rows(random, ROWS, 3));
      db.run("INSERT INTO o VALUES " + SmallNumbers.rows(random, ROWS, 2));
      for (int i = 0; i < QUERIES; i++) {
        String derived = derived(random);
        db.run("CREATE TABLE g AS " + derived);
        String query = QUERIES_OF.get(random.nextInt(QUERIES_OF.size()));
        String sql = query.replaceAll("\\bG\\b", "(" + derived + ") AS g");
        assertThat(db.sortedRows(sql))
            .as("-Dgpdb.seed=%d: %s", seed, sql)
            .isEqualTo(db.sortedRows(query.replaceAll("\\bG\\b", "g")));
        db.run("DROP TABLE g");
      }
    }
  }

  private static String derived(Random random) {
    boolean grouped = random.nextBoolean();
    List<String> items = new ArrayList<>(grouped ? GROUPED_ITEMS : ITEMS);
    Collections.shuffle(items, random);
    String distinct = !grouped && random.nextInt(4) == 0 ? "DISTINCT " : "";
    return "SELECT %s%s AS p, %s AS q, %s AS r FROM t%s"
        .formatted(
            distinct,
            items.get(0),
            items.get(1),
            items.get(random.nextInt(3)),
            grouped ? " GROUP BY a, b" : "");
  }
}
