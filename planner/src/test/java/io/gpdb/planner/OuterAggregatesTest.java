package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.GpdbException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An aggregate all of whose columns are of an enclosing query, anywhere in a subquery, is that
 * query's: the rows are those of the same subquery over a derived table that has the aggregate for
 * a column. {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class OuterAggregatesTest {
  private static final int QUERIES = 40;
  private static final int ROWS = 12;

  private static final List<String> AGGREGATES =
      List.of(
          "SUM(t.a)",
          "COUNT(t.b)",
          "COUNT(DISTINCT t.a)",
          "MIN(t.a + 1)",
          "MAX(t.b) FILTER (WHERE t.a > 2)",
          "AVG(t.a)");

  /** Subqueries of one value, in which A and B are aggregates. */
  private static final List<String> VALUES =
      List.of(
          "SELECT A",
          "SELECT A + B WHERE A > 2",
          "SELECT A FROM o LIMIT 1",
          "SELECT CASE WHEN A > 3 THEN B ELSE 0 END FROM o LIMIT 1",
          "SELECT A + COUNT(*) FROM o",
          "SELECT MAX(x + A) FROM o WHERE x <> B",
          "SELECT COUNT(*) FILTER (WHERE x < A) FROM o",
          "SELECT MIN(x) FROM o WHERE x > A HAVING COUNT(*) < B",
          "SELECT COUNT(x) FROM o GROUP BY y HAVING COUNT(x) > A ORDER BY 1 LIMIT 1",
          "SELECT COUNT(*) FROM o JOIN o p ON o.x = p.y AND p.x < A",
          "SELECT s FROM (SELECT A AS s FROM o) q LIMIT 1",
          "SELECT (SELECT A + MAX(p.x) FROM o p WHERE p.y <= MIN(o.x)) FROM o",
          "SELECT SUM(A) OVER () FROM o LIMIT 1",
          "SELECT A UNION SELECT A");

  private static final List<String> CONDITIONS =
      List.of(
          "EXISTS (SELECT A FROM o WHERE x = B)",
          "A IN (SELECT x FROM o WHERE y < B)",
          "NOT EXISTS (SELECT 1 FROM o HAVING MAX(x) > A)",
          "(SELECT A FROM o LIMIT 1) > 4",
          "A >= ALL (SELECT B FROM o)");

  @Test
  void aggregatesOfEnclosingQueriesAreThoseQueries() {
    RandomSeeds.of(2).forEach(OuterAggregatesTest::round);
  }

  private static void round(long seed) {
    Random random = new Random(seed);
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t (k INTEGER, a INTEGER, b INTEGER)");
      db.run("CREATE TABLE o (x INTEGER, y INTEGER)");
      db.run("INSERT INTO t VALUES " + SmallNumbers.rows(random, ROWS, 3));
      db.run("INSERT INTO o VALUES " + SmallNumbers.rows(random, ROWS, 2));
      for (int i = 0; i < QUERIES; i++) {
        check(db, random, seed);
      }
    }
  }

  private static void check(EndToEnd db, Random random, long seed) {
    String first = AGGREGATES.get(random.nextInt(AGGREGATES.size()));
    String second = AGGREGATES.get(random.nextInt(AGGREGATES.size()));
    String where = random.nextBoolean() ? "" : " WHERE t.a < " + random.nextInt(5);
    String group = List.of("", " GROUP BY k", " GROUP BY ROLLUP (k)").get(random.nextInt(3));
    String key = group.isEmpty() ? "0" : "k";
    String value = VALUES.get(random.nextInt(VALUES.size()));
    String condition =
        random.nextBoolean() ? "" : CONDITIONS.get(random.nextInt(CONDITIONS.size()));
    String written =
        "SELECT %s, (%s) FROM t%s%s%s"
            .formatted(key, value, where, group, condition.isEmpty() ? "" : " HAVING " + condition);
    String derived =
        "SELECT k, (%s) FROM (SELECT %s AS k, %s AS m, %s AS n FROM t%s%s) AS g%s"
            .formatted(
                value,
                key,
                first,
                second,
                where,
                group,
                condition.isEmpty() ? "" : " WHERE " + condition);
    String sql = filled(written, first, second);
    assertThat(db.sortedRows(sql))
        .as("-Dgpdb.seed=%d: %s", seed, sql)
        .isEqualTo(db.sortedRows(filled(derived, "g.m", "g.n")));
  }

  private static String filled(String sql, String first, String second) {
    return sql.replaceAll("\\bA\\b", first).replaceAll("\\bB\\b", second);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM t u WHERE u.a = SUM(t.a))",
        "SELECT SUM(a) FROM t GROUP BY (SELECT SUM(t.a))",
        "SELECT (SELECT SUM(t.a)), a FROM t",
        "SELECT (SELECT SUM(t.a) FROM t u WHERE u.a = t.a) FROM t",
        "SELECT (SELECT MAX(SUM(t.a))) FROM t"
      })
  void anAggregateHasItsPlaceInTheQueryThatItIsOf(String sql) {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t (a INTEGER)");
      assertThatThrownBy(() -> db.rows(sql))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.sqlState()).isEqualTo("42000"));
    }
  }
}
