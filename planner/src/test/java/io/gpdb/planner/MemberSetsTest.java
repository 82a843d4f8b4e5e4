package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * IN and quantified comparisons where a row need not ask for them (below OR, in SELECT lists, in
 * CASE) are those of H2, whatever is NULL, and read their query once for all rows. {@code
 * -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class MemberSetsTest {
  private static final int ROUNDS = 4;
  private static final int QUERIES = 10;
  private static final List<String> COLUMNS = List.of("n", "m", "d", "s", "c", "w", "y");

  private static String value(Random random, String column, int values, boolean nulls) {
    if (nulls && random.nextInt(8) == 0) {
      return "NULL";
    }
    int some = random.nextInt(values);
    return switch (column) {
      case "d" -> some + ".50";
      case "s", "c" -> "'" + (char) ('a' + some % 26) + " b".substring(0, some % 3) + "'";
      case "w" -> "12345678901234567890" + some + ".5";
      case "y" -> "DATE '2024-01-" + (10 + some % 20) + "'";
      default -> "" + some;
    };
  }

  private static void fill(EndToEnd db, OtherEngine h2, Random random) throws SQLException {
    for (String table : List.of("t", "r")) {
      String create =
          "CREATE TABLE "
              + table
              + " (id INTEGER, n INTEGER, m BIGINT, d DECIMAL(9, 2),"
              + " s VARCHAR(5), c CHAR(4), w DECIMAL(30, 2), y DATE)";
      db.run(create);
      h2.run(create);
      int rows = List.of(0, 1, 30, 300).get(random.nextInt(table.equals("t") ? 4 : 3));
      boolean nulls = random.nextBoolean();
      int values = 1 + random.nextInt(40);
      StringBuilder insert = new StringBuilder("INSERT INTO " + table + " VALUES ");
      for (int i = 0; i < rows; i++) {
        insert.append(i == 0 ? "(" : ", (").append(i);
        for (String column : COLUMNS) {
          insert.append(", ").append(value(random, column, values, nulls));
        }
        insert.append(")");
      }
      if (rows > 0) {
        db.run(insert.toString());
        h2.run(insert.toString());
      }
    }
  }

  private static String query(Random random) {
    String column = COLUMNS.get(random.nextInt(COLUMNS.size()));
    String other =
        switch (random.nextInt(6)) {
          case 0 -> column.equals("s") ? "c" : column.equals("n") ? "m" : column;
          case 1 -> column.equals("n") ? "n + 1" : column;
          default -> column;
        };
    String where =
        switch (random.nextInt(5)) {
          case 0 -> " WHERE r.id > 3";
          case 1 -> " WHERE r." + column + " IS NOT NULL";
          case 2 -> " WHERE r.n = t.n";
          default -> "";
        };
    String rows = "(SELECT " + other.replaceAll("^([a-z])", "r.$1") + " FROM r" + where + ")";
    String member =
        "t."
            + column
            + List.of(" IN ", " NOT IN ", " = ANY ", " <> ALL ", " < ANY ", " >= ALL ")
                .get(random.nextInt(6))
            + rows;
    return switch (random.nextInt(4)) {
      case 0 -> "SELECT t.id, " + member + " FROM t";
      case 1 -> "SELECT t.id FROM t WHERE CASE WHEN t.id > 4 THEN " + member + " ELSE TRUE END";
      case 2 -> "SELECT t.id FROM t WHERE t.id = 1 OR (" + member + ") IS NULL";
      default -> "SELECT t.id FROM t WHERE t.id = 2 OR " + member;
    };
  }

  @Test
  void theyAreThoseOfH2() {
    RandomSeeds.besideH2(
        ROUNDS,
        "members",
        (seed, db, h2) -> {
          Random random = new Random(seed);
          fill(db, h2, random);
          for (int i = 0; i < QUERIES; i++) {
            String sql = query(random);
            String replay = "-Dgpdb.seed=" + seed + ": " + sql;
            List<String> others = h2.rows(sql);
            assertThat(others).as(replay).isNotNull();
            assertThat(told(db.rows(sql))).as(replay).isEqualTo(told(others));
          }
        });
  }

  private static String told(List<String> rows) {
    return rows.stream().map(row -> row.toUpperCase(Locale.ROOT)).sorted().toList().toString();
  }

  @Test
  void aQueryIsReadOnceForAllRows() {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t (id INTEGER, s VARCHAR(5), c CHAR(4), f DOUBLE)");
      String once = "for all of them at once";
      for (String column : List.of("id", "s", "c")) {
        String sql = "EXPLAIN SELECT * FROM t WHERE id = 1 OR " + column + " IN (SELECT ";
        assertThat(String.join("\n", db.rows(sql + column + " FROM t)"))).contains(once);
      }
      // of two lengths or floats, where other bits are equal
      for (String member : List.of("c IN (SELECT s FROM t)", "f IN (SELECT f FROM t)")) {
        String sql = "EXPLAIN SELECT * FROM t WHERE id = 1 OR " + member;
        assertThat(String.join("\n", db.rows(sql))).doesNotContain(once);
      }
    }
  }
}
