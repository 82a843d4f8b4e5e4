package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.txn.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Joins of which the scan of the streamed side leaves out rows return what the same joins do whose
 * keys are computed, where it cannot. The streamed side has several tablets, in some of which no
 * row has a partner, rows that were deleted, and NULLs.
 */
class KeyFilteredJoinsTest {
  private static final int ROWS = 140_000;

  @Test
  @Timeout(600)
  void rowsThatAreLeftOutMakeNoPair() {
    RandomSeeds.of(1).forEach(KeyFilteredJoinsTest::round);
  }

  private static void round(long seed) {
    Random random = new Random(seed);
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE big (id INT, k INT, l BIGINT, d DECIMAL(9, 2), x INT, s VARCHAR(9))");
      db.run("CREATE TABLE small (k INT, l BIGINT, d DECIMAL(9, 2), y INT)");
      String key = random.nextBoolean() ? "i / 3" : "MOD(i * 7919, 100003)";
      db.run(
          "INSERT INTO big SELECT i, CASE WHEN MOD(i, 11) = 0 THEN NULL ELSE "
              + key
              + " END, i / 5, CAST(i AS DECIMAL(9, 2)) / 4, MOD(i, 100), CASE WHEN MOD(i, 13) > 4"
              + " THEN CAST(MOD(i, 500) AS VARCHAR(9)) END FROM TABLE(GENERATE_SERIES(1, "
              + ROWS
              + ")) AS s(i)");
      db.run("DELETE FROM big WHERE MOD(id, 17) = 3");
      int first = random.nextInt(30_000);
      for (int i = 0; i < 40; i++) {
        int k = first + random.nextInt(9_000);
        String own = random.nextInt(9) == 0 ? "NULL" : "" + k;
        db.run("INSERT INTO small VALUES (" + own + ", " + k + ", " + k + ".25, " + i % 5 + ")");
      }
      db.run("UPDATE big SET x = x + 1000 WHERE MOD(id, 1000) = 7");
      Transaction older = db.begin();
      try {
        long before = Long.parseLong(db.rows(older, "SELECT COUNT(*) FROM big").getFirst());
        db.run("DELETE FROM big WHERE MOD(id, 19) = 5");
        for (String sql : queries(random)) {
          if (random.nextInt(3) == 0) {
            assertThat(sorted(db.rows(older, sql.replace("=?", " = "))))
                .as("seed %d, older: %s", seed, sql)
                .isEqualTo(sorted(db.rows(older, sql.replace("=?", " + 0 = "))));
          }
          assertThat(sorted(db.rows(sql.replace("=?", " = "))))
              .as("seed %d: %s", seed, sql)
              .isEqualTo(sorted(db.rows(sql.replace("=?", " + 0 = "))));
        }
        assertThat(db.rows(older, "SELECT COUNT(*) FROM big")).containsExactly("" + before);
      } finally {
        older.rollback();
      }
    }
  }

  private static List<String> sorted(List<String> rows) {
    return rows.stream().sorted().toList();
  }

  /** Texts in which =? compares a key of the streamed side, as it is or computed. */
  private static List<String> queries(Random random) {
    List<String> queries = new ArrayList<>();
    for (String column : List.of("k", "l", "d")) {
      String on = "b." + column + "=?s." + column;
      String two = on + " AND b.l=?s.l";
      String filter = random.nextBoolean() ? " WHERE b.x < " + random.nextInt(120) : "";
      queries.add("SELECT COUNT(*), SUM(b.x), SUM(s.y) FROM big b JOIN small s ON " + on + filter);
      queries.add("SELECT COUNT(*), SUM(b.x) FROM big b JOIN small s ON " + two + filter);
      queries.add("SELECT b.id, b.s, b.x, s.y FROM big b JOIN small s ON " + on + filter);
      queries.add(
          "SELECT s.y, COUNT(*), MIN(b.id) FROM big b JOIN small s ON " + on + " GROUP BY s.y");
      queries.add(
          "SELECT b.id FROM big b WHERE EXISTS (SELECT 1 FROM small s WHERE "
              + on
              + ") AND b.x > "
              + random.nextInt(90));
      queries.add(
          "SELECT COUNT(*), SUM(b.id) FROM big b WHERE NOT EXISTS (SELECT 1 FROM small s WHERE "
              + on
              + ")");
      queries.add("SELECT COUNT(*), COUNT(s.y) FROM big b LEFT JOIN small s ON " + on);
    }
    return queries;
  }

  @Test
  void rowsThatAreLeftOutStillRaiseErrors() {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE big (k INT, z INT)");
      db.run("CREATE TABLE small (k INT)");
      db.run(
          "INSERT INTO big SELECT i, i - 5 FROM TABLE(GENERATE_SERIES(1, " + ROWS + ")) AS s(i)");
      db.run("INSERT INTO small VALUES (100), (200)");
      String joined = "SELECT SUM(b.q) FROM (SELECT k, 100 / z AS q FROM big) b JOIN small s ON ";
      assertThat(db.state(joined + "b.k = s.k"))
          .isEqualTo(db.state(joined + "b.k + 0 = s.k"))
          .isEqualTo("22012");
    }
  }

  @Test
  void whereManyRowsPassTheOthersComeToo() {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE big (k INT, z INT)");
      db.run("CREATE TABLE small (k INT)");
      db.run("INSERT INTO big SELECT i, i - 5 FROM TABLE(GENERATE_SERIES(1, 300000)) AS s(i)");
      db.run("INSERT INTO small SELECT 2 * k FROM big");
      String joined = "SELECT COUNT(*), SUM(b.z) FROM big b JOIN small s ON ";
      assertThat(db.rows(joined + "b.k = s.k"))
          .isEqualTo(db.rows(joined + "b.k + 0 = s.k"))
          .containsExactly("150000|22499400000");
    }
  }

  @Test
  void whatIsReadFirstRaisesNoErrorOfARowThatIsNotReached() {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE big (k INT, z INT)");
      db.run("CREATE TABLE other (k INT)");
      db.run("INSERT INTO big SELECT i, i - 139000 FROM TABLE(GENERATE_SERIES(1, 140000)) AS s(i)");
      db.run("INSERT INTO other SELECT 3 * k FROM big");
      String rows =
          "SELECT b.k FROM (SELECT k FROM big WHERE 100 / z < 1000) b"
              + " WHERE NOT EXISTS (SELECT 1 FROM other o WHERE o.k = b.k)";
      assertThat(db.rows(rows + " LIMIT 1")).containsExactly("1");
      assertThat(db.state(rows)).isEqualTo("22012");
    }
  }
}
