package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An expression that no row reaches raises nothing, wherever a plan could evaluate it. */
class UnreachedErrorsTest {
  private static EndToEnd db;

  @BeforeAll
  static void create() {
    db = new EndToEnd();
    db.script(
        "CREATE TABLE t (a INTEGER, b INTEGER)",
        "INSERT INTO t VALUES (0, 1), (1, 0), (2, 2)",
        "CREATE TABLE u (a INTEGER, b INTEGER)",
        "INSERT INTO u VALUES (2, 0), (5, 0)",
        "CREATE TABLE none (a INTEGER, b INTEGER)");
  }

  @AfterAll
  static void close() {
    db.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // a condition above a join
        "SELECT * FROM t, none WHERE 1 / t.a > 0",
        "SELECT * FROM t JOIN none ON t.a = none.a WHERE 1 / t.a > 0",
        "SELECT * FROM t JOIN u ON t.a = u.a WHERE 1 / t.a > 7",
        "SELECT * FROM t JOIN u ON t.a = u.a JOIN none ON TRUE WHERE 1 / t.a > 0",
        "SELECT * FROM (SELECT t.a AS x FROM t JOIN none ON t.a = none.a) AS q WHERE 1 / x > 0",
        // one of an outer join
        "SELECT * FROM none LEFT JOIN t ON none.a = t.a AND 1 / t.a > 0",
        "SELECT * FROM u LEFT JOIN t ON u.a = t.a AND 1 / t.a > 7 WHERE t.a IS NOT NULL",
        "SELECT * FROM none LEFT JOIN t ON none.a = t.a AND t.a <> 0 AND 1 / t.a > 0",
        "SELECT * FROM u LEFT JOIN t ON u.a = u.b AND 1 / t.a > 0 WHERE t.a IS NOT NULL",
        // above groups and set operations
        "SELECT a FROM t GROUP BY a HAVING COUNT(*) > 1 AND 1 / a > 0",
        "SELECT a FROM (SELECT a FROM t INTERSECT SELECT a FROM u) AS q WHERE 1 / a > 7",
        "SELECT a FROM (SELECT a FROM t EXCEPT SELECT b FROM u) AS q WHERE 1 / a > 7",
        // in subqueries that no row asks
        "SELECT * FROM none WHERE a IN (SELECT 1 / a FROM t)",
        "SELECT * FROM none WHERE a IN (SELECT (SELECT a FROM t) FROM t)",
        "SELECT * FROM t WHERE a > 5 AND b IN (SELECT 1 / a FROM t)",
        "SELECT * FROM t WHERE EXISTS (SELECT 1 FROM none WHERE none.a = t.a) AND 1 / t.a > 0",
        "SELECT * FROM t WHERE NOT EXISTS (SELECT COUNT(*) FROM u)"
            + " AND a IN (SELECT (SELECT a FROM t) FROM t)",
        // next to an operand that decides, before it or behind it
        "SELECT * FROM t WHERE 1 / a > 7 AND a <> 0",
        "SELECT * FROM t WHERE NOT (1 / a < 7 OR a = 0)",
        "SELECT * FROM t WHERE 1 / a > 7 AND a <> 0 AND 1 / (a - 1) > 7 AND a <> 1",
        "SELECT * FROM t WHERE 1 / a > 7 AND b NOT IN (1, 5)",
        "SELECT a FROM t GROUP BY a HAVING 1 / a > 7 AND a <> 0",
        "SELECT * FROM t JOIN u ON 1 / t.a > 7 AND t.a <> 0",
        "SELECT * FROM t WHERE (SELECT a FROM t) = 1 AND a > 7",
        "SELECT * FROM t WHERE a IN (SELECT (SELECT a FROM t) FROM u) AND a > 7",
        "SELECT * FROM t WHERE (SELECT x.a FROM t AS x WHERE 1 / x.a = t.a AND x.a = 1 AND x.b = 1)"
            + " = 1",
        // next to one that is unknown
        "SELECT * FROM t WHERE NULLIF(a, 0) > 1 AND 1 / a > 7",
        "SELECT * FROM (SELECT * FROM t WHERE NULLIF(a, 0) > 1) AS q WHERE 1 / a > 7",
        "SELECT * FROM t WHERE (NULLIF(a, 0) > 1 AND 1 / a > 7) OR (NULLIF(a, 0) > 1 AND 1 / a >"
            + " 8)",
        "SELECT * FROM t WHERE CASE WHEN NULLIF(a, 0) > 0 AND 1 / a > 7 THEN 1 ELSE 2 END = 1",
        "SELECT * FROM t JOIN u ON NULLIF(t.a, 0) > 0 AND 1 / t.a > 7",
        "SELECT a FROM t GROUP BY a HAVING NULLIF(a, 0) > 0 AND 1 / a > 7",
        "SELECT * FROM t WHERE NULLIF(a, 0) > 1 AND (SELECT x.a FROM t AS x WHERE 1 / t.a > 0) = 1"
            + " AND a = 1",
        "SELECT * FROM t, LATERAL (SELECT COALESCE(u.a, 1 / u.b) AS c FROM u"
            + " WHERE NULLIF(u.b, 0) > t.a) AS q WHERE q.c < 7",
        // of an aggregate that leaves the row out
        "SELECT * FROM (SELECT SUM(1 / a) FILTER (WHERE a <> 0) AS s FROM t) AS q WHERE s > 7",
        "SELECT * FROM (SELECT b, MAX(1 / a) FILTER (WHERE a <> 0) AS s, MIN(a) AS m FROM t"
            + " GROUP BY b) AS q WHERE s > 7",
        "SELECT * FROM (SELECT COUNT((SELECT x.a FROM t AS x WHERE x.a = 1 OR t.a = 0))"
            + " FILTER (WHERE a <> 0) AS s FROM t) AS q WHERE s > 7",
        "SELECT * FROM (SELECT COUNT(DISTINCT 1 / a) FILTER (WHERE NULLIF(a, 0) > 0) AS s FROM t)"
            + " AS q WHERE s > 7",
        // behind an operand that decides
        "SELECT * FROM t WHERE a <> 0 AND 1 / a > 7",
        "SELECT * FROM t WHERE NOT (a = 0 OR 1 / a < 7)",
        "SELECT * FROM (SELECT a, ROW_NUMBER() OVER (ORDER BY a) AS r FROM t WHERE a <> 0) AS q"
            + " WHERE 1 / a > 7"
      })
  void noRowReachesTheError(String sql) {
    assertThat(db.rows(sql)).isEmpty();
    assertThat(db.bridgeRows(sql)).isEmpty();
  }

  /** The bridge evaluates both operands of an AND that is a column. */
  @Test
  void operandsOfColumnsAreReachedInTheirOrder() {
    assertThat(db.rows("SELECT a, NOT (a = SOME (SELECT 0 FROM t)) AND 1 / a >= 0 AS c FROM t"))
        .containsExactly("0|FALSE", "1|TRUE", "2|TRUE");
  }

  /** In the bridge NOT IN reads its query first. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM none WHERE a NOT IN (SELECT 1 / a FROM t)",
        "SELECT * FROM none WHERE a NOT IN (SELECT a FROM t EXCEPT SELECT 1 / a FROM t)"
      })
  void noRowAsksForTheQueryOfNotIn(String sql) {
    assertThat(db.rows(sql)).isEmpty();
  }
}
