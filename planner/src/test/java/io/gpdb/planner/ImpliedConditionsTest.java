package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What joins and alternatives say of single inputs is asked of these before they are joined, and
 * leaves the rows that H2 has. {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs
 * N rounds.
 */
class ImpliedConditionsTest {
  private static final int QUERIES = 25;
  private static final List<String> TABLES = List.of("a", "b", "c");
  private static final List<String> FIELDS = List.of("x", "y", "r");

  @Test
  void aComparisonWithAConstantHoldsOfAllEqualFields() {
    assertThat(plan("a.x = b.y AND b.y = c.x AND a.x < 5"))
        .contains("filter (X < 5), project (ID, X, Y, R)")
        .contains("filter (Y < 5), project (ID, X, Y, R)");
    assertThat(plan("a.x = b.y AND b.y = c.x AND a.x < 5").split("filter \\(X < 5\\)", -1))
        .hasSize(3);
  }

  @Test
  void fieldsOfOneInputThatEqualAThirdAreEqual() {
    assertThat(plan("a.x = b.y AND a.x = b.x")).containsAnyOf("filter (Y = X)", "filter (X = Y)");
  }

  @Test
  void aRowFulfilsOneOfTheAlternatives() {
    assertThat(plan("(a.x = 1 AND b.y = 2) OR (a.x = 3 AND b.y = 4)"))
        .contains("filter ((X = 1) OR (X = 3))")
        .contains("filter ((Y = 2) OR (Y = 4))");
    assertThat(plan("(a.x = 1 AND b.y = 2) OR (b.y = 4)"))
        .contains("filter ((Y = 2) OR (Y = 4))")
        .doesNotContain("filter (X = 1)");
  }

  /** Equal floats are not one value: -0 equals 0. */
  @Test
  void floatsSayNothingOfEachOther() {
    assertThat(plan("a.r = b.r AND a.r < 5e0").split("filter \\(", -1)).hasSize(2);
  }

  /** A row of an outer join may lack the other side, of which a condition would be unknown. */
  @Test
  void outerJoinsImplyNothing() {
    try (EndToEnd db = tables()) {
      assertThat(
              db.plan("SELECT * FROM a LEFT JOIN b ON a.x = b.y AND b.y < 5")
                  .split("filter \\(", -1))
          .hasSize(2);
    }
  }

  @Test
  void theRowsAreThoseOfH2() {
    List<String> problems = new ArrayList<>();
    RandomSeeds.besideH2(2, "implied", (seed, db, h2) -> round(seed, db, h2, problems));
    assertThat(problems).isEmpty();
  }

  private static String plan(String where) {
    try (EndToEnd db = tables()) {
      return db.plan(
          "SELECT COUNT(*) FROM a, b" + (where.contains("c.") ? ", c" : "") + " WHERE " + where);
    }
  }

  private static String definition(String table) {
    return "CREATE TABLE " + table + " (id INTEGER, x INTEGER, y INTEGER, r REAL)";
  }

  private static EndToEnd tables() {
    EndToEnd db = new EndToEnd();
    TABLES.forEach(table -> db.run(definition(table)));
    return db;
  }

  private static void round(long seed, EndToEnd db, OtherEngine h2, List<String> problems)
      throws SQLException {
    Random random = new Random(seed);
    for (String table : TABLES) {
      db.run(definition(table));
      h2.run(definition(table));
      int rows = random.nextInt(40);
      for (int id = 0; id < rows; id++) {
        String row =
            "(" + id + ", " + value(random) + ", " + value(random) + ", " + value(random) + ")";
        db.run("INSERT INTO " + table + " VALUES " + row);
        h2.run("INSERT INTO " + table + " VALUES " + row);
      }
    }
    for (int q = 0; q < QUERIES; q++) {
      List<String> conditions = new ArrayList<>();
      for (int i = 2 + random.nextInt(3); i > 0; i--) {
        conditions.add(random.nextInt(3) == 0 ? alternatives(random) : comparison(random));
      }
      String sql = "SELECT a.id, b.id, c.id FROM a, b, c WHERE " + String.join(" AND ", conditions);
      List<String> expected = h2.rows(sql);
      List<String> found = db.rows(sql).stream().sorted().toList();
      if (!found.equals(expected)) {
        problems.add("seed " + seed + ": " + sql + "\n  has " + found + "\n  H2 " + expected);
      }
    }
  }

  private static String value(Random random) {
    return random.nextInt(8) == 0 ? "NULL" : String.valueOf(random.nextInt(8));
  }

  private static String field(Random random) {
    return TABLES.get(random.nextInt(TABLES.size()))
        + "."
        + FIELDS.get(random.nextInt(FIELDS.size()));
  }

  private static String comparison(Random random) {
    String sign = List.of("=", "=", "<", ">=", "<>").get(random.nextInt(5));
    return random.nextInt(3) == 0
        ? field(random) + " " + sign + " " + random.nextInt(8)
        : field(random) + " = " + field(random);
  }

  private static String alternatives(Random random) {
    List<String> all = new ArrayList<>();
    for (int i = 2 + random.nextInt(2); i > 0; i--) {
      all.add("(" + comparison(random) + " AND " + comparison(random) + ")");
    }
    return "(" + String.join(" OR ", all) + ")";
  }
}
