package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelParser;
import io.gpdb.exec.ir.KernelPrinter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExplainTest {
  private final EndToEnd db = new EndToEnd();

  @BeforeAll
  void createTables() {
    db.script(
        "CREATE TABLE t (id INT PRIMARY KEY, g VARCHAR(5), n BIGINT, at TIMESTAMP)",
        "INSERT INTO t VALUES (1, 'a', 1, NULL), (2, 'b', 2, NULL)");
  }

  @AfterAll
  void close() {
    db.close();
  }

  @Test
  void thePlanNamesWhereEachPartRuns() {
    assertThat(db.plan("SELECT * FROM t WHERE id = 1")).contains("key look-up", "T_PKEY");
    assertThat(db.plan("SELECT n + 1 FROM t WHERE n > 1")).contains("[kernel", "table T", "filter");
    assertThat(db.plan("SELECT g, SUM(n) FROM t GROUP BY g")).contains("group by", "[kernel group");
    assertThat(db.plan("SELECT SUM(n) FROM t")).contains("aggregate SUM(N)", "[kernel reduce");
    assertThat(db.plan("SELECT a.id FROM t a JOIN t b ON a.n = b.n"))
        .contains("inner join", "[kernel join");
    assertThat(db.plan("SELECT id FROM t WHERE n NOT IN (SELECT n + 1 FROM t WHERE g = 'a')"))
        .contains("not in on N = ", "[kernel join")
        .doesNotContain("Calcite");
    assertThat(db.plan("SELECT id FROM t ORDER BY n")).contains("sort by", "[kernel sort");
    assertThat(db.plan("SELECT id, RANK() OVER (ORDER BY n) FROM t"))
        .contains("window sorted by N: RANK() [host up to 512 rows, then kernel sort and host]");
    assertThat(db.plan("SELECT n, COUNT(*) FROM t GROUP BY ROLLUP (n)"))
        .contains("grouping sets (N), ()", "groups without N", "held rows", "group by (N)")
        .doesNotContain("Calcite");
    assertThat(db.plan("SELECT g, LISTAGG(g) WITHIN GROUP (ORDER BY n) FROM t GROUP BY g"))
        .contains("aggregate in order by G sorted by N: LISTAGG(G)")
        .doesNotContain("Calcite");
    assertThat(db.plan("SELECT g || CAST(n AS VARCHAR) FROM t")).contains("[host]");
  }

  @Test
  void fewRowsOfAnIndexAreJoinedAndAggregatedOnTheHost() {
    db.script(
        "CREATE TABLE k (a INT, b INT, c INT, PRIMARY KEY (a, b))",
        "CREATE TABLE m (a INT, b INT, n INT, PRIMARY KEY (a, b, n))",
        "INSERT INTO k VALUES (1, 1, 1), (1, 2, 2), (2, 1, 3)",
        "INSERT INTO m VALUES (1, 1, 1), (1, 1, 2), (2, 1, 1)");
    String keys = " m.a = k.a AND m.b = k.b";
    assertThat(db.plan("SELECT n FROM k LEFT JOIN m ON" + keys + " WHERE k.a = 1"))
        .contains("left join, looks up table M by index M_PKEY (2 of its columns)");
    assertThat(db.plan("SELECT n FROM m RIGHT JOIN k ON" + keys + " WHERE k.a = 1"))
        .contains("left join, looks up table M by index M_PKEY");
    assertThat(
            db.plan("SELECT c FROM k WHERE a = 1 AND EXISTS (SELECT 1 FROM m WHERE" + keys + ")"))
        .contains("semijoin, looks up table M by index M_PKEY");
    assertThat(
            db.plan(
                "SELECT c FROM k WHERE a = 1 AND NOT EXISTS (SELECT 1 FROM m WHERE" + keys + ")"))
        .contains("antijoin, looks up table M by index M_PKEY");
    assertThat(db.plan("SELECT SUM(n) FROM m JOIN k ON" + keys + " WHERE k.a = 1"))
        .contains("inner join, looks up table ", "[host up to 512 rows, then");
    assertThat(db.plan("SELECT SUM(n) FROM m JOIN k ON" + keys)).doesNotContain("host", "looks up");
  }

  @Test
  void sumsOfLiteralsDoNotKeepASubqueryFromBeingAJoin() {
    String query = "(SELECT * FROM t x WHERE x.id = t.id AND x.n BETWEEN 1 AND 1 + 3)";
    assertThat(db.plan("SELECT id FROM t WHERE EXISTS " + query)).contains("semi join on ID = ID");
    assertThat(db.plan("SELECT id FROM t WHERE g = 'a' AND (NOT EXISTS " + query + ")"))
        .contains("anti join on ID = ID");
    assertThat(db.plan("SELECT id FROM t WHERE EXISTS " + query.replace("1 + 3", "1 + x.n")))
        .contains("for each of its outer values");
  }

  @Test
  void aggregatesAreCalledByWhatTheyComputeOrByTheirNames() {
    assertThat(
            db.plan("SELECT g, SUM(n) AS total, AVG(n) FROM t GROUP BY g ORDER BY total LIMIT 2"))
        .contains("sort by TOTAL", "CAST(TOTAL AS DOUBLE) / CAST(COUNT(N) AS DOUBLE)")
        .doesNotContain("$");
    assertThat(db.plan("SELECT id FROM t WHERE n > (SELECT AVG(n) FROM t)"))
        .contains("CAST(SUM(N) AS DOUBLE) / CAST(COUNT(N) AS DOUBLE)")
        .doesNotContain("$f");
    assertThat(db.plan("SELECT VAR_POP(n) + 1 FROM t")).contains("VAR_POP(N)").doesNotContain("$");
  }

  @Test
  void changesSayHowTheyAreApplied() {
    assertThat(db.plan("UPDATE t SET n = 0 WHERE id = 1")).contains("update T", "key look-up");
    assertThat(db.plan("UPDATE t SET n = 0 WHERE n = 1")).contains("update T", "kernel", "table T");
    assertThat(db.plan("DELETE FROM t WHERE n IN (SELECT id FROM t)")).contains("after all rows");
    assertThat(db.plan("INSERT INTO t SELECT * FROM t")).contains("insert T", "kernel");
    assertThat(db.plan("INSERT INTO t (id) VALUES (9)")).contains("insert T", "values");
  }

  @Test
  void explainCarriesNothingOutButAnalyzeDoes() {
    db.plan("DELETE FROM t WHERE n = 2");
    assertThat(db.rows("SELECT COUNT(*) FROM t")).containsExactly("2");
    assertThat(db.rows("EXPLAIN ANALYZE SELECT * FROM t WHERE n = 2"))
        .anyMatch(line -> line.startsWith("rows 1, time"));
  }

  @Test
  void operatorsAreShownWithTheRowsThatTheModelExpects() {
    db.script(
        "CREATE TABLE many (id INT PRIMARY KEY, ten INT, k INT)",
        "INSERT INTO many SELECT i, MOD(i, 10), MOD(i, 400)"
            + " FROM GENERATE_SERIES(1, 4000) AS s (i)");
    assertThat(db.plan("SELECT ten, COUNT(*) FROM many GROUP BY ten"))
        .containsPattern("group by \\(TEN\\).* rows~10\n")
        .containsPattern("table MANY.* rows~4000");
    assertThat(db.plan("SELECT id + 1 FROM many WHERE ten = 3"))
        .containsPattern("filter \\(TEN = 3\\).* rows~400\n");
    assertThat(db.plan("SELECT a.id FROM many a JOIN many b ON a.id = b.id WHERE b.ten = 3"))
        .containsPattern("inner join on ID = ID.* rows~400\n");
    assertThat(db.plan("SELECT id FROM many ORDER BY k LIMIT 7"))
        .containsPattern("sort by K.* rows~7\n");
  }

  @Test
  void whatWasRunSaysHowGoodTheEstimatesWere() {
    db.script(
        "CREATE TABLE same (id INT PRIMARY KEY, a INT, b INT)",
        "INSERT INTO same SELECT i, MOD(i, 10), MOD(i, 10)"
            + " FROM GENERATE_SERIES(1, 4000) AS s (i)");
    assertThat(db.rows("EXPLAIN ANALYZE SELECT id + 1 FROM same WHERE a = 1 AND b = 2"))
        .contains(
            "estimates of 2 operators: median q-error 1.00, greatest 40.00 of"
                + " filter ((A = 1) AND (B = 2)), project ((ID + 1))");
    assertThat(db.plan("SELECT id + 1 FROM same WHERE a = 1 AND b = 2"))
        .doesNotContain("estimates of");
  }

  @Test
  void printedKernelsAreReadBack() {
    for (String sql :
        List.of(
            "SELECT n + 1, UPPER(g) FROM t WHERE n > 1 AND g LIKE 'a%'",
            "SELECT SUM(n), MIN(g), COUNT(*) FROM t WHERE id < 10",
            "SELECT g, AVG(n) FROM t GROUP BY g ORDER BY g",
            "SELECT a.id FROM t a LEFT JOIN t b ON a.n = b.id",
            "SELECT EXTRACT(YEAR FROM at), CASE WHEN n > 1 THEN n ELSE id END FROM t")) {
      List<String> kernels = texts(db.rows("EXPLAIN KERNEL " + sql));
      assertThat(kernels).as(sql).isNotEmpty();
      for (String text : kernels) {
        Kernel read = KernelParser.parse(text);
        assertThat(KernelPrinter.print(read).strip()).isEqualTo(text.strip());
      }
    }
    assertThat(db.rows("EXPLAIN KERNEL SELECT * FROM t WHERE id = 1"))
        .first()
        .asString()
        .contains("no kernel");
  }

  /** The kernels of the answer, which empty lines part. */
  private static List<String> texts(List<String> lines) {
    List<String> texts = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (String line : lines) {
      if (line.isEmpty()) {
        texts.add(text.toString());
        text.setLength(0);
      } else {
        text.append(line).append('\n');
      }
    }
    return texts;
  }

  @Test
  void analyzeChargesEachOperatorWithItsLaunches() {
    assertThat(db.rows("EXPLAIN ANALYZE SELECT sum(n) FROM t WHERE n > 1"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("[kernel reduce]")
                    .containsPattern(
                        "1 rows, .* ms, launches [1-9], warps [1-9]\\d*, allocations [1-9]\\d*"))
        .noneMatch(line -> line.contains("divergence"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .containsPattern(
                        "rows 1, time .* ms, launches [1-9], waited at barriers \\d.* ms,"
                            + " allocations [1-9]"));
    assertThat(db.rows("EXPLAIN ANALYZE KERNEL SELECT sum(n) FROM t WHERE n > 1"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("[kernel reduce]")
                    .containsPattern(
                        "1 rows, .* ms, launches [1-9], warps [1-9]\\d*, divergence .*, allocations"
                            + " [1-9]\\d*")
                    .containsPattern("sectors [1-9]\\d*, lines [1-9]"));
    List<String> update = db.rows("EXPLAIN ANALYZE KERNEL UPDATE t SET n = n + 1 WHERE n > 0");
    assertThat(update)
        .anySatisfy(line -> assertThat(line).contains("[kernel scan]").contains("divergence"))
        .anySatisfy(line -> assertThat(line).startsWith("change: "));
    assertThat(db.plan("SELECT sum(n) FROM t")).doesNotContain("divergence");
  }
}
