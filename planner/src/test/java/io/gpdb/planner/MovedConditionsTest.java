package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Where conditions are asked and in which order tables are joined, as EXPLAIN shows it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MovedConditionsTest {
  private final EndToEnd db = new EndToEnd();

  @BeforeAll
  void fill() {
    db.script(
        "CREATE TABLE t (a INT, b INT, s VARCHAR(5))",
        "CREATE TABLE u (a INT, b INT, s VARCHAR(5))",
        "INSERT INTO t VALUES (1, 1, 'x'), (2, 0, 'y'), (NULL, 3, NULL)",
        "INSERT INTO u VALUES (1, 1, 'x'), (3, 0, 'y'), (NULL, 3, NULL)");
  }

  @AfterAll
  void close() {
    db.close();
  }

  @Test
  void aConditionOnKeysGoesBelowTheGrouping() {
    assertThat(db.plan("SELECT * FROM (SELECT a, SUM(b) AS n FROM t GROUP BY a) WHERE a = 1"))
        .contains("group by (A) SUM(B), filter (A = 1) [kernel group]");
    assertThat(db.plan("SELECT * FROM (SELECT a, SUM(b) AS n FROM t GROUP BY a) WHERE n = 1"))
        .doesNotContain("SUM(B), filter");
    assertThat(db.rows("SELECT * FROM (SELECT COUNT(*) AS n FROM t) WHERE 1 = 0")).isEmpty();
  }

  @Test
  void aComparisonOfPaddedTextsGoesBelowTheGrouping() {
    db.run("CREATE TABLE padded (c CHAR(3), b INT)");
    String sql = "SELECT * FROM (SELECT c, SUM(b) AS n FROM padded GROUP BY c) WHERE c = ";
    assertThat(db.rows("EXPLAIN " + sql + "?", "x"))
        .anyMatch(line -> line.contains("SUM(B), filter"));
    assertThat(db.plan(sql + "'x'")).contains("SUM(B), filter");
    assertThat(db.plan(sql + "TRIM(c FROM 'x')")).doesNotContain("SUM(B), filter");
  }

  @Test
  void aConditionOnPartitionsGoesBelowTheWindow() {
    String windows = "SELECT a, b, SUM(b) OVER (PARTITION BY a) AS n FROM t";
    String sql = "SELECT * FROM (" + windows + ") WHERE a = 1 AND b = 1";
    assertThat(db.rows(sql)).containsExactly("1|1|1");
    assertThat(db.plan(sql)).containsPattern("(?s)filter \\(B = 1\\).*window.*filter \\(A = 1\\)");
  }

  /** Calcite asserts that no OR is an operand of another one. */
  @Test
  void aConditionIsInlinedInAnother() {
    String sql = "SELECT a FROM (SELECT a, (a = 1 OR b = 0) AS p FROM t) WHERE p IS NULL OR p";
    assertThat(db.rows(sql)).containsExactlyInAnyOrder("1", "2", "NULL");
  }

  @Test
  void aConditionOnAUnionGoesBelowIt() {
    assertThat(db.plan("SELECT * FROM (SELECT a FROM t UNION ALL SELECT b FROM u) WHERE a = 1"))
        .contains("filter (A = 1)", "filter (B = 1)");
  }

  @Test
  void aConditionOnAViewGoesBelowItsSubQueries() {
    String query =
        "SELECT * FROM (SELECT a, 6 / b AS q, (SELECT MAX(u.b) FROM u WHERE u.a = t.a AND"
            + " u.a / t.b < 9) AS m FROM t WHERE b <> 0) WHERE ";
    assertThat(db.plan(query + "a = 1")).containsPattern("(?s)SUBQUERY0.*filter .*A = 1.*table T");
    assertThat(db.rows(query + "a = 1")).containsExactly("1|6|1");
    // the subquery itself is asked above, what may raise an error where the query has it
    assertThat(db.plan(query + "m = 1 AND 6 / q > 0 AND a = 1"))
        .containsPattern("(?s)filter .*M = 1.*SUBQUERY0.*filter .*A = 1.*table T");
    assertThat(db.rows(query + "m = 1 AND 6 / q > 0 AND a = 1")).containsExactly("1|6|1");
    // rows that fail it ask nothing, whatever error that raises
    assertThat(
            db.rows(
                "SELECT * FROM (SELECT a, (SELECT u.b FROM u WHERE u.b >= t.b) AS m FROM t)"
                    + " WHERE a > 9"))
        .isEmpty();
    assertThat(
            db.rows(
                "SELECT * FROM (SELECT a, b FROM t WHERE EXISTS (SELECT 1 / t.b FROM u WHERE"
                    + " u.b / t.b >= 0)) WHERE a = 1"))
        .containsExactly("1|1");
  }

  @Test
  void aConditionOnTheRowsOfLateralGoesBelowIt() {
    for (String join : List.of("JOIN", "LEFT JOIN")) {
      String query =
          "SELECT * FROM t "
              + join
              + " LATERAL (SELECT u.b AS x FROM u WHERE u.a >= t.a ORDER BY 1 LIMIT 1) AS q ON TRUE"
              + " WHERE t.a = 1";
      assertThat(db.plan(query)).containsPattern("(?s)for each row.*filter .*A = 1.*table T");
      assertThat(db.rows(query)).containsExactly("1|1|x|0");
      assertThat(db.plan(query + " AND x = 0"))
          .containsPattern("(?s)filter .*X = 0.*for each row.*filter .*A = 1.*table T");
      assertThat(db.rows(query + " AND x = 0")).containsExactly("1|1|x|0");
      assertThat(db.rows(query + " AND x = 1")).isEmpty();
    }
  }

  @Test
  void anOuterJoinWhoseNullsAreLeftOutIsAnInnerOne() {
    assertThat(db.plan("SELECT t.b FROM t LEFT JOIN u ON t.a = u.a WHERE u.b = 1"))
        .contains("inner join")
        .doesNotContain("left join");
    assertThat(db.plan("SELECT t.b FROM t LEFT JOIN u ON t.a = u.a WHERE u.b IS NULL"))
        .contains("left join");
    assertThat(db.rows("SELECT t.b FROM t LEFT JOIN u ON t.a = u.a WHERE u.b IS NULL"))
        .containsExactlyInAnyOrder("0", "3");
  }

  @Test
  void whatAlternativesHaveInCommonIsAKey() {
    assertThat(
            db.plan("SELECT 1 FROM t, u WHERE (t.a = u.a AND t.b = 1) OR (t.a = u.a AND u.b = 2)"))
        .contains("inner join on A = A")
        .doesNotContain("all pairs");
  }

  @Test
  void alternativesOfSeveralTablesRestrictEachOfThem() {
    assertThat(db.plan("SELECT 1 FROM t, u WHERE (t.a = 1 AND u.a = 2) OR (t.a = 3 AND u.a = 4)"))
        .contains("(A = 1) OR (A = 3)", "(A = 2) OR (A = 4)");
  }

  @Test
  void aComparisonWithAConstantHoldsOfEqualFields() {
    assertThat(db.plan("SELECT t.b, u.b FROM t, u WHERE t.a = u.a AND t.a < 3"))
        .containsPattern("(?s)filter \\(A < 3\\).*filter \\(A < 3\\)");
    assertThat(db.rows("SELECT t.b, u.b FROM t, u WHERE t.b = u.a AND t.a = u.a"))
        .containsExactly("1|1");
  }

  @Test
  void aConditionThatMayRaiseAnErrorMeetsTheRowsOfTheJoinOnly() {
    assertThat(db.rows("SELECT t.a FROM t JOIN u ON t.a = u.a WHERE 1 / t.b = 1"))
        .containsExactly("1");
    assertThat(
            db.rows(
                "SELECT a FROM (SELECT t.a, 1 / t.b AS q FROM t JOIN u ON t.a = u.a) WHERE q = 1"))
        .containsExactly("1");
  }

  @Test
  void anOrderIsChosenAgainWhenTablesHaveGrown() {
    db.script(
        "CREATE TABLE g1 (a INT, b INT)",
        "CREATE TABLE g2 (a INT, b INT)",
        "CREATE TABLE g3 (a INT)");
    String sql = "SELECT COUNT(*) FROM g1, g2, g3 WHERE g1.a = g2.a AND g2.b = g3.a";
    assertThat(db.rows(sql)).containsExactly("0");
    db.script(
        "INSERT INTO g3 VALUES (1), (2)",
        "INSERT INTO g1 VALUES (1, 1), (1, 2), (1, 3), (1, 4)",
        "INSERT INTO g2 SELECT a, 7 FROM g1");
    for (int i = 0; i < 5; i++) {
      db.run("INSERT INTO g1 SELECT x.a, x.b FROM g1 x, t");
    }
    db.run("INSERT INTO g2 SELECT a, b + 7 FROM g1");
    assertThat(db.rows("SELECT COUNT(*) FROM g1")).containsExactly("4096");
    String plan = db.plan(sql);
    assertThat(plan.indexOf("table G3")).as(plan).isGreaterThan(0);
    assertThat(plan)
        .containsPattern(
            "(?s)on B = A .*on|on A = B .*on|inner join on .*\\n.*inner join on (A = B|B = A)");
    assertThat(db.rows(sql)).containsExactly("0");
  }
}
