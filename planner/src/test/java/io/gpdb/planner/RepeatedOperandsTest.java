package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Calcite repeats operands; a query within them refers to the same rows in each copy. */
class RepeatedOperandsTest {
  private static final String SUM =
      "(SELECT SUM(t.b) FROM t WHERE t.a IN (SELECT u.a FROM u WHERE u.b <= t.b AND u.c <= o.c))";

  @Test
  void nestedQueriesInRepeatedOperandsReferToTheirOwnRows() {
    try (EndToEnd db = new EndToEnd()) {
      for (String table : new String[] {"o", "t", "u"}) {
        db.script(
            "CREATE TABLE " + table + " (a INTEGER, b INTEGER, c INTEGER)",
            "INSERT INTO " + table + " VALUES (1, 5, 1), (2, 0, 2), (3, 7, 3)");
      }
      for (String[] expected :
          new String[][] {
            {"COALESCE(" + SUM + ", -1)", "5", "5", "12"},
            {"NULLIF(" + SUM + ", 12)", "5", "5", "NULL"},
            {"CASE " + SUM + " WHEN 5 THEN 1 WHEN 12 THEN 2 ELSE 3 END", "1", "1", "2"},
            {"COALESCE(NULLIF(" + SUM + ", 5), COALESCE(" + SUM + ", 0))", "5", "5", "12"},
            {"GREATEST(" + SUM + ", 6)", "6", "6", "12"},
            {"CASE WHEN " + SUM + " BETWEEN 5 AND 6 THEN 1 ELSE 0 END", "1", "1", "0"}
          }) {
        String sql = "SELECT " + expected[0] + " FROM o ORDER BY o.a";
        assertThat(db.rows(sql))
            .as(sql)
            .containsExactly(expected[1], expected[2], expected[3])
            .isEqualTo(db.bridgeRows(sql));
      }
    }
  }
}
