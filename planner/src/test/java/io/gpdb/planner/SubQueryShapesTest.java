package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shapes of TPC-H's queries with subqueries return what nested loops return. */
class SubQueryShapesTest {
  private static final Map<String, List<Object[]>> TABLES = new HashMap<>();
  private static EndToEnd db;

  @BeforeAll
  static void create() {
    db = new EndToEnd();
    Random random = new Random(17);
    table(random, "part", 12, 12, "k", "small");
    table(random, "supp", 10, 10, "k", "nation");
    table(random, "ps", 40, 12, "pk", "sk", "cost", "qty");
    table(random, "cust", 15, 15, "k", "code", "bal");
    table(random, "ord", 30, 30, "k", "ck", "prio");
    table(random, "line", 80, 30, "ok", "pk", "sk", "qty", "due", "got");
  }

  /** The first column is below the limit, the others are small and sometimes NULL. */
  private static void table(Random random, String name, int rows, int limit, String... columns) {
    db.run("CREATE TABLE " + name + " (" + String.join(" INTEGER, ", columns) + " INTEGER)");
    List<Object[]> made = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      Object[] row = new Object[columns.length];
      StringBuilder text = new StringBuilder();
      for (int c = 0; c < row.length; c++) {
        boolean isNull = c > 0 && random.nextInt(12) == 0;
        row[c] = isNull ? null : (Long) (c == 0 ? (long) (i % limit) : random.nextInt(10));
        text.append(c == 0 ? "" : ", ").append(row[c]);
      }
      made.add(row);
      db.run("INSERT INTO " + name + " VALUES (" + text + ")");
    }
    TABLES.put(name.toUpperCase(java.util.Locale.ROOT), made);
  }

  @AfterAll
  static void close() {
    db.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // Q2
        "SELECT s.k, p.k, ps.cost FROM part p, supp s, ps WHERE p.k = ps.pk AND s.k = ps.sk"
            + " AND ps.cost = (SELECT MIN(x.cost) FROM ps x, supp y WHERE p.k = x.pk"
            + " AND y.k = x.sk AND y.nation = s.nation)",
        // Q4
        "SELECT prio, COUNT(*) FROM ord WHERE EXISTS (SELECT * FROM line l WHERE l.ok = ord.k"
            + " AND l.due < l.got) GROUP BY prio",
        // Q17
        "SELECT SUM(l.qty) FROM line l, part p WHERE p.k = l.pk AND l.qty < (SELECT"
            + " SUM(x.qty) / COUNT(x.qty) FROM line x WHERE x.pk = p.k)",
        // Q20
        "SELECT s.k FROM supp s WHERE s.k IN (SELECT ps.sk FROM ps WHERE ps.pk IN (SELECT k FROM"
            + " part WHERE small < 8) AND ps.qty > (SELECT SUM(l.qty) - 4 FROM line l WHERE"
            + " l.pk = ps.pk AND l.sk = ps.sk))",
        // Q21
        "SELECT s.k, COUNT(*) FROM supp s, line l, ord o WHERE s.k = l.sk AND o.k = l.ok AND"
            + " EXISTS (SELECT * FROM line x WHERE x.ok = l.ok AND x.sk <> l.sk) AND NOT EXISTS"
            + " (SELECT * FROM line y WHERE y.ok = l.ok AND y.sk <> l.sk AND y.got > y.due)"
            + " GROUP BY s.k",
        // Q22
        "SELECT c.code, COUNT(*), SUM(c.bal) FROM cust c WHERE c.bal > (SELECT SUM(x.bal) /"
            + " COUNT(*) FROM cust x WHERE x.bal > 0) AND NOT EXISTS (SELECT * FROM ord o WHERE"
            + " o.ck = c.k) GROUP BY c.code",
        // Q11 and Q15: HAVING and a view with a maximum
        "SELECT ps.pk, SUM(ps.cost) FROM ps GROUP BY ps.pk HAVING SUM(ps.cost) >"
            + " (SELECT SUM(x.cost) / 12 FROM ps x)",
        "SELECT s.k, r.t FROM supp s, (SELECT sk, SUM(qty) AS t FROM line GROUP BY sk) AS r WHERE"
            + " s.k = r.sk AND r.t = (SELECT MAX(t) FROM (SELECT sk, SUM(qty) AS t FROM line"
            + " GROUP BY sk) AS q)",
        // Q16 and Q18
        "SELECT p.small, COUNT(DISTINCT ps.sk) FROM ps, part p WHERE p.k = ps.pk AND ps.sk NOT IN"
            + " (SELECT k FROM supp WHERE nation > 5) GROUP BY p.small",
        "SELECT o.k, SUM(l.qty) FROM ord o, line l WHERE o.k = l.ok AND o.k IN (SELECT ok FROM line"
            + " GROUP BY ok HAVING SUM(qty) > 12) GROUP BY o.k",
        // the same over two levels
        "SELECT c.k FROM cust c WHERE NOT EXISTS (SELECT * FROM ord o WHERE o.ck = c.k AND NOT"
            + " EXISTS (SELECT * FROM line l WHERE l.ok = o.k AND l.qty > c.bal))",
        "SELECT c.k, (SELECT COUNT(*) FROM ord o WHERE o.ck = c.k AND o.prio < (SELECT MAX(l.qty)"
            + " FROM line l WHERE l.ok = o.k AND l.due <= c.bal)) FROM cust c"
      })
  void aShapeGivesWhatNestedLoopsGive(String sql) {
    List<String> expected =
        NestedQueriesTest.naive(db, new NaiveEvaluator(TABLES), sql).stream().sorted().toList();
    assertThat(expected).isNotEmpty();
    assertThat(db.rows(sql).stream().sorted().toList()).isEqualTo(expected);
    assertThat(db.bridgeRows(sql).stream().sorted().toList()).isEqualTo(expected);
  }
}
