package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** NaN and zeros of both signs in queries over few rows that are planned from their words. */
class DirectFloatsTest {
  @Test
  void floatsThatAreNoNumbersAreComparedAsThePlannerDoes() {
    try (EndToEnd db = new EndToEnd()) {
      db.script("CREATE TABLE n (q REAL, r DOUBLE, a INTEGER)");
      int row = 0;
      for (String value :
          List.of("CAST('NaN' AS DOUBLE)", "-0E0", "0E0", "1.5E0", "-1E30", "NULL", "1E30")) {
        db.run(String.format("INSERT INTO n VALUES (%s, %1$s, %d)", value, row++ % 3));
      }
      for (String x : List.of("q", "r", "- r", "q + a")) {
        for (String y : List.of("r", "q", "0", "a")) {
          for (String operator : List.of("=", "<", ">=")) {
            requireSame(db, String.format("%s %s %s", x, operator, y));
            requireSame(db, String.format("SELECT a FROM n WHERE %s %s %s", x, operator, y));
          }
          requireSame(db, String.format("%s IN (%s, 1)", x, y));
          requireSame(db, String.format("%s BETWEEN %s AND 2", x, y));
          requireSame(db, String.format("NULLIF(%s, %s)", x, y));
          requireSame(db, String.format("CASE %s WHEN %s THEN 1 WHEN 0 THEN 2 END", x, y));
        }
        for (String form :
            List.of(
                "SELECT DISTINCT %s FROM n",
                "SELECT %s, COUNT(*) FROM n GROUP BY %1$s",
                "SELECT MIN(%s), MAX(%1$s), COUNT(DISTINCT %1$s), SUM(%1$s) FROM n",
                "SELECT a, %s FROM n ORDER BY 2, 1",
                "SELECT a, %s FROM n ORDER BY 2 DESC, 1 LIMIT 3",
                "SELECT %s FROM n UNION SELECT r FROM n ORDER BY 1",
                "SELECT CAST(%s AS INTEGER) FROM n",
                "SELECT CAST(%s AS REAL), CAST(%1$s AS DOUBLE) FROM n")) {
          requireSame(db, String.format(form, x));
        }
      }
      for (String condition :
          List.of("x.r = y.r", "x.q = y.q", "x.r = y.q", "x.r < y.r", "x.q = y.a", "x.r = - y.r")) {
        requireSame(db, "SELECT x.a, y.a, x.r FROM n x JOIN n y ON " + condition);
        requireSame(db, "SELECT x.a, y.q FROM n x, n y WHERE x.a < y.a AND " + condition);
      }
      requireSame(db, "SELECT x.a FROM n x WHERE x.r IN (SELECT y.r FROM n y WHERE y.a = 1)");
    }
  }

  private static void requireSame(EndToEnd db, String expression) {
    String sql =
        expression.startsWith("SELECT") ? expression : "SELECT " + expression + ", a FROM n";
    assertThat(DirectSelectionsTest.answer(db, db.direct, sql))
        .as(sql)
        .isEqualTo(DirectSelectionsTest.answer(db, db.unshared, sql));
  }
}
