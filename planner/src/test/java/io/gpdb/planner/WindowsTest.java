package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.planner.NaiveWindow.Row;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Random calls over random windows return what plain loops return. {@code -Dgpdb.seed=S} replays
 * one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WindowsTest {
  private static final int ROUNDS = 3;
  private static final int QUERIES = 8;

  /** The last is for kernels, and has frames of which summaries are made. */
  private static final int[] ROW_COUNTS = {0, 1, 2, 33, 100, 520};

  private final EndToEnd db = new EndToEnd();

  @BeforeAll
  void aTable() {
    db.run(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, g INTEGER, h VARCHAR(3), k INTEGER,"
            + " p DECIMAL(10, 2), f DOUBLE, b BOOLEAN)");
  }

  @AfterAll
  void close() {
    db.close();
  }

  @Test
  void randomWindowsReturnWhatPlainLoopsReturn() {
    List<String> problems = new ArrayList<>();
    RandomSeeds.of(ROUNDS).forEach(seed -> round(seed, problems));
    assertThat(problems).isEmpty();
  }

  private void round(long seed, List<String> problems) {
    Random random = new Random(seed);
    int count = ROW_COUNTS[(int) Math.floorMod(seed, (long) ROW_COUNTS.length)];
    List<Row> rows = new ArrayList<>();
    db.run("DELETE FROM t");
    for (int id = 0; id < count; id++) {
      Row row = Row.random(random, id);
      rows.add(row);
    }
    if (count > 0) {
      db.run("INSERT INTO t VALUES " + String.join(", ", rows.stream().map(Row::sql).toList()));
    }
    for (int i = 0; i < QUERIES; i++) {
      List<RandomWindow> calls = new ArrayList<>();
      for (int c = 0; c < 1 + random.nextInt(3); c++) {
        calls.add(RandomWindow.of(random));
      }
      String sql =
          "SELECT "
              + String.join(", ", calls.stream().map(RandomWindow::sql).toList())
              + " FROM t ORDER BY id";
      List<List<String>> found = db.inTransaction(tx -> EndToEnd.table(db.engine, tx, sql));
      for (int c = 0; c < calls.size(); c++) {
        String problem = problem(rows, calls.get(c), found, c);
        if (!problem.isEmpty()) {
          problems.add("-Dgpdb.seed=" + seed + ": " + problem + "\n    " + calls.get(c).sql());
        }
      }
    }
  }

  private static String problem(
      List<Row> rows, RandomWindow call, List<List<String>> found, int column) {
    List<String> expected = call.evaluated(rows);
    for (int i = 0; i < rows.size(); i++) {
      String value = found.get(i).get(column);
      if (!RandomWindow.isSame(expected.get(i), value)) {
        return "row " + i + " is " + value + " instead of " + expected.get(i);
      }
    }
    return found.size() == rows.size() ? "" : found.size() + " rows";
  }

  @Test
  void aFrameHasNoNegativeDistanceAndNoneThatIsNull() {
    db.run("DELETE FROM t");
    db.run("INSERT INTO t (id, k) VALUES (1, 1), (2, -1)");
    String sql = "SELECT SUM(id) OVER (ORDER BY id ROWS %s PRECEDING) FROM t";
    assertThat(db.state(sql.formatted("k"))).isEqualTo("22013");
    assertThat(db.state(sql.formatted("g"))).isEqualTo("22013");
    assertThat(db.state("SELECT NTILE(0) OVER (ORDER BY id) FROM t")).isEqualTo("22014");
  }

  @Test
  void anOffsetMayDependOnTheRow() {
    db.run("DELETE FROM t");
    db.run("INSERT INTO t (id, k) VALUES (1, 0), (2, 1), (3, 1), (4, NULL), (5, 3)");
    assertThat(db.rows("SELECT LAG(id, k, 0) OVER (ORDER BY id) FROM t ORDER BY id"))
        .containsExactly("1", "1", "2", "NULL", "2");
    assertThat(
            db.rows(
                "SELECT COUNT(*) OVER (ORDER BY id ROWS COALESCE(k, 0) PRECEDING) FROM t"
                    + " ORDER BY id"))
        .containsExactly("1", "2", "2", "1", "4");
  }

  @Test
  void sumsAreExactAndRaiseOnlyForWhatIsBeyondTheirType() {
    db.run("CREATE TABLE s (id INTEGER PRIMARY KEY, x BIGINT, w DECIMAL(38, 0))");
    BigDecimal wide = BigDecimal.TEN.pow(38).subtract(BigDecimal.ONE);
    db.run("INSERT INTO s VALUES (1, ?, ?)", Long.MAX_VALUE, wide);
    db.run("INSERT INTO s VALUES (2, ?, ?)", Long.MIN_VALUE, wide.negate());
    db.run("INSERT INTO s VALUES (3, ?, ?)", Long.MAX_VALUE, wide);
    String sql = "SELECT SUM(%s) OVER (ORDER BY id ROWS %s PRECEDING) FROM s ORDER BY id";
    for (int rows = 0; rows < 3; rows++) {
      assertThat(db.rows(sql.formatted("x", rows)))
          .containsExactly(
              Long.toString(Long.MAX_VALUE),
              rows == 0 ? Long.toString(Long.MIN_VALUE) : "-1",
              rows == 1 ? "-1" : rows == 0 ? Long.toString(Long.MAX_VALUE) : "9223372036854775806");
      assertThat(db.rows(sql.formatted("w", rows)).get(1))
          .isEqualTo(rows == 0 ? wide.negate().toPlainString() : "0");
    }
    db.run("DELETE FROM s WHERE id = 2");
    assertThat(db.state(sql.formatted("x", 1))).isEqualTo("22003");
    assertThat(db.state(sql.formatted("w", 1))).isEqualTo("22003");
  }

  @Test
  void aWindowWithTheNameOfAnotherHasItsFrame() {
    db.run("DELETE FROM t");
    db.run("INSERT INTO t (id, g) VALUES (1, 1), (2, 1), (3, 2), (4, 2)");
    String sql = "SELECT SUM(id) OVER %s FROM t WINDOW w AS (ORDER BY g)%s ORDER BY id";
    assertThat(db.rows(sql.formatted("(w ROWS 1 PRECEDING)", "")))
        .containsExactly("1", "3", "5", "7");
    assertThat(db.rows(sql.formatted("v", ", v AS (w ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING)")))
        .containsExactly("2", "3", "4", "NULL");
    assertThat(db.rows(sql.formatted("(w GROUPS 1 PRECEDING EXCLUDE GROUP)", "")))
        .containsExactly("NULL", "NULL", "3", "3");
    assertThat(db.rows("SELECT SUM(id) OVER (GROUPS 1 PRECEDING) FROM t LIMIT 1"))
        .containsExactly("10");
    assertThat(db.state(sql.formatted("v", ", v AS (u), u AS (w)"))).isEqualTo("42000");
    assertThat(db.state(sql.formatted("(v ROWS 1 PRECEDING)", ", v AS (ROWS 1 PRECEDING)")))
        .isEqualTo("42000");
  }

  @Test
  void whichRowOfAFrameIsAPositiveNumber() {
    db.run("DELETE FROM t");
    db.run("INSERT INTO t (id, k) VALUES (1, 1), (2, NULL)");
    assertThat(db.state("SELECT NTH_VALUE(id, 0) OVER (ORDER BY id) FROM t")).isEqualTo("22016");
    assertThat(db.rows("SELECT NTH_VALUE(id, k) OVER (ORDER BY id) FROM t ORDER BY id"))
        .containsExactly("1", "NULL");
    assertThat(db.state("SELECT COUNT(*) OVER (ORDER BY k ROWS INTERVAL '1' DAY PRECEDING) FROM t"))
        .isEqualTo("42804");
  }

  @Test
  void differentPairsOfValuesAreCounted() {
    db.run("DELETE FROM t");
    db.run("INSERT INTO t (id, g, k) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 2), (4, 1, NULL)");
    assertThat(db.rows("SELECT COUNT(DISTINCT g, k) OVER (ORDER BY id) FROM t ORDER BY id"))
        .containsExactly("1", "1", "2", "2");
  }

  @Test
  void distinctResultsAreOrderedByWindows() {
    db.run("DELETE FROM t");
    db.run("INSERT INTO t (id, g, k) VALUES (1, 5, 1), (2, 5, 1), (3, 4, 2)");
    String sql = "SELECT DISTINCT g AS x, RANK() OVER (ORDER BY k) AS y FROM t ORDER BY ";
    for (String order : List.of("y", "2", "x DESC", "y, x", "1 DESC NULLS LAST, y")) {
      assertThat(db.rows(sql + order)).as(order).containsExactly("5|1", "4|3");
      assertThat(db.rows("WITH t AS (SELECT * FROM t) " + sql + order + " LIMIT 1"))
          .as(order)
          .containsExactly("5|1");
    }
    assertThat(db.state(sql + "k")).isEqualTo("42000");
  }
}
