package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.GpdbException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * GROUPING in the arguments of functions over windows is that of the groups: the rows are those of
 * the same windows over a derived table that has it for a column.
 */
class GroupingInWindowsTest {
  private static EndToEnd db;

  @BeforeAll
  static void create() {
    db = new EndToEnd();
    db.run("CREATE TABLE t (a INTEGER, b INTEGER, c INTEGER)");
    db.run(
        "INSERT INTO t SELECT MOD(i, 3), CASE WHEN MOD(i, 4) > 0 THEN MOD(i, 4) END, i"
            + " FROM GENERATE_SERIES(1, 30) AS s (i)");
  }

  @AfterAll
  static void close() {
    db.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MAX(G) OVER ()",
        "SUM(G + S) OVER (ORDER BY a, b, G)",
        "LAG(G, 1, 9) OVER (PARTITION BY a ORDER BY G, b, S)",
        "COUNT(NULLIF(H, 0)) OVER (PARTITION BY b)",
        "SUM(G * 10 + H) OVER (ORDER BY S, a, b, G ROWS BETWEEN 1 PRECEDING AND 2 FOLLOWING)",
        "MAX(S) FILTER (WHERE G = 0) OVER (PARTITION BY H)",
        "SUM(CASE WHEN G > 1 THEN S ELSE H END) OVER (PARTITION BY G)"
      })
  void argumentsSeeTheGroups(String window) {
    for (String sets : List.of("CUBE (a, b)", "ROLLUP (a, b)", "GROUPING SETS ((b), (a), ())")) {
      String written =
          "SELECT a, b, %s FROM t GROUP BY %s"
              .formatted(filled(window, "GROUPING(a, b)", "GROUPING(b)", "SUM(c)"), sets);
      String derived =
          "SELECT a, b, %s FROM (SELECT a, b, GROUPING_ID(a, b) AS g, GROUPING(b) AS h, SUM(c) AS s FROM t GROUP BY %s) AS q"
              .formatted(filled(window, "g", "h", "s"), sets);
      assertThat(sorted(written)).as(written).isEqualTo(sorted(derived));
    }
  }

  private static String filled(String window, String both, String one, String sum) {
    return window.replaceAll("\\bG\\b", both).replaceAll("\\bH\\b", one).replaceAll("\\bS\\b", sum);
  }

  private static List<String> sorted(String sql) {
    return db.rows(sql).stream().sorted().toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT MAX(GROUPING(a)) OVER () FROM t",
        "SELECT MAX(GROUPING(b)) OVER () FROM t GROUP BY a",
        "SELECT a, SUM(GROUPING(a)) FROM t GROUP BY ROLLUP (a)",
        "SELECT a FROM t WHERE GROUPING(a) = 0 GROUP BY ROLLUP (a)",
        "SELECT a FROM t GROUP BY ROLLUP (a), GROUPING(a)"
      })
  void thereIsNoneWithoutGroups(String sql) {
    assertThatThrownBy(() -> db.rows(sql))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.sqlState()).isEqualTo("42000"));
  }
}
