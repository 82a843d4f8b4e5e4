package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Keys and indexes over REAL and DOUBLE: a table with them answers as one without, and two values
 * are one key where they are equal.
 */
class FloatKeysTest {
  private static final @Nullable Double[] VALUES = {
    Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 0.0, 1.5, -1.5, 3.0, null
  };
  private static final String[] OPERATORS = {"<", "<=", "=", "<>", ">=", ">"};
  private static final int ROWS = 700;

  private final long seed = Long.getLong("gpdb.seed", 20261126L);
  private final Random random = new Random(seed);

  @ParameterizedTest
  @ValueSource(strings = {"DOUBLE", "REAL"})
  void anIndexedTableAnswersAsOneWithout(String type) {
    try (EndToEnd db = new EndToEnd()) {
      db.script(
          "CREATE TABLE t (i INTEGER PRIMARY KEY, d %s, g INTEGER)".formatted(type),
          "CREATE TABLE u (i INTEGER PRIMARY KEY, d %s, g INTEGER)".formatted(type),
          "CREATE INDEX t_d ON t (d)",
          "CREATE INDEX t_gd ON t (g, d DESC)");
      for (int i = 0; i < ROWS; i++) {
        change(
            db, type, "INSERT INTO %s VALUES (?, CAST(? AS %s), ?)", i, value(), random.nextInt(4));
      }
      for (int i = 0; i < 40; i++) {
        int row = random.nextInt(ROWS);
        change(db, type, "UPDATE %s SET d = CAST(? AS %s) WHERE i = ?", value(), row);
        change(db, type, "DELETE FROM %s WHERE i = ?", random.nextInt(ROWS));
      }
      for (Double value : VALUES) {
        String given = text(value, type);
        for (String operator : OPERATORS) {
          same(db, "SELECT i FROM %s WHERE d " + operator + " " + given + " ORDER BY i");
          same(db, "SELECT i FROM %s WHERE g = 1 AND d " + operator + " " + given + " ORDER BY i");
        }
        same(db, "SELECT i FROM %s WHERE d IN (" + given + ", 1.5) AND g < 2 ORDER BY i");
        same(db, "SELECT d FROM %s WHERE g = 2 AND d > " + given + " ORDER BY d, i LIMIT 7");
        same(db, "SELECT MIN(d), MAX(d) FROM %s WHERE d < " + given);
      }
      same(db, "SELECT MIN(d), MAX(d) FROM %s WHERE g = 3");
      same(db, "SELECT i FROM %s WHERE d IS NULL ORDER BY i");
      same(db, "SELECT COUNT(*) FROM %s a JOIN %<s b ON a.d = b.d AND a.g = 1 AND b.g = 2");
    }
  }

  private static void change(EndToEnd db, String type, String sql, @Nullable Object... parameters) {
    db.run(sql.formatted("t", type), parameters);
    db.run(sql.formatted("u", type), parameters);
  }

  private void same(EndToEnd db, String sql) {
    List<String> expected = new ArrayList<>();
    // an index may find the other one of two zeros first
    db.rows(sql.formatted("u")).forEach(row -> expected.add(row.replace("-0.0", "0.0")));
    assertThat(db.rows(sql.formatted("t")).stream().map(row -> row.replace("-0.0", "0.0")))
        .as("%s, seed=%d", sql, seed)
        .containsExactlyElementsOf(expected);
  }

  private @Nullable Double value() {
    return VALUES[random.nextInt(VALUES.length)];
  }

  private static String text(@Nullable Double value, String type) {
    return "CAST(%s AS %s)".formatted(value == null ? "NULL" : "'" + value + "'", type);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE t (d DOUBLE UNIQUE, i INTEGER)",
        "CREATE TABLE t (d REAL UNIQUE, i INTEGER)",
        "CREATE TABLE t (d DOUBLE, g INTEGER DEFAULT 1, i INTEGER, UNIQUE (g, d))",
        "CREATE TABLE t (d DOUBLE, i INTEGER) | CREATE UNIQUE INDEX t_d ON t (d)",
        "CREATE TABLE t (d REAL, i INTEGER) | ALTER TABLE t ADD UNIQUE (d)",
      })
  void equalValuesAreOneKey(String definition) {
    try (EndToEnd db = new EndToEnd()) {
      db.script(definition.split(" \\| "));
      String type = definition.contains("REAL") ? "REAL" : "DOUBLE";
      TreeMap<Double, Integer> model = new TreeMap<>();
      for (int i = 0; i < 60; i++) {
        Double value = value();
        if (value == null) {
          continue;
        }
        double key = value + 0.0;
        String sql = "INSERT INTO t (d, i) VALUES (%s, %d)".formatted(text(value, type), i);
        if (model.containsKey(key)) {
          if (random.nextBoolean()) {
            assertThat(db.state(sql)).as("%s, seed=%d", sql, seed).isEqualTo("23505");
          } else if (definition.contains("g INTEGER") || definition.contains("INDEX")) {
            db.run("DELETE FROM t WHERE d = " + text(value, type));
            model.remove(key);
          } else {
            db.run(sql + " ON CONFLICT (d) DO UPDATE SET i = excluded.i");
            model.put(key, i);
          }
        } else {
          db.run(sql);
          model.put(key, i);
        }
      }
      List<String> expected = model.values().stream().map(String::valueOf).toList();
      assertThat(db.rows("SELECT i FROM t ORDER BY d"))
          .as("seed=%d", seed)
          .containsExactlyElementsOf(expected);
      assertThat(db.state("INSERT INTO t (d) VALUES (7), (-7), (7)")).isEqualTo("23505");
      assertThat(db.state("INSERT INTO t (d) VALUES (CAST('-0.0' AS DOUBLE)), (0e0)"))
          .isEqualTo("23505");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DOUBLE", "REAL"})
  void aBuildFindsEqualValues(String type) {
    try (EndToEnd db = new EndToEnd()) {
      db.script(
          "CREATE TABLE t (d %s)".formatted(type),
          "INSERT INTO t VALUES (%s), (%s)".formatted(text(0.0, type), text(-0.0, type)));
      assertThat(db.state("CREATE UNIQUE INDEX t_d ON t (d)")).isEqualTo("23505");
      assertThat(db.state("ALTER TABLE t ADD PRIMARY KEY (d)")).isEqualTo("23505");
      assertThat(db.state("CREATE INDEX t_h ON t (d) USING HASH")).isEqualTo("0A000");
      db.run("CREATE INDEX t_d ON t (d)");
      assertThat(db.rows("SELECT COUNT(*) FROM t WHERE d = " + text(-0.0, type)))
          .containsExactly("2");
    }
  }
}
