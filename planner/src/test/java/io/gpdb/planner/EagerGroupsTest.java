package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Groups over a join of which one side is grouped by the join's keys first are those of H2. {@code
 * -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class EagerGroupsTest {
  private static final int ROUNDS = 3;
  private static final int QUERIES = 12;
  private static final int[] FEW_ROWS = {0, 1, 30, 400};
  private static final int[] MANY_ROWS = {0, 5, 900, 2500};

  /** The texts of keys: NULLs, keys that one side alone has, keys of two fields. */
  private static final List<String> CONDITIONS =
      List.of("l.k = r.k", "l.k = r.w", "l.k = r.k AND l.s = r.s", "l.s = r.s", "l.w = r.w");

  private static String call(Random random, String side) {
    String field = side + "." + List.of("n", "k", "s", "d", "w").get(random.nextInt(5));
    boolean text = field.endsWith("s");
    return switch (random.nextInt(8)) {
      case 0, 1 -> "COUNT(*)";
      case 2, 3 -> "COUNT(" + field + ")";
      case 4 -> "MIN(" + field + ")";
      case 5 -> "MAX(" + field + ")";
      case 6 -> text ? "COUNT(" + field + ")" : "SUM(" + field + ")";
      default -> "SUM(" + side + ".d)";
    };
  }

  /** Mostly calls of one side over groups of the other, as what is grouped first must be. */
  private static String query(Random random) {
    String grouped = random.nextInt(4) == 0 ? "l" : "r";
    String other = grouped.equals("r") ? "l" : "r";
    List<String> keys = new ArrayList<>();
    for (int i = random.nextInt(2); i >= 0; i--) {
      keys.add(other + "." + List.of("n", "k", "s", "d").get(random.nextInt(4)));
    }
    List<String> calls = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      calls.add(call(random, random.nextInt(12) == 0 ? other : grouped));
    }
    String join = random.nextBoolean() ? " LEFT JOIN " : " JOIN ";
    String where =
        switch (random.nextInt(6)) {
          case 0 -> " WHERE r.n > 0";
          case 1 -> " WHERE l.n < 20";
          default -> "";
        };
    String having =
        switch (random.nextInt(6)) {
          case 0 -> " HAVING COUNT(*) > 4";
          case 1 -> " HAVING SUM(" + grouped + ".d) < 100";
          default -> "";
        };
    return "SELECT "
        + String.join(", ", keys)
        + ", "
        + String.join(", ", calls)
        + " FROM l"
        + join
        + "r ON "
        + CONDITIONS.get(random.nextInt(CONDITIONS.size()))
        + where
        + " GROUP BY "
        + String.join(", ", keys)
        + having;
  }

  private static void fill(EndToEnd db, OtherEngine h2, Random random) throws SQLException {
    for (String name : List.of("l", "r")) {
      String create =
          "CREATE TABLE "
              + name
              + " (k INTEGER, n SMALLINT, d DECIMAL(7, 2), w BIGINT, s VARCHAR(2))";
      db.run(create);
      h2.run(create);
      int[] counts = name.equals("l") ? FEW_ROWS : MANY_ROWS;
      int rows = counts[random.nextInt(counts.length)];
      StringBuilder values = new StringBuilder();
      for (int i = 0; i < rows; i++) {
        values
            .append(i == 0 ? "(" : ", (")
            .append(orNull(random, random.nextInt(1 + rows / 8) + (name.equals("l") ? 0 : 3)))
            .append(", ")
            .append(orNull(random, random.nextInt(60) - 30))
            .append(", ")
            .append(orNull(random, (random.nextInt(4000) - 2000) + ".25"))
            .append(", ")
            .append(orNull(random, random.nextInt(40)))
            .append(", ")
            .append(orNull(random, "'" + (char) ('a' + random.nextInt(26)) + "'"))
            .append(")");
      }
      if (rows > 0) {
        db.run("INSERT INTO " + name + " VALUES " + values);
        h2.run("INSERT INTO " + name + " VALUES " + values);
      }
    }
  }

  private static String orNull(Random random, Object value) {
    return random.nextInt(9) == 0 ? "NULL" : value.toString();
  }

  @Test
  void groupsAreThoseOfH2() {
    RandomSeeds.besideH2(
        ROUNDS,
        "eager",
        (seed, db, h2) -> {
          Random random = new Random(seed);
          fill(db, h2, random);
          if (random.nextBoolean()) {
            db.run("ANALYZE");
          }
          for (int i = 0; i < QUERIES; i++) {
            String sql = query(random);
            String replay = "-Dgpdb.seed=" + seed + ": " + sql;
            List<String> expected = h2.rows(sql);
            assertThat(expected).as(replay).isNotNull();
            assertThat(db.rows(sql)).as(replay).containsExactlyInAnyOrderElementsOf(expected);
            List<String> byHost = db.inTransaction(tx -> EndToEnd.rows(db.unshared, tx, sql));
            assertThat(byHost).as(replay).containsExactlyInAnyOrderElementsOf(expected);
          }
        });
  }

  private static int groupings(EndToEnd db, String calls, String rest) {
    String plan = String.join("\n", db.rows("EXPLAIN SELECT " + calls + " FROM " + rest));
    return plan.split("group by", -1).length - 1;
  }

  @Test
  void aSideIsGroupedFirstWhereTheGroupsAddUp() {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE l (k INTEGER, n INTEGER, x DOUBLE)");
      db.run("CREATE TABLE r (k INTEGER, m INTEGER, d DECIMAL(7, 2), w DECIMAL(18, 0), x DOUBLE)");
      db.run("INSERT INTO l SELECT MOD(n, 90), MOD(n, 7), 0 FROM GENERATE_SERIES(1, 200) AS g(n)");
      db.run(
          "INSERT INTO r SELECT MOD(n, 100), MOD(n, 7), 1.5, n, 0"
              + " FROM GENERATE_SERIES(1, 2000) AS g(n)");
      db.run("ANALYZE");
      String join = "l JOIN r ON l.k = r.k GROUP BY l.n";
      assertThat(groupings(db, "l.n, COUNT(*), SUM(m), MIN(r.x), AVG(m)", join)).isEqualTo(2);
      assertThat(groupings(db, "l.n, COUNT(m)", "l LEFT JOIN r ON l.k = r.k GROUP BY l.n"))
          .isEqualTo(2);
      assertThat(groupings(db, "COUNT(*)", "r JOIN l ON l.k = r.k GROUP BY l.n")).isEqualTo(2);
      // sums of floats follow the order of rows; parts of wide sums may leave their type
      assertThat(groupings(db, "SUM(r.x)", join)).isEqualTo(1);
      assertThat(groupings(db, "SUM(w)", join)).isEqualTo(1);
      assertThat(groupings(db, "COUNT(DISTINCT r.m)", join)).isLessThan(3);
      assertThat(groupings(db, "COUNT(*) FILTER (WHERE m > 1)", join)).isEqualTo(1);
      assertThat(groupings(db, "SUM(m + l.k)", join)).isEqualTo(1);
      assertThat(groupings(db, "COUNT(l.k)", join)).isEqualTo(1);
      assertThat(groupings(db, "COUNT(*)", "l JOIN r ON l.x = r.x GROUP BY l.n")).isEqualTo(1);
      assertThat(groupings(db, "COUNT(*)", "l JOIN r ON l.k = r.k GROUP BY l.n, r.m")).isEqualTo(1);
      assertThat(groupings(db, "COUNT(*)", "l JOIN r ON l.k = r.k AND l.n < r.m GROUP BY l.n"))
          .isEqualTo(1);
      assertThat(groupings(db, "COUNT(*)", "r LEFT JOIN l ON l.k = r.k GROUP BY l.n")).isEqualTo(1);
      // few of the rows of r have a partner: most would be grouped for nothing
      assertThat(
              groupings(
                  db, "COUNT(*)", "(SELECT * FROM l WHERE k = 3) l JOIN r ON l.k = r.k GROUP BY n"))
          .isEqualTo(1);
    }
  }
}
