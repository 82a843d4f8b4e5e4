package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.txn.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Joins whose conditions ask for fields in an order return the rows that all pairs under the same
 * conditions do. {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class RangeJoinsTest {
  private static final int QUERIES = 40;
  private static final int[] ROW_COUNTS = {0, 1, 9, 33, 150, 400};
  private static final List<String> FIELDS = List.of("s", "i", "g", "n", "m", "d", "r", "t", "z");

  private Random random = new Random(0);

  @Test
  void pairsInRangesAreThoseOfAllPairs() {
    RandomSeeds.of(2).forEach(this::round);
  }

  /** The range is what keeps a billion pairs from being made. */
  @Test
  void manyPointsAreFoundInManyIntervals() {
    try (EndToEnd db = new EndToEnd()) {
      db.script(
          "CREATE TABLE p (v INTEGER)",
          "CREATE TABLE q (lo INTEGER, hi INTEGER)",
          "INSERT INTO p SELECT MOD(n * 7919, 200000) FROM generate_series(1, 100000) AS s(n)",
          "INSERT INTO q SELECT n * 10, n * 10 + 4 FROM generate_series(1, 20000) AS s(n)");
      String join = " FROM p, q WHERE v BETWEEN lo AND hi";
      assertThat(db.plan("SELECT COUNT(*)" + join)).contains("pairs with V <= HI and V >= LO of");
      assertThat(db.rows("SELECT COUNT(*), COUNT(DISTINCT v)" + join)).isEqualTo(counted());
      assertThat(db.rows("SELECT COUNT(*) FROM q, p WHERE NOT (v < lo OR v > hi)"))
          .containsExactly(counted().getFirst().split("\\|", -1)[0]);
    }
  }

  private static List<String> counted() {
    boolean[] met = new boolean[200_010];
    int values = 0;
    for (long n = 1; n <= 100_000; n++) {
      int v = (int) (n * 7919 % 200_000);
      values += v >= 10 && v % 10 <= 4 ? 1 : 0;
      assertThat(met[v]).isFalse();
      met[v] = true;
    }
    return List.of(values + "|" + values);
  }

  private void round(long seed) {
    random = new Random(seed);
    try (EndToEnd db = new EndToEnd()) {
      for (String table : List.of("a", "b")) {
        db.run(
            "CREATE TABLE "
                + table
                + " (id INTEGER, s SMALLINT, i INTEGER, g BIGINT, n DECIMAL(9, 2), m DECIMAL(12,"
                + " 2), d DOUBLE, r REAL, t DATE, z TIMESTAMP)");
        int rows = ROW_COUNTS[random.nextInt(ROW_COUNTS.length)];
        for (int first = 0; first < rows; first += 100) {
          List<String> values = new ArrayList<>();
          for (int row = first; row < Math.min(rows, first + 100); row++) {
            values.add(row(row, rows));
          }
          db.run("INSERT INTO " + table + " VALUES " + String.join(", ", values));
        }
      }
      int ranges = 0;
      for (int q = 0; q < QUERIES; q++) {
        ranges += query(db, seed) ? 1 : 0;
      }
      assertThat(ranges).as("seed %d", seed).isGreaterThan(QUERIES / 3);
    }
  }

  private String row(int row, int rows) {
    List<String> values = new ArrayList<>(List.of(String.valueOf(row)));
    int range = random.nextBoolean() ? rows : 10;
    for (String field : FIELDS) {
      int v = random.nextInt(range) - range / 3;
      String value =
          switch (field) {
            case "n", "m" -> v + "." + random.nextInt(100);
            case "d", "r" ->
                random.nextInt(8) == 0
                    ? "CAST('"
                        + List.of("NaN", "-0.0", "0.0", "Infinity").get(random.nextInt(4))
                        + "' AS DOUBLE)"
                    : v + ".5E0";
            case "t" -> "DATE '2020-01-01' + INTERVAL '" + (v + rows) + "' DAY(4)";
            case "z" -> "TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '" + (v + rows) + "' SECOND(5)";
            default -> String.valueOf(v);
          };
      values.add(random.nextInt(9) == 0 ? "NULL" : value);
    }
    return "(" + String.join(", ", values) + ")";
  }

  /** Whether pairs are found by ranges. */
  private boolean query(EndToEnd db, long seed) {
    List<String> plain = new ArrayList<>();
    List<String> disguised = new ArrayList<>();
    String one = one();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      String x = "a." + (random.nextInt(3) > 0 ? one : like(one));
      String y = "b." + (random.nextInt(3) > 0 ? one : like(one));
      String sign = List.of("<", "<=", ">", ">=").get(random.nextInt(4));
      boolean isExchanged = !sign.equals("<=") && random.nextBoolean();
      String comparison = isExchanged ? y + " " + sign + " " + x : x + " " + sign + " " + y;
      String opposite = y + " < " + x + " OR " + y + " IS NULL";
      plain.add(
          sign.equals("<=") && random.nextBoolean()
              ? "NOT (" + (random.nextBoolean() ? opposite : y + " < " + x) + ")"
              : comparison);
      disguised.add("(" + comparison + ") IS NOT FALSE");
      disguised.add(x + " IS NOT NULL");
      disguised.add(y + " IS NOT NULL");
    }
    if (random.nextBoolean()) {
      String other = random.nextBoolean() ? "a.id <> b.id" : "MOD(a.id + b.id, 3) = 0";
      plain.add(other);
      disguised.add(other);
    }
    String form =
        List.of(
                "SELECT a.id, b.id, b.i FROM a, b WHERE %s",
                "SELECT a.id, b.id FROM b JOIN a ON %s",
                "SELECT a.id, b.id, a.d FROM a LEFT JOIN b ON %s",
                "SELECT a.id, b.id FROM a RIGHT JOIN b ON %s",
                "SELECT a.id, b.id FROM a FULL JOIN b ON %s",
                "SELECT a.id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE %s)",
                "SELECT a.id FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE %s)",
                "SELECT a.id, COUNT(*) FROM a, b WHERE %s GROUP BY a.id")
            .get(random.nextInt(8));
    String sql = form.formatted(String.join(" AND ", plain));
    String all = form.formatted(String.join(" AND ", disguised));
    String plan = db.plan(sql);
    assertThat(db.plan(all)).as(all).doesNotContain("pairs with ");
    Transaction tx = db.begin();
    List<String> expected = sorted(EndToEnd.rows(db.engine, tx, all));
    assertThat(sorted(EndToEnd.rows(db.engine, tx, sql)))
        .as("seed %d: %s", seed, sql)
        .isEqualTo(expected);
    assertThat(sorted(EndToEnd.rows(db.unshared, tx, sql)))
        .as("seed %d, few rows on the host: %s", seed, sql)
        .isEqualTo(expected);
    tx.rollback();
    return plan.contains("pairs with ");
  }

  private static List<String> sorted(List<String> rows) {
    return rows.stream().sorted().toList();
  }

  private String one() {
    return FIELDS.get(random.nextInt(FIELDS.size()));
  }

  /** A field that this one can be compared with. */
  private String like(String field) {
    List<String> alike =
        switch (field) {
          case "t" -> List.of("t");
          case "z" -> List.of("z");
          default -> List.of("s", "i", "g", "n", "m", "d", "r");
        };
    return alike.get(random.nextInt(alike.size()));
  }
}
