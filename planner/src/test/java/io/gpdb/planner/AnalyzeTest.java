package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What plans expect before and after ANALYZE. */
class AnalyzeTest {
  private final EndToEnd db = new EndToEnd();

  @BeforeEach
  void create() {
    db.script(
        "CREATE TABLE t (id INT PRIMARY KEY, many INT, day DATE, at TIMESTAMP, quarter INT)",
        "INSERT INTO t SELECT i, MOD(i, 2500), DATE '2000-01-01' + MOD(i, 90) * INTERVAL '1' DAY,"
            + " TIMESTAMP '2000-01-01 00:00:00' + MOD(i, 90) * INTERVAL '1' HOUR,"
            + " CASE WHEN MOD(i, 4) = 0 THEN i END"
            + " FROM GENERATE_SERIES(1, 10000) AS s (i)");
  }

  @AfterEach
  void close() {
    db.close();
  }

  private double expected(String condition) {
    String line =
        db.plan("SELECT id + 1 FROM t WHERE " + condition).lines().findFirst().orElseThrow();
    return Double.parseDouble(line.substring(line.indexOf("rows~") + 5));
  }

  private double groups(String column) {
    String plan = db.plan("SELECT " + column + ", COUNT(*) FROM t GROUP BY " + column);
    String line = plan.lines().findFirst().orElseThrow();
    return Double.parseDouble(line.substring(line.indexOf("rows~") + 5));
  }

  @Test
  void groupsAreThoseThatThereAre() {
    db.script("ANALYZE t");
    assertThat(groups("many")).isBetween(2350.0, 2600.0);
    db.script("INSERT INTO t SELECT id + 10000, many, day, at, quarter FROM t");
    assertThat(groups("many")).as("the same values in twice the rows").isBetween(2350.0, 5200.0);
    db.script("ANALYZE");
    assertThat(groups("many")).isBetween(2350.0, 2600.0);
  }

  @Test
  void rangesOfDatesAndTimesKeepTheirShare() {
    assertThat(expected("day < DATE '2000-02-01'")).as("from a sample").isBetween(2700.0, 4300.0);
    db.script("ANALYZE t");
    assertThat(expected("day < DATE '2000-02-01'")).isBetween(3350.0, 3550.0);
    assertThat(expected("DATE '2000-02-01' > day")).isBetween(3350.0, 3550.0);
    assertThat(expected("day >= DATE '2000-01-11' AND day < DATE '2000-01-21'"))
        .isBetween(1050.0, 1250.0);
    assertThat(expected("day BETWEEN DATE '2000-01-11' AND DATE '2000-01-20'"))
        .isBetween(1050.0, 1250.0);
    assertThat(expected("at <= TIMESTAMP '2000-01-01 08:00:00'")).isBetween(900.0, 1100.0);
    assertThat(expected("day > DATE '2010-01-01'")).isBetween(1.0, 60.0);
  }

  @Test
  void nullsAreThoseThatThereAre() {
    db.script("ANALYZE t");
    assertThat(expected("quarter IS NULL")).isEqualTo(7500);
    assertThat(expected("quarter IS NOT NULL")).isEqualTo(2500);
    assertThat(expected("many IS NULL")).isEqualTo(0);
  }

  /** A text is planned in one way, with its literals or with parameters for them. */
  @Test
  void numbersThatMayBeParametersAreNotLookedAt() {
    db.script("ANALYZE t");
    assertThat(expected("many < 10")).isEqualTo(expected("many < 2000"));
  }

  /** Sales are of few of the days that the calendar has, and of those one asks for. */
  @Test
  void joinedColumnsAreHeldAgainstTheRangeThatBothHave() {
    db.script(
        "CREATE TABLE calendar (day INT PRIMARY KEY, week INT)",
        "INSERT INTO calendar SELECT i, i / 7 FROM GENERATE_SERIES(1, 7000) AS s (i)",
        "CREATE TABLE sales (day INT, n INT)",
        "INSERT INTO sales SELECT 3000 + MOD(i, 100), i FROM GENERATE_SERIES(1, 10000) AS s (i)",
        "ANALYZE");
    String join = "inner join on .*DAY.* rows~(\\d+)";
    String all = "SELECT n FROM sales s JOIN calendar c ON s.day = c.day";
    assertThat(rows(all, join)).isBetween(8000.0, 12000.0);
    assertThat(rows(all + " WHERE c.week = 430", join)).isBetween(400.0, 1200.0);
    assertThat(rows(all + " WHERE s.n = 7", join)).isBetween(0.5, 2.0);
  }

  /** A key of several columns leaves one row, and decides what its table's other columns are. */
  @Test
  void keysOfTablesAreKnown() {
    db.script(
        "CREATE TABLE line (o INT, n INT, PRIMARY KEY (o, n), a INT, b INT)",
        "INSERT INTO line SELECT i / 10, MOD(i, 10), MOD(i, 97), MOD(i, 89)"
            + " FROM GENERATE_SERIES(0, 9999) AS s (i)",
        "ANALYZE");
    String all = "SELECT l.a FROM line l JOIN line m ON l.o = m.o AND l.n = m.n";
    assertThat(rows(all, "inner join on .* rows~(\\d+)")).isBetween(9000.0, 11_000.0);
    String groups = "SELECT %s, COUNT(*) FROM line GROUP BY %s";
    assertThat(rows(groups.formatted("o, a", "o, a"), "group by .* rows~(\\d+)"))
        .as("fewer than rows")
        .isBetween(6000.0, 10_000.0);
    String ofKey = "SELECT t.id, t.many, t.day, COUNT(*) FROM t JOIN line ON t.id = line.o";
    assertThat(rows(ofKey + " GROUP BY t.id, t.many, t.day", "group by .* rows~(\\d+)"))
        .as("of the 1000 orders")
        .isBetween(800.0, 6500.0);
  }

  @Test
  void pairsAreExpectedBeforeOtherConditionsAre() {
    String keys = "SELECT a.id FROM t a JOIN t b ON a.many = b.many";
    db.script("ANALYZE t");
    assertThat(rows(keys + " AND a.id < b.quarter", "inner join on .* rows~(\\d+)"))
        .isBetween(35_000.0, 45_000.0);
    String pairs = "SELECT a.id FROM t a, t b WHERE a.id %s b.quarter";
    assertThat(rows(pairs.formatted("<>"), "all pairs .* rows~(\\d+)")).isBetween(1e8, 1e8);
    assertThat(rows(pairs.formatted("<"), "pairs with .* rows~(\\d+)")).isBetween(1e7, 1e8);
  }

  private double rows(String sql, String line) {
    Matcher found = Pattern.compile(line).matcher(db.plan(sql));
    assertThat(found.find()).as(db.plan(sql)).isTrue();
    return Double.parseDouble(found.group(1));
  }
}
