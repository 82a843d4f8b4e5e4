package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How often changes of many rows launch kernels: as often for many tablets as for two. */
class ChangedTabletsTest {
  private static final int TABLET = 65_536;
  private static final int FEW = 2;
  private static final int MANY = 20;

  /** Adds the first tablet's rows again and again. */
  private static void grow(EndToEnd db, int from, int to) {
    for (int times = from; times < to; times++) {
      String sql = "INSERT INTO t SELECT k + %d, k, 0 FROM t WHERE k < %d";
      db.run(sql.formatted(times * TABLET, TABLET));
    }
  }

  /** Of the statement's query and of the change itself. */
  private static final String FILTER = "filter launches 1";

  private static List<String> launches(EndToEnd db, String sql) {
    List<String> launches = new ArrayList<>();
    for (String line : db.rows("EXPLAIN ANALYZE " + sql)) {
      int at = line.indexOf("launches ");
      if (at >= 0 && !line.strip().startsWith("rows ")) { // those of all operators together
        launches.add(line.strip().split("[ :]", 2)[0] + " " + line.substring(at).split(",")[0]);
      }
    }
    return launches;
  }

  /** Rows 3 of 20 count in a how often they were changed, rows 4 in b. */
  private static List<List<String>> change(EndToEnd db, int deleted) {
    return List.of(
        launches(db, "UPDATE t SET a = a + 1 WHERE MOD(k, 20) = 3"),
        launches(db, "UPDATE t SET a = k, b = b + 1 WHERE MOD(k, 20) = 4"),
        launches(db, "DELETE FROM t WHERE MOD(k, 20) = " + deleted));
  }

  @Test
  void launchesDoNotGrowWithTablets() {
    EmulatedOptions options = new EmulatedOptions(Mode.AUTO, 2, false);
    try (EndToEnd db = EndToEnd.emulated(options)) {
      db.run("CREATE TABLE t (k INT NOT NULL, a INT NOT NULL, b INT NOT NULL)");
      List<Object[]> rows = new ArrayList<>();
      for (int k = 0; k < TABLET; k++) {
        rows.add(new Object[] {k, k, 0});
      }
      db.batch("INSERT INTO t VALUES (?, ?, ?)", rows);
      grow(db, 1, FEW);
      delete(db, 10);
      List<List<String>> few = change(db, 11);
      assertThat(few)
          .as("the host stores values and sums of few rows, and deletes few rows")
          .allSatisfy(lines -> assertThat(lines).containsExactly(FILTER));
      grow(db, FEW, MANY);
      delete(db, 12);
      List<List<String>> many = change(db, 13);
      assertThat(many)
          .allSatisfy(
              lines -> assertThat(lines).isSubsetOf(FILTER, "change launches 1").contains(FILTER));
      assertThat(db.rows("SELECT COUNT(*), SUM(a - MOD(k, 65536)), SUM(b) FROM t WHERE a <> -1"))
          .isEqualTo(expected());
      db.run("TRUNCATE TABLE t");
      assertThat(db.rows("SELECT COUNT(*) FROM t")).isEqualTo(List.of("0"));
    }
  }

  /** So that all tablets have gaps: those without are a launch of their own. */
  private static void delete(EndToEnd db, int deleted) {
    db.run("DELETE FROM t WHERE MOD(k, 20) = " + deleted);
  }

  /** Rows that were there from the beginning were changed twice, others once. */
  private static List<String> expected() {
    long count = 0;
    long sumA = 0;
    long sumB = 0;
    for (int k = 0; k < MANY * TABLET; k++) {
      int changes = k < FEW * TABLET ? 2 : 1;
      int copied = k % TABLET % 20;
      int own = k % 20;
      boolean wasThere = changes == 2 || copied < 10 || copied > 11;
      boolean isThere = own < (changes == 2 ? 10 : 12) || own > 13;
      if (wasThere && isThere) {
        count++;
        sumA += own == 3 ? changes : own == 4 ? k - k % TABLET : 0;
        sumB += own == 4 ? changes : 0;
      }
    }
    return List.of("%d|%d|%d".formatted(count, sumA, sumB));
  }
}
