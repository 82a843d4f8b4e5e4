package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** IN of a list, in aggregates within windows, returns what its comparisons written out return. */
class ListsInWindowsTest {
  private static EndToEnd db;

  @BeforeAll
  static void create() {
    db = new EndToEnd();
    db.run("CREATE TABLE t (g INTEGER, a INTEGER, c CHAR(2))");
    db.run(
        "INSERT INTO t SELECT MOD(i, 4), CASE WHEN MOD(i, 5) > 0 THEN MOD(i, 5) END, CASE WHEN"
            + " MOD(i, 3) > 0 THEN 'x' ELSE 'yy' END FROM GENERATE_SERIES(1, 40) AS s (i)");
  }

  @AfterAll
  static void close() {
    db.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "a IN (1, 3); (a = 1 OR a = 3)",
        "a IN (2); a = 2",
        "a NOT IN (1, 2.5, 3); NOT (a = 1 OR a = 2.5 OR a = 3)",
        "a NOT IN (1, CAST(NULL AS INTEGER)); NOT (a = 1 OR a = CAST(NULL AS INTEGER))",
        "c IN ('x', 'y'); (c = 'x' OR c = 'y')",
        "(a IN (1, g)) IN (TRUE, a IN (4)); ((a = 1 OR a = g) = TRUE OR (a = 1 OR a = g) = (a ="
            + " 4))",
        "(SELECT MAX(u.a) FROM t u WHERE u.g < t.g) IN (1, 4);"
            + " (SELECT MAX(u.a) FROM t u WHERE u.g < t.g) = 4"
      })
  void aListIsItsComparisons(String list, String comparisons) {
    for (String items :
        new String[] {
          "SUM(SUM(CASE WHEN %s THEN a END)) OVER (ORDER BY g)",
          "MAX(COUNT(*) FILTER (WHERE %s AND a > 0)) OVER ()",
          "SUM(g) OVER (PARTITION BY MAX(CASE WHEN %s THEN 1 ELSE 0 END))",
          "SUM(g + 1) OVER (ORDER BY COUNT(*) FILTER (WHERE %s), g)",
          "CASE WHEN RANK() OVER (ORDER BY MIN(CASE WHEN %s THEN a END)) IN (1, 2) THEN g END"
        }) {
      String sql = "SELECT g, " + items + " FROM t GROUP BY g";
      assertThat(db.rows(sql.formatted(list)))
          .as(sql, list)
          .containsExactlyInAnyOrderElementsOf(db.rows(sql.formatted(comparisons)));
    }
  }
}
