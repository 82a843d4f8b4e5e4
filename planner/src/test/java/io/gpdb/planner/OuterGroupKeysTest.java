package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nested queries that are grouped by columns of a query around them. */
class OuterGroupKeysTest {
  private static final String DERIVED = " FROM (SELECT b, c, a FROM t) AS q ";

  private static EndToEnd db;

  @BeforeAll
  static void create() {
    db = new EndToEnd();
    db.script(
        "CREATE TABLE t (a BIGINT, b BIGINT, c BIGINT, v VARCHAR(20))",
        "INSERT INTO t VALUES (10, 20, 30, 'x'), (11, 21, 31, 'y')",
        "CREATE TABLE u (k BIGINT, w VARCHAR)",
        "INSERT INTO u VALUES (1, 'x')");
  }

  @AfterAll
  static void close() {
    db.close();
  }

  /** Of the converter's two projections the columns of one were once read from the other. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "EXISTS (SELECT 1 FROM u GROUP BY q.b)",
        "EXISTS (SELECT q.b FROM u GROUP BY q.b HAVING q.b > 1)",
        "(SELECT MAX(k) FROM u GROUP BY q.c, k) = 1",
        "(SELECT MAX(k) FROM u GROUP BY ROLLUP (q.c) HAVING q.c > 1) = 1",
        "(SELECT MAX(k) FROM u GROUP BY GROUPING SETS ((q.b, k))) = 1",
        "q.b IN (SELECT q.b FROM u GROUP BY b)",
        "(SELECT b AS n FROM u GROUP BY n) = q.b",
        "(SELECT MAX(k) FROM u GROUP BY q.b ORDER BY q.b + 1) = 1",
        "(SELECT (SELECT q.b + r.c FROM u GROUP BY q.b, r.c) FROM (SELECT c FROM t) r LIMIT 1) > 1"
      })
  void columnsOfADerivedTableStayThemselves(String nested) {
    assertThat(db.rows("SELECT %s, a, b, c %s ORDER BY a".formatted(nested, DERIVED)))
        .containsExactly("TRUE|10|20|30", "TRUE|11|21|31");
    assertThat(db.rows("SELECT a, b, c %s ORDER BY %s, a".formatted(DERIVED, nested)))
        .containsExactly("10|20|30", "11|21|31");
    assertThat(db.rows("SELECT a, b, c %s WHERE %s ORDER BY a".formatted(DERIVED, nested)))
        .containsExactly("10|20|30", "11|21|31");
    assertThat(
            db.rows(
                "SELECT b, a FROM (SELECT a, b, c %s GROUP BY c, b, a HAVING %s) x ORDER BY a"
                    .formatted(DERIVED, nested)))
        .containsExactly("20|10", "21|11");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT k, w FROM u WHERE FALSE",
        "SELECT k, w FROM u WHERE 1 > 2",
        "SELECT k, w FROM u LIMIT 0",
        "SELECT k, w FROM (SELECT w, k FROM u WHERE FALSE) n",
        "SELECT k, w FROM u WHERE k IN (SELECT k FROM u WHERE FALSE)"
      })
  void columnsBehindAnEmptyDerivedTableStayThemselves(String empty) {
    String from =
        " FROM t LEFT JOIN (%s) AS e (i, n) ON t.v = e.n LEFT JOIN u ON u.w = t.v ORDER BY t.a";
    assertThat(
            db.rows(
                "SELECT EXISTS (SELECT t.b FROM u GROUP BY t.b), e.n, e.i, u.k, u.w, t.c"
                    + from.formatted(empty)))
        .containsExactly("TRUE|NULL|NULL|1|x|30", "TRUE|NULL|NULL|NULL|NULL|31");
    assertThat(
            db.rows(
                "SELECT EXISTS (SELECT t.b FROM u GROUP BY t.b), e.n || t.v, t.c"
                    + " FROM (%s) AS e (i, n) RIGHT JOIN t ON t.v = e.n ORDER BY t.a"
                        .formatted(empty)))
        .containsExactly("TRUE|NULL|30", "TRUE|NULL|31");
  }

  @Test
  void columnsBehindAJoinOnACastStayThemselves() {
    assertThat(
            db.rows(
                "SELECT EXISTS (SELECT 1 FROM u GROUP BY t.b), e.i, e.j, t.a"
                    + " FROM t JOIN (SELECT k, k + 1, w FROM u) AS e (i, j, n) ON t.v = e.n"))
        .containsExactly("TRUE|1|2|10");
  }

  @Test
  void aTotalHasNullForAKeyOfTheEnclosingQuery() {
    String texts =
        "SELECT a, (SELECT SUM(x) FROM (SELECT COALESCE(%s, 100) AS x FROM u GROUP BY ROLLUP (%s))"
            + " AS y) FROM t WHERE a = 10";
    assertThat(db.rows(texts.formatted("t.b", "t.b"))).containsExactly("10|120");
    assertThat(db.rows(texts.formatted("t.b + 1", "t.b + 1"))).containsExactly("10|121");
    assertThat(db.rows("SELECT (SELECT GROUPING(t.b) FROM u GROUP BY t.b) FROM t"))
        .containsExactly("0", "0");
  }

  @Test
  void aNameInHavingIsTheKeys() {
    String sql = "SELECT a FROM t WHERE EXISTS (SELECT b + 1 AS b FROM u GROUP BY b HAVING b = 20)";
    assertThat(db.rows(sql)).containsExactly("10");
    assertThat(db.rows("SELECT (SELECT t.b + 1 AS b FROM u GROUP BY t.b ORDER BY b) FROM t"))
        .containsExactlyInAnyOrder("21", "22");
  }

  @Test
  void changesReadTheirOwnColumns() {
    try (EndToEnd own = new EndToEnd()) {
      own.script(
          "CREATE TABLE t (a BIGINT, b BIGINT, c BIGINT)",
          "INSERT INTO t VALUES (10, 20, 30)",
          "UPDATE t SET a = (SELECT t.c + MAX(q.x) FROM (SELECT b AS y, a AS x FROM t) q"
              + " GROUP BY t.c)");
      assertThat(own.rows("SELECT a, b, c FROM t")).containsExactly("40|20|30");
      own.script("DELETE FROM t WHERE a = (SELECT t.c + 10 FROM t AS q GROUP BY t.c)");
      assertThat(own.rows("SELECT a FROM t")).isEmpty();
    }
  }
}
