package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Joins of generated tables in any order of FROM return what another engine does. */
class ShuffledJoinsTest {
  private static final int TABLES = 7;
  private static final int QUERIES = 25;

  @Test
  @Timeout(600)
  void theOrderOfFromDoesNotMatter() {
    RandomSeeds.of(3).forEach(ShuffledJoinsTest::round);
  }

  /** What a CASE that two tables decide equals becomes a condition of both and a constant. */
  @Test
  void conditionsOfTwoTablesMayHaveAConstant() {
    try (EndToEnd db = new EndToEnd()) {
      db.script(
          "CREATE TABLE u (k BIGINT, x INTEGER)", "INSERT INTO u VALUES (1, 2), (2, 1), (3, 3)");
      String sql =
          "SELECT u.k, y.k FROM u, u AS y WHERE CASE WHEN y.x <> u.k THEN y.k END = 1 ORDER BY 1";
      assertThat(EndToEnd.rows(db.unshared, db.begin(), sql)).containsExactly("1|1", "3|1");
    }
  }

  private static void round(long seed) {
    Random random = new Random(seed);
    try (EndToEnd db = new EndToEnd();
        OtherEngine h2 = new OtherEngine("H2", "jdbc:h2:mem:shuffled" + seed)) {
      for (int t = 0; t < TABLES; t++) {
        fill(db, h2, t, random);
      }
      for (int q = 0; q < QUERIES; q++) {
        query(db, h2, random, seed);
      }
      assertThat(h2.answered).isEqualTo(QUERIES);
    } catch (java.sql.SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Values repeat, and one in five is NULL; some tables have keys and indexes. */
  private static void fill(EndToEnd db, OtherEngine h2, int t, Random random)
      throws java.sql.SQLException {
    String key = random.nextBoolean() ? " PRIMARY KEY" : "";
    String create = "CREATE TABLE t" + t + " (k INT" + key + ", a INT, b INT, s VARCHAR(3))";
    List<String> statements = new ArrayList<>(List.of(create));
    if (random.nextBoolean()) {
      statements.add("CREATE INDEX i" + t + " ON t" + t + " (a)");
    }
    int rows = random.nextInt(4) == 0 ? random.nextInt(2) : 3 + random.nextInt(12);
    for (int r = 0; r < rows; r++) {
      statements.add(
          "INSERT INTO t"
              + t
              + " VALUES ("
              + r
              + ", "
              + value(random, rows)
              + ", "
              + value(random, rows)
              + ", "
              + (random.nextInt(5) == 0 ? "NULL" : "'" + (char) ('a' + random.nextInt(3)) + "'")
              + ")");
    }
    for (String sql : statements) {
      db.run(sql);
      h2.run(sql);
    }
  }

  private static String value(Random random, int rows) {
    return random.nextInt(5) == 0 ? "NULL" : String.valueOf(random.nextInt(rows));
  }

  private static void query(EndToEnd db, OtherEngine h2, Random random, long seed) {
    int n = 2 + random.nextInt(TABLES - 1);
    List<Integer> tables = new ArrayList<>();
    for (int t = 0; t < TABLES; t++) {
      tables.add(t);
    }
    Collections.shuffle(tables, random);
    tables = new ArrayList<>(tables.subList(0, n));
    List<String> where = new ArrayList<>();
    for (int i = 1; i < n; i++) {
      if (random.nextInt(8) > 0) {
        where.add(link(random, tables.get(random.nextInt(i)), tables.get(i)));
      }
    }
    int last = tables.get(random.nextInt(n));
    List<String> outer = new ArrayList<>();
    for (int extra = random.nextInt(3); extra > 0; extra--) {
      where.add(extra(random, tables.get(random.nextInt(n)), last));
    }
    for (int extra = random.nextInt(3); extra > 0; extra--) {
      int other = random.nextInt(TABLES);
      String name = "o" + extra;
      outer.add(
          " LEFT JOIN t"
              + other
              + " "
              + name
              + " ON t"
              + last
              + ".a = "
              + name
              + ".b"
              + (random.nextInt(3) == 0 ? " AND " + name + ".k > 1" : ""));
      if (random.nextInt(4) == 0) {
        where.add(name + ".a " + (random.nextBoolean() ? "IS NULL" : ">= 1"));
      }
    }
    String select = "SELECT COUNT(*), SUM(t" + last + ".k), MIN(t" + last + ".s)";
    List<String> expected = null;
    for (int shuffle = 0; shuffle < 2; shuffle++) {
      Collections.shuffle(tables, random);
      Collections.shuffle(where, random);
      tables.remove((Integer) last);
      tables.add(last); // LEFT JOIN binds it
      String sql =
          select
              + " FROM "
              + String.join(", ", tables.stream().map(t -> "t" + t).toList())
              + String.join("", outer)
              + (where.isEmpty() ? "" : " WHERE " + String.join(" AND ", where));
      if (expected == null) {
        expected = h2.rows(sql);
      }
      long start = System.nanoTime();
      List<String> rows = db.rows(sql);
      assertThat(rows).as("-Dgpdb.seed=%d: %s", seed, sql).isEqualTo(expected);
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .as(sql)
          .isLessThan(Duration.ofSeconds(30));
    }
  }

  private static String link(Random random, int a, int b) {
    String[] fields = {"k", "a", "b"};
    String x = "t" + a + "." + fields[random.nextInt(3)];
    String y = "t" + b + "." + fields[random.nextInt(3)];
    return switch (random.nextInt(10)) {
      case 0 -> "t" + a + ".s = t" + b + ".s";
      case 1 -> x + " + 1 = " + y;
      case 2 -> x + " < " + y;
      default -> x + " = " + y;
    };
  }

  private static String extra(Random random, int a, int b) {
    int c = random.nextInt(4);
    int t = random.nextInt(TABLES);
    return switch (random.nextInt(8)) {
      case 0 ->
          "(t"
              + a
              + ".a = "
              + c
              + " AND t"
              + b
              + ".b >= 1 OR t"
              + a
              + ".a = 2 AND t"
              + b
              + ".b < 3)";
      case 1 ->
          "(t"
              + a
              + ".k = t"
              + b
              + ".b AND t"
              + a
              + ".a > 0 OR t"
              + a
              + ".k = t"
              + b
              + ".b AND t"
              + b
              + ".a IS NULL)";
      case 2 -> "EXISTS (SELECT 1 FROM t" + t + " e WHERE e.a = t" + a + ".a)";
      case 3 -> "NOT EXISTS (SELECT 1 FROM t" + t + " e WHERE e.b = t" + a + ".k)";
      case 4 -> "t" + a + ".k IN (SELECT b FROM t" + t + ")";
      case 5 -> "t" + a + ".k NOT IN (SELECT b FROM t" + t + " WHERE b IS NOT NULL)";
      default -> "t" + a + ".a = " + c;
    };
  }
}
