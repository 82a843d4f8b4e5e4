package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Subqueries that refer to rows over one and more levels, with kernels and through the bridge. */
class SubQueriesTest {
  private static EndToEnd db;

  @BeforeAll
  static void create() {
    db = new EndToEnd();
    db.script(
        "CREATE TABLE s (e INTEGER, n VARCHAR(5))",
        "INSERT INTO s VALUES (1, 'A'), (2, 'B'), (3, 'C')",
        "CREATE TABLE p (p INTEGER)",
        "INSERT INTO p VALUES (1), (2)",
        "CREATE TABLE w (e INTEGER, p INTEGER)",
        "INSERT INTO w VALUES (1, 1), (1, 2), (2, 1)",
        "CREATE TABLE tt (a INTEGER, b INTEGER, c CHAR(4))",
        "INSERT INTO tt VALUES (1, 10, 'x'), (2, 20, 'y'), (3, NULL, NULL)",
        "CREATE TABLE tu (e INTEGER, d INTEGER, v VARCHAR(4))",
        "INSERT INTO tu VALUES (1, 100, 'x'), (3, 300, 'x '), (7, 1, 'y'), (7, 2, NULL)",
        "CREATE TABLE st (c INTEGER, k INTEGER)",
        "INSERT INTO st VALUES (1, 1), (2, 1), (4, 2)",
        "CREATE TABLE pr (c INTEGER, q INTEGER)",
        "INSERT INTO pr VALUES (1, 5), (1, 6), (2, 7), (3, 8)",
        "CREATE TABLE none (a INTEGER)");
  }

  @AfterAll
  static void close() {
    db.close();
  }

  private static void rows(String sql, String... expected) {
    assertThat(db.rows(sql).stream().sorted()).as(sql).containsExactlyElementsOf(sorted(expected));
    assertThat(db.bridgeRows(sql).stream().sorted())
        .as("bridge: " + sql)
        .containsExactlyElementsOf(sorted(expected));
  }

  private static List<String> sorted(String... rows) {
    return java.util.Arrays.stream(rows).sorted().toList();
  }

  private static void fails(String state, String sql) {
    assertThat(db.state(sql)).as(sql).isEqualTo(state);
  }

  /** The people that work on every project: division by two NOT EXISTS. */
  private static final String ON_EVERY =
      " NOT EXISTS (SELECT * FROM p WHERE NOT EXISTS"
          + " (SELECT * FROM w WHERE s.e = w.e AND w.p = p.p))";

  @Test
  void aNestedSubQueryReadsTheKeysOfAGroupInWhateverOrder() {
    String inner =
        "(SELECT MAX(p.p) FROM p WHERE EXISTS (SELECT 1 FROM s WHERE s.e = w.e AND s.e >= p.p))";
    for (String keys : List.of("e, p", "p, e")) {
      rows("SELECT e, p, " + inner + " FROM w GROUP BY " + keys, "1|1|1", "1|2|1", "2|1|2");
      rows("SELECT e, p FROM w GROUP BY " + keys + " HAVING " + inner + " = 1", "1|1", "1|2");
      rows("SELECT e, p FROM w GROUP BY " + keys + " ORDER BY " + inner, "1|1", "1|2", "2|1");
    }
    rows(
        "SELECT a + b, (SELECT MAX(p.p) FROM p WHERE EXISTS (SELECT 1 FROM s WHERE s.e = x.a"
            + " AND s.e >= p.p)) FROM (SELECT e a, p b FROM w) x GROUP BY b, a, a + b",
        "2|1",
        "3|1",
        "3|2");
    rows(
        "SELECT s.e, n, COUNT(*) FROM s, w WHERE s.e = w.e GROUP BY n, s.e HAVING (SELECT MAX(p.p)"
            + " FROM p WHERE EXISTS (SELECT 1 FROM s s2 WHERE s2.e = s.e AND s2.e >= p.p)) = 1",
        "1|A|2");
    fails("42000", "SELECT e + 1, (SELECT n FROM s WHERE s.e = w.e + 1) FROM w GROUP BY e + 1");
    rows(
        "SELECT e, (SELECT n FROM s WHERE s.e = w.e) FROM w GROUP BY ROLLUP (e)",
        "1|A",
        "2|B",
        "NULL|NULL");
  }

  /** Calcite alone takes what the second subquery reads for columns of the outermost query. */
  @Test
  void severalSubQueriesOfAHavingReadTheirOwnGroups() {
    String conditions =
        " (SELECT COUNT(*) FROM w w3 WHERE w3.e = w2.e AND w3.p = w.p) > 0"
            + " AND (SELECT COUNT(*) FROM w w4 WHERE w4.p = w2.p AND w4.e = w.e) > 0";
    String from = "SELECT e, p FROM w WHERE EXISTS (SELECT 1 FROM w w2 WHERE w2.e = w.p";
    List<String> expected = db.rows(from + " AND" + conditions + ")").stream().sorted().toList();
    rows(from + " GROUP BY w2.p, w2.e HAVING" + conditions + ")", expected.toArray(String[]::new));
  }

  @Test
  void anAggregateOfOuterColumnsAloneIsOfTheirQuery() {
    fails("21000", "SELECT (SELECT MAX(s.e) FROM p) FROM s");
    rows("SELECT (SELECT MAX(s.e) FROM p LIMIT 1) FROM s", "3");
    rows("SELECT e, (SELECT MAX(s.e + p.p) FROM p) FROM s", "1|3", "2|4", "3|5");
  }

  @Test
  void aConditionMayReferTwoLevelsUp() {
    rows("SELECT n FROM s WHERE" + ON_EVERY, "A");
    rows(
        "SELECT n FROM s WHERE EXISTS (SELECT * FROM p WHERE NOT EXISTS"
            + " (SELECT * FROM w WHERE s.e = w.e AND w.p = p.p))",
        "B",
        "C");
    rows(
        "SELECT n FROM s WHERE NOT EXISTS (SELECT * FROM p WHERE p.p NOT IN"
            + " (SELECT w.p FROM w WHERE w.e = s.e))",
        "A");
    rows(
        "SELECT n FROM s WHERE 2 = (SELECT COUNT(*) FROM p WHERE EXISTS"
            + " (SELECT * FROM w WHERE s.e = w.e AND w.p = p.p))",
        "A");
    rows(
        "SELECT n FROM s WHERE 1 > ALL (SELECT p.p - 1 FROM p WHERE p.p <> ALL"
            + " (SELECT w.p FROM w WHERE w.e = s.e))",
        "A");
  }

  @Test
  void aSelectListMayReferTwoLevelsUp() {
    rows(
        "SELECT n, (SELECT COUNT(*) FROM p WHERE NOT EXISTS"
            + " (SELECT * FROM w WHERE s.e = w.e AND w.p = p.p)) FROM s",
        "A|0",
        "B|1",
        "C|2");
    rows(
        "SELECT n, (SELECT MAX((SELECT COUNT(*) FROM w WHERE w.e = s.e AND w.p >= p.p)) FROM p)"
            + " FROM s",
        "A|2",
        "B|1",
        "C|0");
    rows(
        "SELECT n, CASE WHEN" + ON_EVERY + " THEN 'every' ELSE 'not' END FROM s",
        "A|every",
        "B|not",
        "C|not");
  }

  @Test
  void havingAndGroupByMayReferUp() {
    rows(
        "SELECT n FROM s WHERE e IN (SELECT w.e FROM w GROUP BY w.e HAVING COUNT(*) ="
            + " (SELECT COUNT(*) FROM p WHERE p.p <= s.e + 1))",
        "A");
    rows(
        "SELECT k, COUNT(*) FROM st GROUP BY k HAVING k IN (SELECT pr.c FROM pr GROUP BY pr.c"
            + " HAVING COUNT(*) >= st.k)",
        "1|2");
    rows(
        "SELECT st.c FROM st WHERE EXISTS (SELECT pr.c FROM pr GROUP BY pr.c HAVING pr.c = st.c)",
        "1",
        "2");
    rows(
        "SELECT st.c, (SELECT SUM(q) FROM pr GROUP BY c HAVING pr.c = st.c) FROM st",
        "1|11",
        "2|7",
        "4|NULL");
    rows(
        "SELECT st.c FROM st WHERE EXISTS (SELECT 1 FROM pr GROUP BY q HAVING MIN(pr.c) = st.c)",
        "1",
        "2");
  }

  @Test
  void lateralMayReferTwoLevelsUp() {
    rows(
        "SELECT n, x.m FROM s, LATERAL (SELECT COUNT(*) AS m FROM p WHERE EXISTS"
            + " (SELECT * FROM w WHERE w.e = s.e AND w.p = p.p)) AS x",
        "A|2",
        "B|1",
        "C|0");
    rows(
        "SELECT n, x.p FROM s LEFT JOIN LATERAL (SELECT p FROM w WHERE w.e = s.e) AS x ON TRUE",
        "A|1",
        "A|2",
        "B|1",
        "C|NULL");
    rows(
        "SELECT n, (SELECT SUM(x.p) FROM p, LATERAL (SELECT w.p FROM w WHERE w.e = s.e AND"
            + " w.p = p.p) AS x) FROM s",
        "A|3",
        "B|1",
        "C|NULL");
    rows(
        "SELECT n, x.p FROM s, LATERAL (SELECT p FROM w WHERE w.e = s.e ORDER BY p DESC LIMIT 1)"
            + " AS x",
        "A|2",
        "B|1");
  }

  @Test
  void emptyGroupsCountZero() {
    rows(
        "SELECT a, (SELECT COUNT(*) FROM tu WHERE tu.e = tt.a), (SELECT COUNT(d) + 1 FROM tu"
            + " WHERE tu.e = tt.a), (SELECT SUM(d) FROM tu WHERE tu.e = tt.a) FROM tt",
        "1|1|2|100",
        "2|0|1|NULL",
        "3|1|2|300");
    rows("SELECT a FROM tt WHERE 0 = (SELECT COUNT(*) FROM tu WHERE tu.e = tt.a)", "2");
    rows("SELECT a FROM tt WHERE 0 = (SELECT COUNT(*) FROM tu WHERE tu.e = tt.a GROUP BY tu.d)");
    rows(
        "SELECT a FROM tt WHERE (SELECT CASE WHEN COUNT(*) = 0 THEN -1 ELSE MAX(d) END FROM tu"
            + " WHERE tu.e = tt.a) < 200",
        "1",
        "2");
  }

  @Test
  void limitsAndSetOperationsMayBeCorrelated() {
    rows(
        "SELECT a, (SELECT d FROM tu WHERE tu.e >= tt.a ORDER BY d LIMIT 1) FROM tt",
        "1|1",
        "2|1",
        "3|1");
    rows("SELECT a FROM tt WHERE EXISTS (SELECT 1 FROM tu WHERE tu.e = tt.a LIMIT 0)");
    rows(
        "SELECT a FROM tt WHERE a IN (SELECT e FROM tu WHERE tu.d > tt.b UNION SELECT p FROM p"
            + " WHERE p.p = tt.b / 10)",
        "1",
        "2");
    rows(
        "SELECT a FROM tt WHERE EXISTS (SELECT e FROM tu WHERE e = tt.a EXCEPT SELECT p FROM p)",
        "3");
  }

  @Test
  void onlyRowsThatAreAskedForMayHaveTooManyValues() {
    rows("SELECT a, (SELECT d FROM tu WHERE tu.e = tt.a) FROM tt", "1|100", "2|NULL", "3|300");
    fails("21000", "SELECT p, (SELECT d FROM tu WHERE tu.e = p.p + 6) FROM p");
    rows("SELECT p, (SELECT d FROM tu WHERE tu.e = p.p + 6) FROM p WHERE p = 2", "2|NULL");
    rows("SELECT (SELECT d FROM tu) FROM none");
    fails("21000", "SELECT (SELECT d FROM tu) FROM tt");
    rows("SELECT a FROM tt WHERE a = 1 AND (b = 10 OR a = (SELECT d FROM tu))", "1");
    rows("SELECT a FROM tt WHERE a > 5 AND a = (SELECT d FROM tu)");
    rows("SELECT CASE WHEN a > 0 THEN a ELSE (SELECT d FROM tu) END FROM tt", "1", "2", "3");
    rows("SELECT COALESCE(a, (SELECT d FROM tu)) FROM tt", "1", "2", "3");
    rows("SELECT tt.a FROM tt JOIN none ON tt.a = none.a WHERE tt.b = (SELECT d FROM tu)");
    rows(
        "SELECT x.a FROM (SELECT a, (SELECT d FROM tu) AS d FROM tt) AS x JOIN none"
            + " ON x.a = none.a WHERE x.a > 5");
  }

  @Test
  void anExpressionThatNoRowReachesRaisesNothing() {
    rows(
        "SELECT (SELECT 1 / (p - 1) FROM p WHERE p.p = s.e AND p.p > 1) FROM s",
        "NULL",
        "1",
        "NULL");
    rows("SELECT e FROM s WHERE EXISTS (SELECT 1 / 0 FROM p WHERE p.p = s.e)", "1", "2");
    rows("SELECT CASE WHEN e = 9 THEN (SELECT 1 / 0 FROM p) ELSE 0 END FROM s", "0", "0", "0");
    rows("SELECT (SELECT MAX(1 / (e - 9)) FROM tu WHERE tu.e = tt.a) FROM tt", "0", "NULL", "0");
    rows("SELECT a FROM tt WHERE a IN (SELECT 10 / (e - 7) FROM tu WHERE tu.e = tt.b)");
    rows("SELECT a FROM none WHERE a = (SELECT 1 / 0)");
  }

  @Test
  void notInAndQuantifiersKnowUnknown() {
    rows("SELECT a FROM tt WHERE b NOT IN (SELECT d FROM tu WHERE tu.e = tt.a)", "1", "2");
    rows("SELECT a FROM tt WHERE b NOT IN (SELECT d FROM tu WHERE tu.e = tt.a + 9)", "1", "2", "3");
    rows("SELECT a, b IN (SELECT d FROM tu) FROM tt", "1|FALSE", "2|FALSE", "3|NULL");
    rows("SELECT a, b > ALL (SELECT d FROM tu WHERE d < 3) FROM tt", "1|TRUE", "2|TRUE", "3|NULL");
    rows(
        "SELECT a, b < SOME (SELECT d FROM tu WHERE e > 100) FROM tt",
        "1|FALSE",
        "2|FALSE",
        "3|FALSE");
    rows("SELECT a FROM tt WHERE (a, b) NOT IN (SELECT e, d FROM tu)", "1", "2");
    rows("SELECT a FROM tt WHERE (a, b) IN (SELECT e, d / 10 FROM tu)", "1");
    rows("SELECT a FROM tt WHERE NOT (a = ANY (SELECT e FROM tu) AND b < 11)", "2");
  }

  /** Calcite's rules make these empty. */
  @Test
  void anEmptySubqueryUnderOrLeavesTheOtherRows() {
    rows("SELECT a FROM tt WHERE a IN (SELECT a FROM tt WHERE 1 = 0) OR a > 2", "3");
    rows("SELECT a FROM tt WHERE a IN (SELECT a FROM tt WHERE b < 1 AND b > 2) OR a > 2", "3");
    rows("SELECT a FROM tt WHERE EXISTS (SELECT 1 FROM none WHERE none.a = tt.a) OR a > 2", "3");
  }

  @Test
  void paddedStringsAreComparedWithoutTheirBlanks() {
    rows("SELECT a FROM tt WHERE EXISTS (SELECT 1 FROM tu WHERE tu.v = tt.c)", "1", "2");
    rows("SELECT a, (SELECT COUNT(*) FROM tu WHERE tu.v = tt.c) FROM tt", "1|2", "2|1", "3|0");
    rows("SELECT a, c IN (SELECT v FROM tu) FROM tt", "1|TRUE", "2|TRUE", "3|NULL");
  }

  @Test
  void subqueriesMayBeInJoinConditions() {
    for (String bare : List.of("(SELECT x.e > 2)", "(SELECT MAX(y.c) > 2 FROM pr y)")) {
      String where = "SELECT x.e, y.p FROM tu x, w y WHERE " + bare;
      rows("SELECT x.e, y.p FROM tu x JOIN w y ON " + bare, db.rows(where).toArray(String[]::new));
    }
    rows("SELECT tt.a, tu.d FROM tt JOIN tu ON tu.e = (SELECT MAX(p) + tt.a - 1 FROM p)", "2|300");
    rows(
        "SELECT tt.a, p.p FROM tt LEFT JOIN p ON p.p = tt.a AND EXISTS (SELECT 1 FROM tu"
            + " WHERE tu.e = p.p AND tu.d > tt.b)",
        "1|1",
        "2|NULL",
        "3|NULL");
  }

  @Test
  void changesTouchTheRowsThatTheirConditionsMean() {
    try (EndToEnd own = new EndToEnd()) {
      own.script(
          "CREATE TABLE s (e INTEGER PRIMARY KEY, n VARCHAR(5))",
          "INSERT INTO s VALUES (1, 'A'), (2, 'B'), (3, 'C')",
          "CREATE TABLE p (p INTEGER)",
          "INSERT INTO p VALUES (1), (2)",
          "CREATE TABLE w (e INTEGER, p INTEGER)",
          "INSERT INTO w VALUES (1, 1), (1, 2), (2, 1)");
      assertThat(own.run("UPDATE s SET n = 'all' WHERE" + ON_EVERY)).isEqualTo(1);
      assertThat(own.rows("SELECT n FROM s ORDER BY e")).containsExactly("all", "B", "C");
      own.run(
          "UPDATE s SET n = CAST((SELECT COUNT(*) FROM p WHERE NOT EXISTS (SELECT * FROM w"
              + " WHERE w.e = s.e AND w.p = p.p)) AS VARCHAR(5)) WHERE e = 2 OR e = 3");
      assertThat(own.rows("SELECT n FROM s ORDER BY e")).containsExactly("all", "1", "2");
      own.run("UPDATE s SET e = (SELECT MAX(e) FROM s x) + e");
      assertThat(own.rows("SELECT e FROM s ORDER BY e")).containsExactly("4", "5", "6");
      own.run("UPDATE s SET n = 'k' WHERE e = 4 AND e < (SELECT MAX(x.e) FROM s x)");
      assertThat(own.run("INSERT INTO s SELECT e + 10, n FROM s WHERE e > (SELECT MIN(e) FROM s)"))
          .isEqualTo(2);
      assertThat(
              own.run(
                  "DELETE FROM s WHERE EXISTS (SELECT * FROM p WHERE NOT EXISTS"
                      + " (SELECT * FROM w WHERE w.e = s.e - 3 AND w.p = p.p))"))
          .isEqualTo(4);
      assertThat(own.rows("SELECT e, n FROM s")).containsExactly("4|k");
    }
  }

  /** The same as by a column of a derived table, whatever reads the key. */
  @Test
  void rowsAreGroupedBySubQueries() {
    for (String key :
        List.of(
            "(SELECT MAX(y.c) FROM pr y WHERE y.c < pr.c)",
            "EXISTS (SELECT 1 FROM pr y WHERE y.c < pr.c)",
            "pr.c IN (SELECT y.k FROM st y WHERE y.c <= pr.c)",
            "pr.c > ALL (SELECT y.c FROM pr y WHERE y.q <> pr.q)",
            "(SELECT SUM(y.q) FROM pr y WHERE EXISTS (SELECT 1 FROM pr z WHERE z.c = y.c"
                + " AND z.q > y.q AND z.c < pr.c))",
            "(SELECT MAX(y.c) FROM pr y WHERE y.c < pr.c UNION SELECT MAX(z.c) FROM pr z"
                + " WHERE z.c < pr.c)")) {
      String derived = "(SELECT pr.*, " + key + " AS g FROM pr) AS x";
      String[] rows =
          db.rows("SELECT g, SUM(q) FROM " + derived + " GROUP BY g").toArray(String[]::new);
      rows("SELECT " + key + ", SUM(q) FROM pr GROUP BY " + key, rows);
      rows("SELECT " + key + " AS g, SUM(q) FROM pr GROUP BY g", rows);
      rows("SELECT " + key + " AS g, SUM(q) FROM pr GROUP BY 1 ORDER BY g", rows);
      rows("SELECT " + key + ", SUM(q) FROM pr GROUP BY " + key + " ORDER BY " + key, rows);
      if (!key.startsWith("pr.c")) { // there HAVING wants the column grouped
        String having = " HAVING (" + key + ") IS NOT NULL";
        rows(
            "SELECT SUM(q) FROM pr GROUP BY " + key + having,
            db.rows("SELECT SUM(q) FROM " + derived + " WHERE g IS NOT NULL GROUP BY g")
                .toArray(String[]::new));
      }
      rows(
          "SELECT SUM(q), c FROM pr GROUP BY ROLLUP (" + key + ", c)",
          db.rows("SELECT SUM(q), c FROM " + derived + " GROUP BY ROLLUP (g, c)")
              .toArray(String[]::new));
    }
    String sum = "(SELECT MAX(y.c) FROM pr y WHERE y.c < pr.c) + c";
    for (String item : List.of(sum, "CASE WHEN " + sum + " > 2.5 THEN 1 ELSE 0 END")) {
      String[] groups =
          db.rows("SELECT g, COUNT(*) FROM (SELECT " + item + " AS g FROM pr) AS s GROUP BY g")
              .toArray(String[]::new);
      for (String key : List.of("1", item)) {
        rows("SELECT " + item + " AS g, COUNT(*) FROM pr GROUP BY " + key, groups);
      }
    }
    fails("42000", "SELECT c FROM pr GROUP BY (SELECT MAX(y.c) FROM pr y WHERE y.c < pr.c)");
  }

  /** As of a derived table that has the key for a column. */
  @Test
  void keysThatAreSubQueriesAreReadInWindowsAndComparedWithSubQueries() {
    String key = "(SELECT MAX(y.c) FROM pr y WHERE y.c < pr.c)";
    for (String items :
        List.of(
            "MIN(K) OVER (ORDER BY SUM(q))",
            "K, SUM(K + 1) OVER (ORDER BY SUM(q) DESC), LAG(K) OVER (ORDER BY K NULLS FIRST)",
            "K IN (SELECT c FROM st), COUNT(*)",
            "(K, 4) NOT IN (SELECT k, c FROM st), K",
            "COUNT(*), K >= ALL (SELECT k FROM st WHERE c < 3)")) {
      String of = "SELECT " + items.replace("K", "(%s)");
      String grouped = " FROM pr GROUP BY " + key;
      String derived = " FROM (SELECT " + key + " AS g, q FROM pr) AS d GROUP BY g";
      rows(
          of.replace("(%s)", key) + grouped,
          db.rows(of.replace("%s", "g") + derived).toArray(String[]::new));
    }
  }

  @Test
  void parametersOfTheStatementKeepTheirPlaces() {
    String sql =
        "SELECT a, (SELECT COUNT(*) FROM tu WHERE tu.e = tt.a AND d > ?) FROM tt WHERE a < ?"
            + " AND EXISTS (SELECT 1 FROM p WHERE p.p >= tt.a + ? AND EXISTS (SELECT 1 FROM w"
            + " WHERE w.e = tt.a AND w.p = p.p AND w.p < ?))";
    assertThat(db.rows(sql, 50, 3, 0, 9)).containsExactlyInAnyOrder("1|1");
    assertThat(db.rows(sql, 50.5, 3, 0, 9)).containsExactlyInAnyOrder("1|1");
    assertThat(db.rows(sql, 100, 3, 0, 9)).containsExactlyInAnyOrder("1|0");
  }

  @Test
  void aSubQueryInHavingHasWindows() {
    rows(
        "SELECT e FROM w GROUP BY e HAVING COUNT(*) = (SELECT MAX(x.p) OVER () FROM p AS x LIMIT"
            + " 1)",
        "1");
    fails("42000", "SELECT e FROM w GROUP BY e HAVING COUNT(*) OVER () = 2");
    fails(
        "42804", "SELECT e FROM w GROUP BY e HAVING (SELECT MAX(x.p) OVER () FROM p AS x LIMIT 1)");
  }
}
