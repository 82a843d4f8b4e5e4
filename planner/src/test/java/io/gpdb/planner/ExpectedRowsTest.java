package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the model expects of operators is within a factor of three of what comes of them. */
class ExpectedRowsTest {
  private static final double FACTOR = 3;
  private static final Pattern OPERATOR = Pattern.compile("rows~([0-9.E]+): ([0-9]+) rows");

  private static EndToEnd db;

  /** Sales of 40 goods in 5 shops over 6 years; returns of a tenth of them. */
  @BeforeAll
  static void fill() {
    db = new EndToEnd();
    db.script(
        "CREATE TABLE good (id INTEGER PRIMARY KEY, kind INTEGER, name VARCHAR(20))",
        "CREATE TABLE sale (id INTEGER PRIMARY KEY, good INTEGER, shop INTEGER, day DATE, n"
            + " INTEGER)",
        "CREATE TABLE back (sale INTEGER PRIMARY KEY, good INTEGER, shop INTEGER, day DATE)",
        "INSERT INTO good SELECT v, MOD(v, 8), 'good ' || v FROM GENERATE_SERIES(1, 40) AS s(v)",
        "INSERT INTO sale SELECT v, 1 + MOD(v * 7, 40), MOD(v / 40, 5), DATE '2018-01-01' + MOD(v *"
            + " 11, 2190), MOD(v / 200, 50) FROM GENERATE_SERIES(1, 20000) AS s(v)",
        "INSERT INTO back SELECT id, good, shop, day + 3 FROM sale WHERE MOD(id, 10) = 3",
        "ANALYZE");
  }

  @AfterAll
  static void close() {
    db.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // parts of dates have the values of a calendar, or the years of the column
        "SELECT EXTRACT(YEAR FROM day), COUNT(*) FROM sale GROUP BY EXTRACT(YEAR FROM day)",
        "SELECT EXTRACT(MONTH FROM day), shop, SUM(n) FROM sale GROUP BY EXTRACT(MONTH FROM day),"
            + " shop",
        // what is computed has no more values than what it is computed of
        "SELECT shop + 1, COUNT(*) FROM sale GROUP BY shop + 1",
        "SELECT good * 10 + shop, COUNT(*) FROM sale GROUP BY good * 10 + shop",
        "SELECT shop > 2, n, COUNT(*) FROM sale GROUP BY shop > 2, n",
        // an equality with what is computed keeps one of its values
        "SELECT id FROM sale WHERE MOD(id, 20) = 3",
        "SELECT id FROM sale WHERE EXTRACT(MONTH FROM day) = 3",
        "SELECT id FROM sale WHERE shop + 1 = 3",
        // rows of UNION ALL: constants say of which branch, other columns are of one domain
        "SELECT k, shop, COUNT(*) FROM (SELECT 's' AS k, shop FROM sale UNION ALL"
            + " SELECT 'b', shop FROM back) u GROUP BY k, shop",
        "SELECT COUNT(*) FROM good g JOIN (SELECT good FROM sale UNION ALL SELECT good FROM back) u"
            + " ON g.id = u.good",
        // each set of keys has groups of its own
        "SELECT good, shop, COUNT(*) FROM sale GROUP BY ROLLUP (good, shop)",
        "SELECT shop, n, COUNT(day) FROM sale GROUP BY GROUPING SETS ((shop), (n))",
        // a column that equals a constant has one value, in joins and groups
        "SELECT a.good, a.x, b.x FROM (SELECT good, shop, SUM(n) x FROM sale GROUP BY good, shop) a"
            + " JOIN (SELECT good, shop, SUM(n) x FROM sale GROUP BY good, shop) b"
            + " ON a.good = b.good WHERE a.shop = 1 AND b.shop = 2",
        // a column has as many values as a condition lists
        "SELECT n, shop, COUNT(*) FROM sale WHERE n IN (3, 7) GROUP BY n, shop",
        "SELECT n, COUNT(*) FROM sale WHERE n = 3 AND shop < 4 OR n = 7 AND shop > 2 GROUP BY n",
        // what alternatives say of single inputs is asked of these, and counts once
        "SELECT a.id, b.id FROM good a, good b"
            + " WHERE a.kind = 1 AND b.kind = 2 OR a.kind = 2 AND b.kind = 1",
        // rows common to several inputs are those of a join by all columns
        "SELECT good, shop FROM sale INTERSECT SELECT good, shop FROM back",
        "SELECT day FROM sale EXCEPT SELECT day + 1 FROM back",
        // rows that wait for the values of a subquery are as many as their tree returns
        "SELECT id FROM sale s WHERE n > (SELECT AVG(n) FROM sale i WHERE i.good = s.good)",
      })
  void operatorsReturnAboutSoManyRows(String sql) {
    List<String> plan = db.rows("EXPLAIN ANALYZE " + sql);
    List<String> far = new ArrayList<>();
    for (String line : plan) {
      Matcher rows = OPERATOR.matcher(line);
      boolean isPart = line.contains("[kernel intersect]") || line.contains("[kernel except]");
      if (rows.find() && !isPart) {
        double expected = Math.max(1, Double.parseDouble(rows.group(1)));
        double came = Math.max(1, Double.parseDouble(rows.group(2)));
        if (Math.max(expected / came, came / expected) > FACTOR) {
          far.add(line);
        }
      }
    }
    assertThat(far).as(String.join("\n", plan)).isEmpty();
  }

  /** The values of what an outer join compares are asked for before its rows are. */
  @Test
  void whatJoinsCompareMayBeComputed() {
    assertThat(db.plan("SELECT * FROM sale s JOIN good g ON MOD(s.id, 4) = g.id OR s.id = -g.id"))
        .contains("all pairs");
    assertThat(db.plan("SELECT * FROM good g LEFT JOIN sale s ON 12 / (s.n + g.id) = 3"))
        .contains("join");
  }

  /** Alternatives leave half of the pairs of what each input is asked for, not few. */
  @Test
  void alternativesOfTwoInputsMakeNoProductOfThem() {
    try (EndToEnd lines = new EndToEnd()) {
      lines.script(
          "CREATE TABLE land (id INTEGER PRIMARY KEY, name VARCHAR(20))",
          "CREATE TABLE maker (id INTEGER PRIMARY KEY, land INTEGER)",
          "CREATE TABLE buyer (id INTEGER PRIMARY KEY, land INTEGER)",
          "CREATE TABLE line (buyer INTEGER, maker INTEGER)",
          "INSERT INTO land SELECT v, 'land ' || v FROM GENERATE_SERIES(1, 25) AS s(v)",
          "INSERT INTO maker SELECT v, MOD(v, 25) FROM GENERATE_SERIES(1, 1000) AS s(v)",
          "INSERT INTO buyer SELECT v, MOD(v, 25) FROM GENERATE_SERIES(1, 4000) AS s(v)",
          "INSERT INTO line SELECT MOD(v * 7, 4000), MOD(v * 11, 1000)"
              + " FROM GENERATE_SERIES(1, 40000) AS s(v)",
          "ANALYZE");
      assertThat(
              lines.plan(
                  "SELECT COUNT(*) FROM land a, land b, maker m, buyer u, line l"
                      + " WHERE a.id = m.land AND b.id = u.land AND m.id = l.maker AND u.id ="
                      + " l.buyer AND (a.name = 'x' AND b.name = 'y' OR a.name = 'y' AND b.name ="
                      + " 'x')"))
          .doesNotContain("all pairs");
    }
  }

  @Test
  void anEqualityWithASubqueryKeepsOneOfTheValues() {
    String sql =
        "SELECT id FROM sale s WHERE n = (SELECT MAX(n) FROM sale i WHERE i.good = s.good)";
    assertThat(db.plan(sql)).containsPattern("filter \\(N = SUBQUERY0\\(GOOD\\)\\).* rows~400\n");
  }
}
