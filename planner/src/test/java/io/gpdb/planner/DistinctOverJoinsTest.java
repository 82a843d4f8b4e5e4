package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Aggregates of all rows of a join, some of distinct values, are those of H2, and read the join
 * once where that adds up the same. {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N}
 * runs N rounds.
 */
class DistinctOverJoinsTest {
  private static final int ROUNDS = 3;
  private static final int QUERIES = 8;
  private static final int[] ROW_COUNTS = {0, 1, 40, 900};

  private static final List<String> INPUTS =
      List.of(
          "l JOIN r ON l.k = r.k",
          "l LEFT JOIN r ON l.k = r.k",
          "l JOIN r ON l.k = r.k WHERE l.n < r.m",
          "(SELECT n, w, s, d FROM l UNION ALL SELECT m, w, s, d FROM r) q");

  /** Of fields that all inputs have, by one name only. */
  private static String call(Random random, boolean joined) {
    String l = joined ? "l." : "";
    return switch (random.nextInt(9)) {
      case 0 -> "COUNT(*)";
      case 1 -> "COUNT(" + l + "s)";
      case 2 -> "SUM(" + l + "n)";
      case 3 -> "SUM(" + l + "d)";
      case 4 -> "MIN(" + l + "s)";
      case 5 -> "MAX(" + l + "w)";
      case 6 -> "SUM(" + l + "d) FILTER (WHERE " + l + "n > 0)";
      case 7 -> "COUNT(*) FILTER (WHERE " + l + "s < 'm')";
      default -> "SUM(" + l + "w)";
    };
  }

  private static String query(Random random) {
    String input = INPUTS.get(random.nextInt(INPUTS.size()));
    boolean joined = input.contains("JOIN");
    String argument = (joined ? "l." : "") + List.of("n", "s", "d", "w").get(random.nextInt(4));
    String distinct = random.nextInt(4) == 0 ? "SUM" : "COUNT";
    if (argument.endsWith("s")) {
      distinct = "COUNT";
    }
    List<String> calls = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      calls.add(call(random, joined));
    }
    calls.add(random.nextInt(calls.size() + 1), distinct + "(DISTINCT " + argument + ")");
    if (random.nextInt(5) == 0) {
      calls.add("COUNT(DISTINCT " + (joined ? "l." : "") + "s) FILTER (WHERE 1 = 1)");
    }
    return "SELECT " + String.join(", ", calls) + " FROM " + input;
  }

  private static void fill(EndToEnd db, OtherEngine h2, Random random) throws SQLException {
    for (String name : List.of("l", "r")) {
      String number = name.equals("l") ? "n" : "m";
      String create =
          "CREATE TABLE "
              + name
              + " (k INTEGER, "
              + number
              + " SMALLINT, d DECIMAL(7, 2),"
              + " w DECIMAL(15, 2), s VARCHAR(2))";
      db.run(create);
      h2.run(create);
      int rows = ROW_COUNTS[random.nextInt(ROW_COUNTS.length)];
      StringBuilder values = new StringBuilder();
      for (int i = 0; i < rows; i++) {
        values
            .append(i == 0 ? "" : ", ")
            .append("(" + random.nextInt(1 + rows / 2) + ", ")
            .append(random.nextInt(9) == 0 ? "NULL" : random.nextInt(60) - 30)
            .append(", ")
            .append(random.nextInt(9) == 0 ? "NULL" : (random.nextInt(4000) - 2000) + ".25")
            .append(", ")
            .append(random.nextInt(9) == 0 ? "NULL" : random.nextInt(90) + ".50")
            .append(
                random.nextInt(9) == 0
                    ? ", NULL)"
                    : ", '" + (char) ('a' + random.nextInt(26)) + "')");
      }
      if (rows > 0) {
        db.run("INSERT INTO " + name + " VALUES " + values);
        h2.run("INSERT INTO " + name + " VALUES " + values);
      }
    }
  }

  @Test
  void theyAreThoseOfH2() {
    RandomSeeds.besideH2(
        ROUNDS,
        "distinct",
        (seed, db, h2) -> {
          Random random = new Random(seed);
          fill(db, h2, random);
          for (int i = 0; i < QUERIES; i++) {
            String sql = query(random);
            String replay = "-Dgpdb.seed=" + seed + ": " + sql;
            List<String> expected = h2.rows(sql);
            assertThat(expected).as(replay).isNotNull();
            assertThat(db.rows(sql)).as(replay).isEqualTo(expected);
            List<String> byHost = db.inTransaction(tx -> EndToEnd.rows(db.unshared, tx, sql));
            assertThat(byHost).as("few rows by the host: " + replay).isEqualTo(expected);
          }
        });
  }

  private static int joins(EndToEnd db, String calls) {
    String plan =
        String.join("\n", db.rows("EXPLAIN SELECT " + calls + " FROM l JOIN r ON l.k = r.k"));
    return plan.split("inner join", -1).length - 1;
  }

  @Test
  void theJoinIsReadOnceWhereThatAddsUpTheSame() {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE l (k INTEGER, d DECIMAL(7, 2), w DECIMAL(18, 0), f DOUBLE, s VARCHAR)");
      db.run("CREATE TABLE r (k INTEGER)");
      db.run("INSERT INTO r VALUES (1)");
      db.run(
          "INSERT INTO l VALUES (1, 1, 900000000000000000, 1e300, 'a'),"
              + " (1, 2, -900000000000000000, 1, 'b'), (1, 3, 900000000000000000, -1e300, 'a')");
      db.run(
          "INSERT INTO l SELECT 1, n, 0, 0, CASE WHEN MOD(n, 2) = 0 THEN 'a' ELSE 'b' END"
              + " FROM GENERATE_SERIES(4, 100) AS g(n)");
      assertThat(joins(db, "SUM(d), MIN(s), COUNT(*), COUNT(DISTINCT l.k)")).isEqualTo(1);
      assertThat(joins(db, "COUNT(*), COUNT(DISTINCT s)")).isEqualTo(1);
      assertThat(joins(db, "COUNT(*), COUNT(DISTINCT d)")).isEqualTo(2);
      assertThat(joins(db, "SUM(d), COUNT(DISTINCT s), COUNT(DISTINCT l.k)")).isEqualTo(3);
      assertThat(joins(db, "SUM(d), COUNT(DISTINCT s) FILTER (WHERE d > 1)")).isEqualTo(2);
      assertThat(joins(db, "SUM(w), COUNT(DISTINCT s)")).isEqualTo(2);
      assertThat(joins(db, "SUM(f), COUNT(DISTINCT s)")).isEqualTo(2);
      // the sum of the rows with 'a' has 19 digits; floats are added in the order of rows
      assertThat(db.rows("SELECT SUM(w), COUNT(DISTINCT s) FROM l JOIN r ON l.k = r.k"))
          .containsExactly("900000000000000000|2");
      assertThat(db.rows("SELECT SUM(f), COUNT(DISTINCT s) FROM l JOIN r ON l.k = r.k"))
          .isEqualTo(db.rows("SELECT SUM(f), 2 FROM l JOIN r ON l.k = r.k"));
    }
  }
}
