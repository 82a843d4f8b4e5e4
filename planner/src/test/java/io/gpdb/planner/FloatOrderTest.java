package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Floats have one total order in kernels and through the bridge: NaN equals itself and is last. */
class FloatOrderTest {
  private static final Double[] VALUES = {
    Double.NaN, 2.0, Double.POSITIVE_INFINITY, null, -0.0, 0.0, Double.NEGATIVE_INFINITY, 3.0
  };
  private static EndToEnd db;

  @BeforeAll
  static void create() {
    db = new EndToEnd();
    db.script("CREATE TABLE t (i INTEGER, d DOUBLE, r REAL)");
    for (int i = 0; i < VALUES.length; i++) {
      String value = VALUES[i] == null ? "NULL" : "'" + VALUES[i] + "'";
      db.run(
          "INSERT INTO t VALUES (%d, CAST(%s AS DOUBLE), CAST(%s AS REAL))"
              .formatted(i, value, value));
    }
  }

  @AfterAll
  static void close() {
    db.close();
  }

  private static int order(double a, double b) {
    return a == b ? 0 : Double.compare(a, b);
  }

  @ParameterizedTest
  @ValueSource(strings = {"d", "r"})
  void comparisonsOfTwoRows(String column) {
    String[] operators = {"<", "<=", "=", "<>", ">=", ">"};
    for (String operator : operators) {
      List<String> expected = new ArrayList<>();
      for (int a = 0; a < VALUES.length; a++) {
        for (int b = 0; b < VALUES.length; b++) {
          if (VALUES[a] != null && VALUES[b] != null && holds(operator, VALUES[a], VALUES[b])) {
            expected.add(a + "|" + b);
          }
        }
      }
      String where = "x.%s %s y.%s".formatted(column, operator, column);
      for (String sql :
          List.of(
              "SELECT x.i, y.i FROM t x JOIN t y ON " + where,
              "SELECT x.i, y.i FROM t x, t y WHERE NOT (x.%s %s y.%s)"
                  .formatted(column, opposite(operator), column),
              "SELECT x.i, y.i FROM t x, t y WHERE INITCAP('a') = 'A' AND " + where)) {
        assertThat(db.rows(sql)).as(sql).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(db.bridgeRows(sql)).as(sql).containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }

  private static boolean holds(String operator, double a, double b) {
    int order = order(a, b);
    return switch (operator) {
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case "=" -> order == 0;
      case "<>" -> order != 0;
      case ">=" -> order >= 0;
      default -> order > 0;
    };
  }

  private static String opposite(String operator) {
    return switch (operator) {
      case "<" -> ">=";
      case "<=" -> ">";
      case "=" -> "<>";
      case "<>" -> "=";
      case ">=" -> "<";
      default -> "<=";
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"d", "r"})
  void leastAndGreatest(String column) {
    for (int a = 0; a < VALUES.length; a++) {
      for (int b = 0; b < VALUES.length; b++) {
        List<Double> values = new ArrayList<>();
        if (VALUES[a] != null) {
          values.add(VALUES[a]);
        }
        if (VALUES[b] != null) {
          values.add(VALUES[b]);
        }
        String expected =
            text(values.stream().min(FloatOrderTest::order).orElse(null))
                + "|"
                + text(values.stream().max(FloatOrderTest::order).orElse(null));
        String sql =
            "SELECT MIN(%s), MAX(%s) FROM t WHERE i IN (%d, %d)".formatted(column, column, a, b);
        assertThat(unsigned(db.rows(sql))).as(sql).containsExactly(expected);
        assertThat(unsigned(db.bridgeRows(sql))).as(sql).containsExactly(expected);
      }
    }
  }

  /** Which of two equal zeros is the least is open. */
  private static List<String> unsigned(List<String> rows) {
    return rows.stream().map(row -> row.replace("-0.0", "0.0")).toList();
  }

  private static String text(Double value) {
    return value == null ? "NULL" : String.valueOf(value + 0.0);
  }

  @Test
  void aResultThatIsNoNumberIsGreaterThanAll() {
    assertThat(db.rows("SELECT i FROM t WHERE i = 1 AND ASIN(d) >= 3")).containsExactly("1");
    assertThat(db.rows("SELECT i FROM t WHERE i = 1 AND NOT ASIN(d) < 3")).containsExactly("1");
    assertThat(db.rows("SELECT GREATEST(ASIN(d), 3), LEAST(ASIN(d), 3) FROM t WHERE i = 1"))
        .containsExactly("NaN|3.0");
    assertThat(db.rows("SELECT i FROM t WHERE d IS NOT NULL ORDER BY d, i"))
        .containsExactlyElementsOf(
            java.util.stream.IntStream.range(0, VALUES.length)
                .filter(i -> VALUES[i] != null)
                .boxed()
                .sorted(Comparator.comparing(i -> VALUES[i], FloatOrderTest::order))
                .map(String::valueOf)
                .toList());
  }
}
