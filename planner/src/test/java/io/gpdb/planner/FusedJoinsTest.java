package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.txn.Transaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Aggregates and groups over joins whose pairs their kernels look up return what another engine
 * does. Keys of the kept side follow each other, are shuffled, have gaps, or come twice.
 */
class FusedJoinsTest {
  private static final int QUERIES = 60;

  @Test
  @Timeout(600)
  void aggregatesOverJoinsAreThoseOfAnotherEngine() {
    RandomSeeds.of(3).forEach(FusedJoinsTest::round);
  }

  private static void round(long seed) {
    Random random = new Random(seed);
    try (EndToEnd db = new EndToEnd();
        OtherEngine h2 = new OtherEngine("H2", "jdbc:h2:mem:fused" + seed)) {
      run(db, h2, "CREATE TABLE p (id INT PRIMARY KEY, k INT, l INT, x BIGINT, s VARCHAR(5))");
      run(db, h2, "CREATE TABLE b (k INT, l INT, y INT, z BIGINT, s VARCHAR(5))");
      for (int filling = 0; filling < 6; filling++) {
        run(db, h2, "DELETE FROM p");
        run(db, h2, "DELETE FROM b");
        fill(db, h2, random);
        for (int q = 0; q < QUERIES / 6; q++) {
          String sql = query(random);
          List<String> expected = h2.rows(sql);
          assertThat(expected).as(sql).isNotNull();
          assertThat(db.rows(sql).stream().sorted().toList())
              .as("seed %d: %s", seed, sql)
              .isEqualTo(expected);
        }
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static void run(EndToEnd db, OtherEngine h2, String sql) throws SQLException {
    db.run(sql);
    h2.run(sql);
  }

  private static void fill(EndToEnd db, OtherEngine h2, Random random) throws SQLException {
    int built = random.nextInt(5) == 0 ? random.nextInt(2) : 20 + random.nextInt(40);
    int step = random.nextInt(3) == 0 ? 1 + random.nextInt(900) : 1;
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < built; i++) {
      keys.add(i * step);
    }
    if (random.nextBoolean()) {
      Collections.shuffle(keys, random);
    }
    if (built > 1 && random.nextInt(4) == 0) {
      keys.set(1, keys.getFirst());
    }
    for (int key : keys) {
      String number = random.nextInt(60) == 0 ? "NULL" : "" + key;
      run(db, h2, "INSERT INTO b VALUES (" + number + ", " + key % 3 + row(random) + ")");
    }
    for (int i = 0; i < 90; i++) {
      String key = random.nextInt(9) == 0 ? "NULL" : "" + random.nextInt(built + 9) * step;
      run(
          db,
          h2,
          "INSERT INTO p VALUES ("
              + i
              + ", "
              + key
              + ", "
              + i % 3
              + ", "
              + i * 7L
              + text(random)
              + ")");
    }
  }

  private static String row(Random random) {
    return ", "
        + (random.nextInt(7) == 0 ? "NULL" : random.nextInt(6))
        + ", "
        + random.nextInt(1000)
        + text(random);
  }

  private static String text(Random random) {
    return random.nextInt(6) == 0 ? ", NULL" : ", '" + (char) ('a' + random.nextInt(4)) + "'";
  }

  private static String query(Random random) {
    String on = random.nextInt(3) == 0 ? "p.k = b.k AND p.l = b.l" : "p.k = b.k";
    int kind = random.nextInt(4);
    boolean paired = kind < 2;
    String from =
        switch (kind) {
          case 0 -> " FROM p JOIN b ON " + on;
          case 1 -> " FROM p LEFT JOIN b ON " + on;
          case 2 -> " FROM p WHERE EXISTS (SELECT 1 FROM b WHERE " + on + ")";
          default -> " FROM p WHERE NOT EXISTS (SELECT 1 FROM b WHERE " + on + ")";
        };
    List<String> values =
        paired ? List.of("p.x", "b.y", "b.z", "p.x + b.y") : List.of("p.x", "p.l", "p.x + p.l");
    List<String> groups =
        paired ? List.of("b.y", "p.s", "b.s", "b.l, p.s", "p.x") : List.of("p.s", "p.l", "p.x");
    StringBuilder aggregates = new StringBuilder("COUNT(*)");
    for (int i = random.nextInt(3); i >= 0; i--) {
      String function = List.of("SUM", "MIN", "MAX", "COUNT").get(random.nextInt(4));
      aggregates.append(", ").append(function).append('(').append(any(values, random)).append(')');
    }
    String filter =
        switch (random.nextInt(4)) {
          case 0 -> (paired ? " WHERE" : " AND") + " p.x > " + random.nextInt(400);
          case 1 -> paired ? " WHERE b.y > " + random.nextInt(3) : "";
          case 2 -> paired ? " WHERE b.s = p.s" : "";
          default -> "";
        };
    if (random.nextBoolean()) {
      return "SELECT " + aggregates + from + filter;
    }
    String group = any(groups, random);
    return "SELECT " + group + ", " + aggregates + from + filter + " GROUP BY " + group;
  }

  private static String any(List<String> texts, Random random) {
    return texts.get(random.nextInt(texts.size()));
  }

  @Test
  void anErrorIsTheOneOfTheRowThatHasIt() {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE p (id INT PRIMARY KEY, k INT)");
      db.run("CREATE TABLE b (k INT PRIMARY KEY, y INT)");
      for (int i = 0; i < 100; i++) {
        db.run("INSERT INTO p VALUES (?, ?)", i, i);
        db.run("INSERT INTO b VALUES (?, ?)", i, i == 70 ? 0 : i + 1);
      }
      String join = " FROM p JOIN b ON p.k = b.k";
      for (String sql :
          List.of(
              "SELECT SUM(p.id / b.y)" + join,
              "SELECT p.k, SUM(p.id / b.y)" + join + " GROUP BY p.k",
              "SELECT 100 / b.y, COUNT(*)" + join + " GROUP BY 100 / b.y")) {
        assertThat(db.error(sql)).as(sql).hasMessageContaining("in ").hasMessageContaining("Y = 0");
        assertThat(db.state(sql)).isEqualTo("22012");
      }
    }
  }

  @Test
  void theJoinIsInTheKernelAbove() {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE p (id INT PRIMARY KEY, k INT)");
      db.run("CREATE TABLE b (k INT, y INT)");
      for (int i = 0; i < 300; i++) {
        db.run("INSERT INTO p VALUES (?, ?)", i, i);
      }
      for (int i = 0; i < 10; i++) {
        db.run("INSERT INTO b VALUES (?, ?)", i, i);
      }
      String plan = "EXPLAIN ANALYZE SELECT SUM(b.y) FROM p JOIN b ON p.k = b.k";
      assertThat(String.join("\n", db.rows(plan))).contains("in the kernel above");
      Transaction tx = db.begin();
      assertThat(String.join("\n", EndToEnd.rows(db.unshared, tx, plan)))
          .as("more rows than the host would do")
          .contains("in the kernel above");
      tx.rollback();
      db.run("INSERT INTO b VALUES (5, 5)");
      assertThat(String.join("\n", db.rows(plan))).doesNotContain("in the kernel above");
    }
  }
}
