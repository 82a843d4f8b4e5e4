package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Conditions that read no field, such as those that branches of a union make constant. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OnceConditionsTest {
  private static final List<String> BRANCHES =
      List.of(
          "SELECT 'x', a, SUM(b) FROM t GROUP BY a",
          "SELECT 'y', a, SUM(b) FROM u GROUP BY a",
          "SELECT 'y', t.a, t.b + 0 * u.b FROM t JOIN u ON t.a = u.a",
          "SELECT 'x', t.a, u.b FROM t LEFT JOIN u ON t.a = u.a",
          "SELECT s, t.a, t.b FROM t WHERE EXISTS (SELECT * FROM u WHERE u.a = t.a)",
          "SELECT CAST(NULL AS CHAR(1)), COUNT(*), MAX(b) FROM t",
          "SELECT 'z', COUNT(*), SUM(b) FROM u WHERE a > 100",
          "SELECT s, a, b FROM u",
          "SELECT 'y', a, b FROM t",
          "SELECT DISTINCT 'x', b, a FROM t",
          "SELECT 'z', a, SUM(b) OVER (PARTITION BY s) FROM t",
          "SELECT * FROM (SELECT 'z', a, b FROM t ORDER BY a, b LIMIT 2)");

  private static final List<String> CONDITIONS =
      List.of(
          "k = 'x'",
          "'y' = k",
          "k <> 'x'",
          "k = ?",
          "k < ?",
          "k IS NULL",
          "k IS NOT NULL",
          "k IN ('x', 'z')",
          "(k = 'x' OR n > 1)",
          "(k = ? OR k IS NULL) AND n IS NOT NULL",
          "NOT (k = 'y')",
          "1 = 0",
          "? IS NOT NULL");

  private final EndToEnd db = new EndToEnd();

  @BeforeAll
  void fill() {
    db.script(
        "CREATE TABLE t (a BIGINT, b BIGINT, s CHAR(1))",
        "CREATE TABLE u (a BIGINT, b BIGINT, s CHAR(1))",
        "INSERT INTO t VALUES (1, 1, 'x'), (1, 2, 'y'), (2, 0, 'z'), (NULL, 3, NULL), (3, 4, 'x')",
        "INSERT INTO u VALUES (1, 1, 'x'), (3, 0, 'y'), (NULL, 3, NULL), (2, NULL, 'y')");
  }

  @AfterAll
  void close() {
    db.close();
  }

  @Test
  void aBranchThatHasNoRowsIsNotRun() {
    String sql =
        "SELECT n FROM (SELECT 'x' AS k, SUM(1 / b) AS n FROM t GROUP BY a UNION ALL"
            + " SELECT 'y', a FROM u GROUP BY a) WHERE k = ";
    assertThat(db.plan(sql + "'y'")).contains("only if ('x' = 'y')", "only if ('y' = 'y')");
    // the other branch divides by zero
    assertThat(db.rows(sql + "'y'")).containsExactlyInAnyOrder("1", "3", "2", "NULL");
    assertThat(db.rows(sql + "?", "y")).hasSize(4);
    assertThat(db.state(sql + "'x'")).isEqualTo("22012");
    assertThat(db.rows(sql + "?", (Object) null)).isEmpty();
  }

  static LongStream seeds() {
    return RandomSeeds.of(10);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void unionsHaveTheRowsThatTheyHaveWhenAllIsRun(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 6; i++) {
      String sql = query(random);
      int count = (int) sql.chars().filter(c -> c == '?').count();
      List<@Nullable Object> values = new ArrayList<>();
      for (int p = 0; p < count; p++) {
        values.add(
            random.nextInt(8) == 0 ? null : String.valueOf((char) ('x' + random.nextInt(3))));
      }
      @Nullable Object[] bound = values.toArray();
      assertThat(db.rows(sql, bound).stream().sorted())
          .as("seed %d: %s with %s", seed, sql, values)
          .containsExactlyElementsOf(db.bridgeRows(sql, bound).stream().sorted().toList());
    }
  }

  private static String query(Random random) {
    String left = union(random);
    return switch (random.nextInt(4)) {
      case 0 -> "SELECT COUNT(*), SUM(n), MIN(k) FROM " + left + " WHERE " + conditions(random);
      case 1 ->
          "SELECT v.k, v.n, w.k, w.n FROM (SELECT * FROM "
              + left
              + " WHERE "
              + conditions(random)
              + ") v JOIN (SELECT * FROM "
              + union(random)
              + " WHERE "
              + conditions(random)
              + ") w ON v.x = w.x";
      default -> "SELECT k, x, n FROM " + left + " WHERE " + conditions(random);
    };
  }

  private static String conditions(Random random) {
    String first = pick(random, CONDITIONS);
    return random.nextInt(3) == 0 ? first + " AND " + pick(random, CONDITIONS) : first;
  }

  private static String union(Random random) {
    StringBuilder union = new StringBuilder("(").append(pick(random, BRANCHES));
    for (int more = random.nextInt(3); more >= 0; more--) {
      union
          .append(random.nextInt(3) > 0 ? " UNION ALL " : pick(random, SET_OPERATIONS))
          .append(pick(random, BRANCHES));
    }
    return union.append(") AS b (k, x, n)").toString();
  }

  private static final List<String> SET_OPERATIONS = List.of(" UNION ", " INTERSECT ", " EXCEPT ");

  private static String pick(Random random, List<String> all) {
    return all.get(random.nextInt(all.size()));
  }
}
