package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Of a large table the host leaves rows out by ranges of single columns before kernels filter them.
 * What comes is what the kernels alone let pass, which are asked by alternatives, which are no
 * ranges. {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class RangedScansTest {
  private static final int ROUNDS = 1;
  private static final int QUERIES = 30;
  private static final int ROWS = 300_000;

  private static final List<String> COLUMNS = List.of("id", "n", "w", "d", "day");

  private static String value(Random random, String column) {
    return switch (column) {
      case "id" -> "" + random.nextInt(ROWS);
      case "n" -> "" + (random.nextInt(1000) - 100);
      case "w" -> random.nextInt(8) == 0 ? "9223372036854775807" : "" + random.nextInt(50_000);
      case "d" -> random.nextInt(300) + ".25";
      default -> "DATE '20" + (10 + random.nextInt(20)) + "-0" + (1 + random.nextInt(9)) + "-11'";
    };
  }

  private static String comparison(Random random, String column) {
    String[] values = {value(random, column), value(random, column)};
    return switch (random.nextInt(6)) {
      case 0 -> column + " = " + values[0];
      case 1 -> column + " BETWEEN " + values[0] + " AND " + values[1];
      case 2 -> column + " > " + values[0];
      case 3 -> values[0] + " >= " + column;
      case 4 -> column + " < " + values[0] + " AND " + column + " <> " + values[1];
      default -> column + " < " + values[0] + " AND n <> 3";
    };
  }

  private static String query(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> "SELECT COUNT(*), MAX(w), MIN(s), MAX(day) FROM t WHERE %s";
      case 1 -> "SELECT n, COUNT(*), SUM(d) FROM t WHERE %s GROUP BY n ORDER BY n";
      case 2 -> "SELECT id, s, d, n FROM t WHERE %s ORDER BY id LIMIT 500";
      case 3 -> "SELECT id, w FROM t WHERE %s LIMIT 40";
      case 4 -> "SELECT SUM(f), COUNT(s) FROM t WHERE %s";
      default ->
          "SELECT k.g, COUNT(*), SUM(t.d) FROM t JOIN k ON t.n = k.m WHERE %s"
              + " GROUP BY k.g ORDER BY k.g";
    };
  }

  private static void fill(EndToEnd db) {
    db.run(
        "CREATE TABLE t (id INTEGER, n INTEGER, w BIGINT, d DECIMAL(9, 2), day DATE,"
            + " s VARCHAR(9), f DOUBLE)");
    db.run(
        "INSERT INTO t SELECT i, CASE WHEN MOD(i, 11) = 0 THEN NULL ELSE MOD(i * 7, 1000) END, CASE"
            + " WHEN MOD(i, 500) = 0 THEN 9223372036854775807 ELSE MOD(i * 31, 50000) END, CASE"
            + " WHEN MOD(i, 13) = 0 THEN NULL ELSE CAST(MOD(i, 300) + 0.25 AS DECIMAL(9, 2)) END,"
            + " DATE '2010-01-01' + MOD(i, 7000) * INTERVAL '1' DAY, CASE WHEN MOD(i, 3) = 0 THEN"
            + " NULL ELSE 's' || CAST(MOD(i, 40) AS VARCHAR(4)) END, i / 3.0E0 FROM"
            + " GENERATE_SERIES(1, "
            + ROWS
            + ") AS g(i)");
    db.run("DELETE FROM t WHERE MOD(id, 17) = 0");
    db.run("UPDATE t SET n = 5 WHERE MOD(id, 1000) = 1");
    db.run("CREATE TABLE k (m INTEGER, g INTEGER)");
    db.run("INSERT INTO k SELECT i, MOD(i, 9) FROM GENERATE_SERIES(0, 700) AS g(i)");
  }

  @Test
  void whatComesIsWhatKernelsAloneLetPass() {
    RandomSeeds.of(ROUNDS)
        .forEach(
            seed -> {
              try (EndToEnd db = new EndToEnd()) {
                fill(db);
                Random random = new Random(seed);
                for (int i = 0; i < QUERIES; i++) {
                  List<String> conditions = new ArrayList<>();
                  for (int j = random.nextInt(3); j >= 0; j--) {
                    conditions.add(comparison(random, COLUMNS.get(random.nextInt(COLUMNS.size()))));
                  }
                  String query = query(random);
                  String ranged = query.replace("%s", String.join(" AND ", conditions));
                  conditions.replaceAll(c -> "(" + c + " OR id < -1)");
                  String plain = query.replace("%s", String.join(" AND ", conditions));
                  assertThat(db.rows(ranged))
                      .as("-Dgpdb.seed=" + seed + ": " + ranged)
                      .isEqualTo(db.rows(plain));
                }
              }
            });
  }

  /** Whether kernels run fewer than half of the warps that the same takes by no range. */
  private static boolean spares(EndToEnd db, String sql, String condition) {
    long ranged = warps(db, sql.replace("%s", condition));
    return ranged < warps(db, sql.replace("%s", "(" + condition + " OR id < -1)")) / 2;
  }

  private static long warps(EndToEnd db, String sql) {
    long before = db.device.counters().snapshot().warps();
    db.rows(sql);
    return db.device.counters().snapshot().warps() - before;
  }

  @Test
  void rowsAreLeftOutWhereThatChangesNothing() {
    try (EndToEnd db = EndToEnd.emulated(EmulatedOptions.standard())) {
      fill(db);
      String count = "SELECT COUNT(n) FROM t WHERE %s";
      assertThat(spares(db, count, "id < 100")).isTrue();
      assertThat(spares(db, "SELECT n, COUNT(*) FROM t WHERE %s GROUP BY n", "id < 100")).isTrue();
      assertThat(spares(db, "SELECT n FROM t WHERE %s", "day = DATE '2011-02-03'")).isTrue();
      assertThat(spares(db, count, "id < 299000")).as("most rows pass").isFalse();
      assertThat(spares(db, "SELECT SUM(f) FROM t WHERE %s", "id < 100"))
          .as("floats are added in the order of their places")
          .isFalse();
      assertThat(spares(db, count, "id < 100 AND n * 2 > -5000"))
          .as("rows that are left out would raise no error")
          .isFalse();
    }
  }
}
