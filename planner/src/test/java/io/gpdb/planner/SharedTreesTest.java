package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Names of WITH that are used several times have the rows that a table would have that was filled
 * with them. {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class SharedTreesTest {
  private static final String SHARED = "shared rows 1";

  private final EndToEnd db = new EndToEnd();

  @BeforeEach
  void createTables() {
    db.script(
        "CREATE TABLE a (k INT, n INT, s VARCHAR(5))", "CREATE TABLE b (k INT, n INT, m BIGINT)");
  }

  @AfterEach
  void close() {
    db.close();
  }

  private void fill(Random random) {
    for (String table : List.of("a", "b")) {
      for (int row = random.nextInt(60); row >= 0; row--) {
        String third =
            table.equals("a") ? "'" + (char) ('p' + random.nextInt(4)) + "'" : value(random);
        db.script(
            "INSERT INTO %s VALUES (%s, %s, %s)"
                .formatted(table, value(random), value(random), third));
      }
    }
  }

  private static String value(Random random) {
    return random.nextInt(8) == 0 ? "NULL" : String.valueOf(random.nextInt(12));
  }

  /** A query with the columns x and y. */
  private static String body(Random random) {
    return pick(
        random,
        "SELECT k, SUM(n) FROM a GROUP BY k",
        "SELECT k, COUNT(*) FROM b WHERE n > 3 GROUP BY k",
        "SELECT n, k FROM a UNION SELECT k, n FROM b",
        "SELECT k, n FROM a INTERSECT ALL SELECT k, n FROM b",
        "SELECT DISTINCT k, n FROM b",
        "SELECT k, ROW_NUMBER() OVER (PARTITION BY k ORDER BY n, s) FROM a",
        "SELECT k, n FROM b ORDER BY n, k, m LIMIT 7",
        "SELECT a.k, b.n FROM a JOIN b ON a.k = b.k",
        "SELECT a.k, b.n FROM a JOIN b ON a.k = b.k AND a.n <> b.n WHERE a.s = 'p'",
        "SELECT b.k, MAX(a.n) FROM a RIGHT JOIN b ON a.k = b.k GROUP BY b.k",
        "SELECT MIN(k), MAX(n) FROM a");
  }

  /** A query that reads t and u, which may be the same rows. */
  private static String uses(Random random) {
    return pick(
        random,
        "SELECT v.x, w.y FROM t v, u w WHERE v.x = w.x",
        "SELECT v.x, w.y FROM t v LEFT JOIN u w ON v.x = w.y",
        "SELECT v.y FROM t v WHERE v.x IN (SELECT x FROM u) OR v.y = 3",
        "SELECT v.y FROM t v WHERE v.x IN (SELECT y FROM u)",
        "SELECT v.y, a.s FROM t v, a WHERE v.x = a.k AND EXISTS (SELECT 1 FROM u WHERE u.x = a.n)",
        "SELECT x, y FROM t UNION ALL SELECT y, x FROM u",
        "SELECT x FROM t EXCEPT SELECT y FROM u",
        "SELECT COUNT(*) FROM t v WHERE NOT EXISTS (SELECT 1 FROM u w WHERE w.y = v.x)",
        "SELECT v.x, w.y FROM t v, u w WHERE v.x = w.x AND v.y > 2 AND w.y < 9",
        "SELECT v.x, COUNT(*) FROM t v, u w, b WHERE v.x = b.k AND w.y = b.n GROUP BY v.x",
        "SELECT v.x FROM t v FULL JOIN u w ON v.x = w.x WHERE v.x > 1",
        "SELECT y, (SELECT MAX(y) FROM u) FROM t WHERE y > (SELECT AVG(y) FROM t)",
        "SELECT x, y FROM t WHERE y = (SELECT MAX(y) FROM t) OR x = (SELECT MIN(x) FROM u)",
        "SELECT x FROM t WHERE EXISTS (SELECT 1 FROM u WHERE y > 8) AND y < 9",
        "SELECT y FROM t WHERE y >= (SELECT MIN(y) FROM u WHERE x > (SELECT AVG(x) FROM t))",
        "SELECT x FROM t WHERE x IN (SELECT k FROM a WHERE n > (SELECT AVG(x) FROM t))",
        "SELECT v.x, w.x FROM t v, u w WHERE v.x = w.x AND v.y < (SELECT MAX(y) FROM u)",
        "SELECT y FROM t WHERE y > (SELECT COUNT(*) FROM u v, u w WHERE v.x = w.x AND v.y = t.x)",
        "SELECT x FROM (SELECT x FROM t UNION SELECT y FROM u) c WHERE x IN (SELECT x FROM t)");
  }

  private static String pick(Random random, String... of) {
    return of[random.nextInt(of.length)];
  }

  static LongStream seeds() {
    return RandomSeeds.of(12);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void rowsThatAreFoundOnceAreThoseOfATable(long seed) {
    Random random = new Random(seed);
    fill(random);
    int shared = 0;
    for (int query = 0; query < 12; query++) {
      String body = body(random);
      boolean nested = random.nextInt(4) == 0;
      String other =
          random.nextBoolean()
              ? "SELECT x, y FROM t"
              : nested ? "SELECT v.x, w.y FROM t v JOIN t w ON v.x = w.x" : body(random);
      String uses = uses(random);
      String with = "WITH t (x, y) AS (%s), u (x, y) AS (%s) %s".formatted(body, other, uses);
      db.script(
          "CREATE TABLE t (x BIGINT, y BIGINT)",
          "INSERT INTO t " + body,
          "CREATE TABLE u (x BIGINT, y BIGINT)",
          "INSERT INTO u " + other);
      List<String> expected = sorted(db.rows(uses));
      db.script("DROP TABLE t", "DROP TABLE u");
      assertThat(sorted(db.rows(with))).as("seed=%d: %s", seed, with).isEqualTo(expected);
      shared += db.plan(with).contains(SHARED) ? 1 : 0;
    }
    assertThat(shared).isPositive();
  }

  private static List<String> sorted(List<String> rows) {
    List<String> sorted = new ArrayList<>(rows);
    sorted.sort(null);
    return sorted;
  }

  @Test
  void whatIsEqualIsFoundOnce() {
    for (String sql :
        List.of(
            "WITH t AS (SELECT k, SUM(n) q FROM a GROUP BY k)"
                + " SELECT COUNT(*) FROM t v, t w WHERE v.q = w.q",
            "SELECT k FROM (SELECT DISTINCT k, n FROM a) c"
                + " UNION ALL SELECT n FROM (SELECT DISTINCT k, n FROM a) d",
            "WITH t AS (SELECT a.k, b.n FROM a JOIN b ON a.k = b.k) SELECT * FROM b WHERE b.n IN"
                + " (SELECT n FROM t) AND b.k IN (SELECT t.k FROM t, a WHERE t.k = a.n)")) {
      assertThat(db.plan(sql)).as(sql).contains(SHARED);
    }
  }

  @Test
  void aSubqueryOfOneValueSharesRowsWithTheQueryAroundIt() {
    String with = "WITH t AS (SELECT k, SUM(n) q FROM a GROUP BY k) ";
    for (String query :
        List.of(
            "SELECT k FROM t WHERE q = (SELECT MAX(q) FROM t)",
            "SELECT k, (SELECT MAX(q) FROM t) FROM t",
            "SELECT k FROM t WHERE q > (SELECT MIN(q) FROM t WHERE k < (SELECT MAX(k) FROM t))",
            "SELECT m FROM b WHERE m > (SELECT MIN(q) FROM t) AND m < (SELECT MAX(q) FROM t)")) {
      String plan = db.plan(with + query);
      assertThat(plan).as(query).contains(SHARED).containsOnlyOnce("table A");
    }
    String correlated = "SELECT m FROM b WHERE m > (SELECT MAX(q) FROM t WHERE t.k > b.k)";
    assertThat(db.plan(with + correlated)).doesNotContain(SHARED);
  }

  @Test
  void whatAPlaceRestrictsOrJoinsFirstIsItsOwn() {
    for (String sql :
        List.of(
            "WITH t AS (SELECT k, SUM(n) q FROM a GROUP BY k)"
                + " SELECT COUNT(*) FROM t v, t w WHERE v.q = w.q AND v.k = 1",
            "WITH t AS (SELECT a.k, b.n FROM a JOIN b ON a.k = b.k)"
                + " SELECT COUNT(*) FROM t v, t w WHERE v.k = w.n",
            "SELECT COUNT(*) FROM a v, a w WHERE v.k = w.k")) {
      assertThat(db.plan(sql)).as(sql).doesNotContain(SHARED);
    }
  }

  /** What may raise an error is computed by the places that ask for it, and for their rows. */
  @Test
  void anErrorIsRaisedWhereARowIsAskedForOnly() {
    db.script("INSERT INTO a VALUES (1, 0, 'p'), (2, 1, 'p')");
    String with = "WITH t AS (SELECT k, 1 / n AS q FROM (SELECT DISTINCT k, n FROM a) d) ";
    String twice = " FROM t v, t w WHERE v.k = w.k ORDER BY 1";
    assertThat(db.plan(with + "SELECT v.q" + twice)).contains(SHARED);
    assertThat(db.rows(with + "SELECT v.k" + twice)).isEqualTo(List.of("1", "2"));
    String guarded = "SELECT CASE WHEN k = 2 THEN q END FROM t";
    assertThat(db.rows(with + guarded + " UNION ALL " + guarded))
        .containsExactlyInAnyOrder("1", "1", "NULL", "NULL");
    assertThat(db.state(with + "SELECT v.q" + twice)).isEqualTo("22012");
  }
}
