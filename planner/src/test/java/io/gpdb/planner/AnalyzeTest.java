package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

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
}
