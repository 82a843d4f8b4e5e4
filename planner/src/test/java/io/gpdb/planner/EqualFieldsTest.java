package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Any two of the fields that joins make equal may link their inputs. */
class EqualFieldsTest {
  private static final int FEW = 20;
  private static final int MANY = 4000;

  private static EndToEnd tables(String type) {
    EndToEnd db = new EndToEnd();
    for (String table : List.of("a", "b", "c")) {
      int rows = table.equals("b") ? MANY : FEW;
      db.run("CREATE TABLE " + table + " (id INTEGER, x " + type + ")");
      db.run(
          "INSERT INTO "
              + table
              + " SELECT n, MOD(n, 50) FROM generate_series(1, "
              + rows
              + ") AS s(n)");
    }
    return db;
  }

  private static long expected() {
    return IntStream.rangeClosed(1, FEW).count() * MANY / 50;
  }

  /** The small tables meet first, though the query links neither with the other. */
  @Test
  void fieldsThatEqualAThirdLinkTheirInputs() {
    try (EndToEnd db = tables("INTEGER")) {
      String sql = "SELECT COUNT(*) FROM a, b, c WHERE a.x = b.x AND b.x = c.x";
      String plan = db.plan(sql);
      assertThat(plan.lines().filter(line -> line.contains("inner join on X = X"))).hasSize(2);
      assertThat(together(plan)).isTrue();
      assertThat(db.rows(sql)).containsExactly(String.valueOf(expected()));
    }
  }

  /** Floats that are equal need not be one value, nor be equal to the same others. */
  @Test
  void floatsLinkOnlyAsWritten() {
    try (EndToEnd db = tables("DOUBLE")) {
      String sql = "SELECT COUNT(*) FROM a, b, c WHERE a.x = b.x AND b.x = c.x";
      assertThat(together(db.plan(sql))).isFalse();
      assertThat(db.rows(sql)).containsExactly(String.valueOf(expected()));
    }
  }

  /** Whether the tables a and c are joined with each other before b is. */
  private static boolean together(String plan) {
    List<String> tables = plan.lines().filter(line -> line.strip().startsWith("table ")).toList();
    int[] depths =
        tables.stream().mapToInt(line -> line.length() - line.stripLeading().length()).toArray();
    int a = -1;
    int b = -1;
    int c = -1;
    for (int i = 0; i < depths.length; i++) {
      a = tables.get(i).contains("table A") ? depths[i] : a;
      b = tables.get(i).contains("table B") ? depths[i] : b;
      c = tables.get(i).contains("table C") ? depths[i] : c;
    }
    return a == c && b < a;
  }
}
