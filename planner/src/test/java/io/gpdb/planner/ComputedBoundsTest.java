package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Joins whose conditions compare a field of one input with what is computed of the other return the
 * rows, and raise the errors, that all pairs under the same conditions do. {@code -Dgpdb.seed=S}
 * replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class ComputedBoundsTest {
  private static final int QUERIES = 40;
  private static final int[] ROW_COUNTS = {0, 1, 9, 33, 150, 400};
  private static final List<String> FIELDS = List.of("s", "i", "g", "n", "m", "d", "t", "z");

  /** Values at the ends of their types. */
  private static final Map<String, List<String>> ENDS =
      Map.of(
          "s", List.of("32767", "-32768"),
          "i", List.of("2147483647", "-2147483648", "2147483642", "-2147483643"),
          "g", List.of("9223372036854775807", "-9223372036854775808"),
          "n", List.of("9999999.99", "-9999999.99"),
          "m", List.of("9999999999999999.99", "-9999999999999999.99"),
          "d", List.of("1E308", "-1E308"),
          "t", List.of("DATE '9999-12-31'", "DATE '0001-01-01'", "DATE '9999-11-30'"),
          "z", List.of("TIMESTAMP '9999-12-31 23:59:59'", "TIMESTAMP '0001-01-01 00:00:00'"));

  private static final List<String> FORMS =
      List.of(
          "SELECT a.id, b.id, b.i FROM a, b WHERE %s",
          "SELECT a.id, b.id FROM b JOIN a ON %s",
          "SELECT a.id, b.id, a.d FROM a LEFT JOIN b ON %s",
          "SELECT a.id, b.id FROM a RIGHT JOIN b ON %s",
          "SELECT a.id, b.id FROM a FULL JOIN b ON %s",
          "SELECT a.id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE %s)",
          "SELECT a.id FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE %s)",
          "SELECT a.id, COUNT(*) FROM a, b WHERE %s GROUP BY a.id",
          "SELECT a.id, b.id, c.i FROM a, b, c WHERE c.id = a.id AND %s",
          "SELECT a.id, b.id, c.i FROM c, a, b WHERE c.i = b.i AND c.id > 3 AND %s",
          "SELECT a.id, b.id, c.i FROM a JOIN b ON %s LEFT JOIN c ON c.id = b.id",
          "SELECT a.id, b.id FROM a, b WHERE %s AND a.id IN (SELECT c.id FROM c WHERE c.i > 0)",
          "SELECT id, j FROM (SELECT a.id, b.id AS j FROM a, (SELECT * FROM b WHERE id > 2) AS b"
              + " WHERE %s) AS x WHERE j < 100",
          "SELECT c.i, x.n FROM c, (SELECT a.id, COUNT(*) AS n FROM a, b WHERE %s GROUP BY a.id)"
              + " AS x WHERE c.id = x.id");

  private Random random = new Random(0);

  @Test
  void pairsInRangesAreThoseOfAllPairs() {
    RandomSeeds.of(3).forEach(this::round);
  }

  /** The range is what keeps a billion pairs from being made. */
  @Test
  void manyMomentsAreFoundInManyHours() {
    try (EndToEnd db = new EndToEnd()) {
      db.script(
          "CREATE TABLE p (t TIMESTAMP)",
          "CREATE TABLE q (t TIMESTAMP)",
          "INSERT INTO p SELECT TIMESTAMP '2020-01-01 00:00:00' + MOD(n * 7919, 100003) * INTERVAL"
              + " '1' MINUTE FROM generate_series(1, 30000) AS s(n)",
          "INSERT INTO q SELECT TIMESTAMP '2020-01-01 00:00:00' + n * INTERVAL '100' MINUTE"
              + " FROM generate_series(0, 999) AS s(n)");
      String join = " FROM p, q WHERE p.t BETWEEN q.t AND q.t + INTERVAL '1' HOUR";
      assertThat(db.plan("SELECT COUNT(*)" + join)).contains("pairs with T <= +(T, ");
      int values = 0;
      for (long n = 1; n <= 30_000; n++) {
        long minute = n * 7919 % 100_003;
        values += minute < 100_000 && minute % 100 <= 60 ? 1 : 0;
      }
      assertThat(db.rows("SELECT COUNT(*)" + join)).containsExactly(String.valueOf(values));
      assertThat(
              db.rows(
                  "SELECT COUNT(*) FROM q LEFT JOIN p ON p.t >= q.t AND p.t - INTERVAL '1'"
                      + " HOUR <= q.t"))
          .containsExactly(String.valueOf(values));
    }
  }

  /** As a semijoin's condition, and where another table's rows are joined by a key. */
  @Test
  void boundsReachJoinsBelowOthers() {
    try (EndToEnd db = new EndToEnd()) {
      db.script(
          "CREATE TABLE a (id INTEGER, x INTEGER)",
          "CREATE TABLE b (id INTEGER, x INTEGER)",
          "CREATE TABLE c (id INTEGER, y INTEGER)",
          "INSERT INTO a SELECT n, n * 3 FROM generate_series(1, 50) AS s(n)",
          "INSERT INTO b SELECT n, n * 2 FROM generate_series(1, 50) AS s(n)",
          "INSERT INTO c SELECT n, 2147483600 FROM generate_series(1, 50) AS s(n)");
      String joined =
          "SELECT COUNT(*) FROM a, b, c WHERE c.id = a.id AND b.x BETWEEN a.x - 2 AND a.x + 2";
      assertThat(db.plan(joined)).contains("pairs with ");
      int pairs = 0;
      for (int n = 1; n <= 50; n++) {
        for (int k = 1; k <= 50; k++) {
          pairs += Math.abs(k * 2 - n * 3) <= 2 ? 1 : 0;
        }
      }
      assertThat(db.rows(joined)).containsExactly(String.valueOf(pairs));
      assertThat(db.state("SELECT COUNT(*) FROM b, c WHERE b.x >= c.y + 48")).isEqualTo("22003");
      assertThat(db.rows("SELECT COUNT(*) FROM b, c WHERE b.x >= c.y + 47")).containsExactly("0");
    }
  }

  private void round(long seed) {
    random = new Random(seed);
    try (EndToEnd db = new EndToEnd()) {
      boolean hasEnds = random.nextBoolean();
      for (String table : List.of("a", "b", "c")) {
        db.run(
            "CREATE TABLE "
                + table
                + " (id INTEGER, s SMALLINT, i INTEGER, g BIGINT, n DECIMAL(9, 2), m DECIMAL(18,"
                + " 2), d DOUBLE, t DATE, z TIMESTAMP)");
        int rows = ROW_COUNTS[random.nextInt(ROW_COUNTS.length)];
        for (int first = 0; first < rows; first += 100) {
          List<String> values = new ArrayList<>();
          for (int row = first; row < Math.min(rows, first + 100); row++) {
            values.add(row(row, rows, hasEnds && random.nextInt(20) == 0));
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

  private String row(int row, int rows, boolean atEnds) {
    List<String> values = new ArrayList<>(List.of(String.valueOf(row)));
    for (String field : FIELDS) {
      int v = random.nextInt(rows) - rows / 3;
      String value =
          switch (field) {
            case "n", "m" -> v + "." + random.nextInt(100);
            case "d" -> v + ".5E0";
            case "t" -> "DATE '2020-01-01' + INTERVAL '" + (v + rows) + "' DAY(4)";
            case "z" -> "TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '" + (v + rows) + "' SECOND(5)";
            default -> String.valueOf(v);
          };
      if (atEnds && random.nextBoolean()) {
        value = one(ENDS.get(field));
      }
      values.add(random.nextInt(9) == 0 ? "NULL" : value);
    }
    return "(" + String.join(", ", values) + ")";
  }

  /** Whether pairs are found by ranges. */
  private boolean query(EndToEnd db, long seed) {
    List<String> plain = new ArrayList<>();
    List<String> disguised = new ArrayList<>();
    String field = one(FIELDS);
    boolean ofLeft = random.nextBoolean();
    boolean between = random.nextBoolean();
    String x = (ofLeft ? "b." : "a.") + like(field);
    String bound = (ofLeft ? "a." : "b.") + field;
    String computed = computed(bound, field);
    String sign = one(List.of("<", "<=", ">", ">="));
    plain.add(random.nextBoolean() ? x + " " + sign + " " + computed : computed + " " + sign + x);
    if (between) {
      String other = sign.startsWith("<") == plain.getFirst().startsWith(x) ? " >= " : " <= ";
      plain.add(x + other + bound);
    }
    for (String comparison : plain) {
      disguised.add("(" + comparison + ") IS NOT FALSE");
    }
    // What is compared with NULL may be computed or not.
    String table = bound.substring(0, 2);
    for (String present : List.of(x, bound, table + "i")) {
      plain.add(present + " IS NOT NULL");
      disguised.add(present + " IS NOT NULL");
    }
    String form = one(FORMS);
    String sql = form.formatted(String.join(" AND ", plain));
    String all = form.formatted(String.join(" AND ", disguised));
    String plan = db.plan(sql);
    assertThat(db.plan(all)).as(all).doesNotContain("pairs with ");
    List<String> expected = answer(db, db.engine, all);
    assertThat(answer(db, db.engine, sql)).as("seed %d: %s", seed, sql).isEqualTo(expected);
    assertThat(answer(db, db.unshared, sql))
        .as("seed %d, few rows on the host: %s", seed, sql)
        .isEqualTo(expected);
    return plan.contains("pairs with ");
  }

  /** The rows in some order, or the error. */
  private static List<String> answer(EndToEnd db, QueryEngine engine, String sql) {
    Transaction tx = db.begin();
    try {
      return EndToEnd.rows(engine, tx, sql).stream().sorted().toList();
    } catch (GpdbException e) {
      return List.of("error " + e.sqlState());
    } finally {
      tx.rollback();
    }
  }

  private String computed(String value, String field) {
    int n = 1 + random.nextInt(9);
    String table = value.substring(0, 2);
    String sign = random.nextBoolean() ? " + " : " - ";
    return switch (field) {
      case "t", "z" ->
          value
              + sign
              + "INTERVAL '"
              + n
              + "' "
              + one(
                  field.equals("t")
                      ? List.of("DAY", "MONTH", "YEAR")
                      : List.of("SECOND", "MINUTE", "HOUR", "DAY", "MONTH"));
      case "d" -> value + sign + n + "E0";
      default ->
          switch (random.nextInt(5)) {
            case 0 -> n + sign + value;
            case 1 -> value + sign + table + "i";
            case 2 -> "(" + value + sign + n + ") - 2";
            case 3 -> field.equals("m") ? value + sign + n + ".25" : value + sign + value;
            default -> value + sign + n;
          };
    };
  }

  private String one(List<String> list) {
    return list.get(random.nextInt(list.size()));
  }

  /** A field that is compared with values of this one. */
  private String like(String field) {
    return switch (field) {
      case "s", "i", "g" -> one(List.of("s", "i", "g"));
      case "n", "m" -> one(List.of("n", "m"));
      default -> field;
    };
  }
}
