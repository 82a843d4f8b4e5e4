package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Outer, full, semi and anti joins by conditions of all shapes return what plain loops return.
 * {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OuterJoinsTest {
  private static final int ROUNDS = 2;
  private static final int[] ROW_COUNTS = {0, 1, 3, 33, 40, 130};

  private final EndToEnd db = new EndToEnd();

  /** A row of either table. */
  private record Row(int id, @Nullable Integer k, @Nullable String s) {
    String sql() {
      return "(" + id + ", " + k + ", " + (s == null ? "NULL" : "'" + s + "'") + ")";
    }
  }

  /** A condition as SQL and as a claim of two rows; NULL is false. */
  private record Condition(String sql, Matching matching) {}

  @FunctionalInterface
  private interface Matching {
    boolean areMatching(Row a, Row b);
  }

  private static final List<Condition> CONDITIONS =
      List.of(
          new Condition("TRUE", (a, b) -> true),
          new Condition("FALSE", (a, b) -> false),
          new Condition("a.k = b.k", (a, b) -> areEqual(a.k, b.k)),
          new Condition("a.k < b.k", (a, b) -> isLess(a.k, b.k)),
          new Condition("a.k = b.k AND a.id < b.id", (a, b) -> areEqual(a.k, b.k) && a.id < b.id),
          new Condition("a.k = b.k AND a.s = 'x'", (a, b) -> areEqual(a.k, b.k) && "x".equals(a.s)),
          new Condition("a.k = b.k AND b.s = 'x'", (a, b) -> areEqual(a.k, b.k) && "x".equals(b.s)),
          new Condition(
              "a.k = b.k OR a.s = b.s", (a, b) -> areEqual(a.k, b.k) || areEqual(a.s, b.s)),
          new Condition(
              "a.s = b.s AND a.k + 1 > b.k",
              (a, b) -> areEqual(a.s, b.s) && a.k != null && b.k != null && a.k + 1 > b.k),
          new Condition(
              "a.s || b.s LIKE '%xy%'",
              (a, b) -> a.s != null && b.s != null && (a.s + b.s).contains("xy")),
          new Condition("a.k IS NULL", (a, b) -> a.k == null),
          new Condition("b.k IS NULL AND a.id = b.id", (a, b) -> b.k == null && a.id == b.id));

  private static boolean areEqual(@Nullable Object a, @Nullable Object b) {
    return a != null && Objects.equals(a, b);
  }

  private static boolean isLess(@Nullable Integer a, @Nullable Integer b) {
    return a != null && b != null && a < b;
  }

  @BeforeAll
  void tables() {
    db.run("CREATE TABLE a (id INTEGER, k INTEGER, s VARCHAR(3))");
    db.run("CREATE TABLE b (id INTEGER, k INTEGER, s VARCHAR(3))");
  }

  @AfterAll
  void close() {
    db.close();
  }

  /** A condition above that no NULL passes leaves none of the rows without a partner. */
  @Test
  void conditionsThatNoNullPassesMakeOuterJoinsInner() {
    String from = "SELECT COUNT(*) FROM a %s JOIN b ON a.k = b.k WHERE ";
    assertThat(db.plan(from.formatted("LEFT") + "b.id > 1")).contains("inner join on K = K");
    assertThat(db.plan(from.formatted("RIGHT") + "a.id > 1")).contains("inner join on K = K");
    assertThat(db.plan(from.formatted("FULL") + "a.id > b.id")).contains("inner join on K = K");
    assertThat(db.plan(from.formatted("FULL") + "b.id > 1")).contains("left join on K = K");
    assertThat(db.plan(from.formatted("LEFT") + "a.id > 1")).contains("left join on K = K");
    assertThat(db.plan(from.formatted("LEFT") + "b.id IS NULL")).contains("left join on K = K");
    assertThat(db.plan(from.formatted("LEFT") + "COALESCE(b.id, 2) > 1"))
        .contains("left join on K = K");
  }

  @Test
  void joinsByAnyConditionReturnWhatPlainLoopsReturn() {
    List<String> problems = new ArrayList<>();
    RandomSeeds.of(ROUNDS).forEach(seed -> round(seed, problems));
    assertThat(problems).isEmpty();
  }

  private void round(long seed, List<String> problems) {
    Random random = new Random(seed);
    List<Row> as = filled(random, "a");
    List<Row> bs = filled(random, "b");
    for (Condition condition : CONDITIONS) {
      for (String kind : List.of("LEFT", "RIGHT", "FULL")) {
        compare(
            seed,
            "SELECT a.id, a.s, b.id, b.s FROM a " + kind + " JOIN b ON " + condition.sql,
            outer(as, bs, condition.matching, kind),
            problems);
      }
      for (boolean exists : List.of(true, false)) {
        List<String> rows = new ArrayList<>();
        for (Row a : as) {
          if (bs.stream().anyMatch(b -> condition.matching.areMatching(a, b)) == exists) {
            rows.add(a.id + "|" + text(a.s));
          }
        }
        compare(
            seed,
            "SELECT id, s FROM a WHERE "
                + (exists ? "" : "NOT ")
                + "EXISTS (SELECT * FROM b WHERE "
                + condition.sql
                + ")",
            rows,
            problems);
      }
    }
  }

  private List<Row> filled(Random random, String table) {
    db.run("DELETE FROM " + table);
    List<Row> rows = new ArrayList<>();
    int count = ROW_COUNTS[random.nextInt(ROW_COUNTS.length)];
    for (int id = 0; id < count; id++) {
      rows.add(
          new Row(
              id,
              random.nextInt(5) == 0 ? null : random.nextInt(12),
              random.nextInt(5) == 0 ? null : List.of("x", "y", "xy", "").get(random.nextInt(4))));
    }
    if (count > 0) {
      db.run(
          "INSERT INTO "
              + table
              + " VALUES "
              + String.join(", ", rows.stream().map(Row::sql).toList()));
    }
    return rows;
  }

  private static List<String> outer(List<Row> as, List<Row> bs, Matching condition, String kind) {
    List<String> rows = new ArrayList<>();
    for (Row a : as) {
      for (Row b : bs) {
        if (condition.areMatching(a, b)) {
          rows.add(text(a) + "|" + text(b));
        }
      }
      if (!kind.equals("RIGHT") && bs.stream().noneMatch(b -> condition.areMatching(a, b))) {
        rows.add(text(a) + "|NULL|NULL");
      }
    }
    for (Row b : bs) {
      if (!kind.equals("LEFT") && as.stream().noneMatch(a -> condition.areMatching(a, b))) {
        rows.add("NULL|NULL|" + text(b));
      }
    }
    return rows;
  }

  private static String text(Row row) {
    return row.id + "|" + text(row.s);
  }

  private static String text(@Nullable String value) {
    return value == null ? "NULL" : value;
  }

  private void compare(long seed, String sql, List<String> expected, List<String> problems) {
    List<String> found = new ArrayList<>(db.rows(sql));
    List<String> wanted = new ArrayList<>(expected);
    found.sort(null);
    wanted.sort(null);
    if (!found.equals(wanted)) {
      problems.add("-Dgpdb.seed=" + seed + ": " + sql + "\n  " + found + "\n  not " + wanted);
    }
  }

  @Test
  void noConditionNeedsTheBridge() {
    for (Condition condition : CONDITIONS) {
      for (String kind : List.of("LEFT", "FULL")) {
        String sql = "EXPLAIN SELECT * FROM a " + kind + " JOIN b ON " + condition.sql;
        assertThat(db.rows(sql).toString()).doesNotContain("Calcite");
      }
    }
  }

  @Test
  void aQueryThatMayFailIsRunOnlyForRowsThatAskForIt() {
    db.run("DELETE FROM a");
    db.run("DELETE FROM b");
    db.run("INSERT INTO b VALUES (0, 1, 'x')");
    String sql = "SELECT a.id FROM a LEFT JOIN (SELECT 1 / id AS n FROM b) AS q ON a.k < q.n";
    assertThat(db.rows(sql)).isEmpty();
    db.run("INSERT INTO a VALUES (1, 1, 'y')");
    assertThat(db.state(sql)).isEqualTo("22012");
  }
}
