package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An error of a query behind IN is raised if there is a row for which it is asked. */
class LazyJoinsTest {
  private static final int ROWS = 3000;

  /** A sum that leaves its type, of one of the groups. */
  private static final String FAILS =
      "(SELECT k FROM c GROUP BY k HAVING SUM(m) > %d)".formatted(ROWS);

  private final EndToEnd db = new EndToEnd();

  @BeforeEach
  void createTables() {
    db.script(
        "CREATE TABLE a (k INT, n INT)",
        "CREATE TABLE b (k INT, n INT)",
        "CREATE TABLE c (k INT, m BIGINT)",
        "CREATE TABLE none (k INT)",
        "INSERT INTO a SELECT x, x FROM GENERATE_SERIES(1, %d) AS s(x)".formatted(ROWS),
        "INSERT INTO b SELECT k, n FROM a",
        "INSERT INTO c SELECT k, k FROM a",
        "INSERT INTO c VALUES (7, 9223372036854775807)");
  }

  @AfterEach
  void close() {
    db.close();
  }

  @Test
  void anErrorIsRaisedForARowOnly() {
    for (String not : new String[] {"", "NOT "}) {
      String in = " IN " + FAILS;
      assertThat(db.state("SELECT a.k FROM a JOIN b ON a.k = b.k WHERE " + not + "a.n" + in))
          .isEqualTo("22003");
      assertThat(db.state("SELECT a.k FROM a WHERE " + not + "a.n" + in)).isEqualTo("22003");
      String without = "SELECT a.k FROM a JOIN b ON a.k = b.k + %d WHERE ".formatted(2 * ROWS);
      assertThat(db.rows(without + not + "a.n" + in)).isEmpty();
      assertThat(db.rows("SELECT k FROM none WHERE " + not + "k" + in)).isEmpty();
    }
  }

  @Test
  void aQueryThatMayFailIsJoinedWhereItLeavesFewRows() {
    String joined =
        "FROM a JOIN b ON a.n = b.n WHERE %s a.k IN " + FAILS.replace("c GROUP", "%s GROUP");
    String plan = db.plan("SELECT a.k " + joined.formatted("", "c WHERE k > 7"));
    assertThat(plan).containsPattern("(?s)inner join.*semi join.*table A .*table C .*table B ");
    assertThat(db.rows("SELECT a.k " + joined.formatted("b.k = 0 AND", "c"))).isEmpty();
    assertThat(db.state("SELECT a.k " + joined.formatted("b.k = 1 AND", "c"))).isEqualTo("22003");
  }

  /** Beside the same query with the rows behind IN stored in a table. */
  @Test
  void theOrderOfJoinsDoesNotDecideWhetherAnErrorIsRaised() {
    RandomSeeds.of(3).forEach(LazyJoinsTest::round);
  }

  private static void round(long seed) {
    Random random = new Random(seed);
    try (EndToEnd some = new EndToEnd()) {
      for (int t = 0; t < 4; t++) {
        some.run("CREATE TABLE t%d (k INT NOT NULL, n INT NOT NULL)".formatted(t));
        int rows = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(40 << 2 * t);
        some.run(
            "INSERT INTO t%d SELECT x, MOD(x * %d, %d) FROM GENERATE_SERIES(1, %d) AS s(x)"
                .formatted(t, 1 + random.nextInt(7), 1 + random.nextInt(30), rows));
      }
      some.script(
          "CREATE TABLE c (k INT NOT NULL, m BIGINT)",
          "INSERT INTO c SELECT k, n FROM t3",
          "CREATE TABLE found (k INT NOT NULL)");
      for (int q = 0; q < 30; q++) {
        query(some, random, seed);
      }
    }
  }

  private static void query(EndToEnd db, Random random, long seed) {
    String sums = "SELECT k FROM c GROUP BY k HAVING SUM(m) > " + random.nextInt(20);
    boolean fails = random.nextBoolean();
    db.run("DELETE FROM found");
    db.run("DELETE FROM c WHERE m > 1000");
    db.run("INSERT INTO found " + sums);
    if (fails) {
      db.run("INSERT INTO c VALUES (7, 9223372036854775807), (7, 9223372036854775807)");
    }
    int tables = 1 + random.nextInt(4);
    StringBuilder from = new StringBuilder("SELECT x0.k FROM t" + random.nextInt(4) + " x0");
    for (int t = 1; t < tables; t++) {
      from.append(random.nextInt(4) == 0 ? " LEFT" : "")
          .append(" JOIN t%d x%d ON x%d.".formatted(random.nextInt(4), t, random.nextInt(t)))
          .append(random.nextBoolean() ? "k" : "n")
          .append(" = x" + t + (random.nextBoolean() ? ".k" : ".n"));
    }
    from.append(" WHERE x0.n < ").append(random.nextInt(30));
    String safe =
        random.nextInt(3) == 0
            ? " AND x%d.n %s (SELECT n FROM t%d WHERE k > %d)"
                .formatted(
                    random.nextInt(tables),
                    random.nextBoolean() ? "IN" : "NOT IN",
                    random.nextInt(4),
                    random.nextInt(20))
            : "";
    String in =
        " AND x%d.%s %s "
            .formatted(
                random.nextInt(tables),
                random.nextBoolean() ? "k" : "n",
                random.nextInt(3) == 0 ? "NOT IN" : "IN");
    boolean safeFirst = random.nextBoolean();
    String start = from + (safeFirst ? safe : "") + in;
    String end = safeFirst ? "" : safe;
    String sql = start + "(" + sums + ")" + end;
    String as = "-Dgpdb.seed=%d: %s".formatted(seed, sql);
    boolean asked = !db.rows(from.toString()).isEmpty();
    boolean askedAtLast = !db.rows(from + safe).isEmpty();
    if (fails && askedAtLast) {
      assertThat(db.state(sql)).as(as).isEqualTo("22003");
    } else if (!fails || !asked) {
      List<String> expected = sorted(db.rows(start + "(SELECT k FROM found)" + end));
      assertThat(sorted(db.rows(sql))).as(as).isEqualTo(expected);
    }
  }

  private static List<String> sorted(List<String> rows) {
    return rows.stream().sorted().toList();
  }

  @Test
  void whatHasRowsIsNotRunToFindThatOut() {
    String plan =
        String.join(
            "\n",
            db.rows(
                "EXPLAIN ANALYZE SELECT a.k FROM a JOIN b ON a.k = b.k WHERE a.n IN "
                    + FAILS.replace("c GROUP", "c WHERE k <> 7 GROUP")));
    assertThat(plan).contains("semi join");
    assertThat(Pattern.compile("table A .*: " + ROWS + " rows").matcher(plan).find())
        .as(plan)
        .isTrue();
  }
}
