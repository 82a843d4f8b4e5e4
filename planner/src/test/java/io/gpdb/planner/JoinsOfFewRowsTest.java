package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The pairs that the host finds of few rows are those of kernels, in their order: random joins of
 * tables with NULLs, equal keys and deleted rows, of every type. {@code -Dgpdb.seed=S} replays one
 * round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class JoinsOfFewRowsTest {
  private static final int ROUNDS = 2;
  private static final int QUERIES = 16;
  private static final int[] ROW_COUNTS = {0, 1, 2, 31, 33, 65, 200, 511, 512, 513};
  private static final String COLUMNS =
      "i INTEGER, k BIGINT, s SMALLINT, x VARCHAR(9), c CHAR(3), d DATE, e DECIMAL(9, 2),"
          + " w DECIMAL(25, 2), f DOUBLE, b BOOLEAN, t TIMESTAMP, v VARBINARY(4)";
  private static final List<String> NAMES =
      Stream.of(COLUMNS.split(", (?=[a-z] )")).map(column -> column.substring(0, 1)).toList();

  @Test
  void theHostAgreesWithKernels() {
    List<String> problems = new ArrayList<>();
    RandomSeeds.of(ROUNDS).forEach(seed -> round(seed, problems));
    assertThat(problems).isEmpty();
  }

  @Test
  void theHostIsAskedForFieldsThatAreNoFloats() {
    try (EndToEnd db = EndToEnd.emulated(EmulatedOptions.standard())) {
      db.script("CREATE TABLE t(%s)".formatted(COLUMNS), "CREATE TABLE u(%s)".formatted(COLUMNS));
      assertThat(db.plan(db.unshared, "SELECT 1 FROM t JOIN u ON t.i = u.i AND t.x = u.x"))
          .contains("host up to 512 rows, then kernel join");
      assertThat(db.plan(db.unshared, "SELECT t.i FROM t JOIN u ON t.f = u.f"))
          .doesNotContain("host");
    }
  }

  /** A window without rows has few rows, but is not the host's. */
  @Test
  void windowsWithoutRowsAreLeftToKernelsWhereKeysAreComputed() {
    try (EndToEnd db = new EndToEnd()) {
      db.script("CREATE TABLE v (y INTEGER, z DECIMAL(9, 2))", "CREATE TABLE t (b BIGINT)");
      for (int row = 0; row < 40; row++) {
        db.run("INSERT INTO v VALUES (" + row + ", 2.5)");
        db.run("INSERT INTO t VALUES (" + row + ")");
        String sql = "SELECT 1 FROM v, t WHERE v.y = v.z AND COALESCE(v.z, 2) = t.b";
        assertThat(answer(db, db.unshared, sql)).isEmpty();
      }
    }
  }

  private static void round(long seed, List<String> problems) {
    Random random = new Random(seed);
    try (EndToEnd db = new EndToEnd()) {
      for (String table : List.of("t", "u", "z")) {
        db.script("CREATE TABLE %s(%s)".formatted(table, COLUMNS));
        int rows = ROW_COUNTS[random.nextInt(ROW_COUNTS.length)];
        fill(db, table, random, rows, 1 + random.nextInt(rows + 2));
      }
      for (int q = 0; q < QUERIES; q++) {
        String sql = query(random);
        List<String> kernels = answer(db, db.engine, sql);
        List<String> host = answer(db, db.unshared, sql);
        if (!kernels.equals(host)) {
          problems.add("seed " + seed + ": " + sql + "\n kernels " + kernels + "\n host " + host);
        }
      }
    }
  }

  private static void fill(EndToEnd db, String table, Random random, int rows, int values) {
    for (int r = 0; r < rows; r += 50) {
      String all =
          IntStream.range(r, Math.min(rows, r + 50))
              .mapToObj(_ -> row(random, values))
              .collect(Collectors.joining(", "));
      db.run("INSERT INTO " + table + " VALUES " + all);
    }
    if (random.nextBoolean()) {
      db.run("DELETE FROM " + table + " WHERE i = 0");
    }
  }

  private static String row(Random random, int values) {
    List<String> forms =
        List.of(
            "%d",
            "%d000000000",
            "%d",
            "'x%d'",
            "'%2.2s'",
            "DATE '2020-01-01' + INTERVAL '%d' DAY",
            "%d.25",
            "12345678901234567890%d.5",
            "%d.5E0",
            "%d > 1",
            "TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '%d' SECOND",
            "X'0%1.1s'");
    return forms.stream()
        .map(
            form -> {
              int value = random.nextInt(Math.min(values, 99));
              return random.nextInt(9) == 0 ? "NULL" : form.formatted(value);
            })
        .collect(Collectors.joining(", ", "(", ")"));
  }

  private static String query(Random random) {
    String on = condition(random, "t", "u");
    String fields = fields(random, "t");
    String both = fields + ", " + fields(random, "u");
    String other = NAMES.get(random.nextInt(NAMES.size()));
    return switch (random.nextInt(8)) {
      case 0 -> "SELECT %s FROM t LEFT JOIN u ON %s".formatted(both, on);
      case 1 -> "SELECT %s FROM t RIGHT JOIN u ON %s".formatted(both, on);
      case 2 -> "SELECT %s FROM t FULL JOIN u ON %s".formatted(both, on);
      case 3 -> "SELECT %s FROM t WHERE EXISTS (SELECT 1 FROM u WHERE %s)".formatted(fields, on);
      case 4 ->
          "SELECT %s FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE %s)".formatted(fields, on);
      case 5 ->
          "SELECT %s FROM t WHERE %s NOT IN (SELECT %2$s FROM u WHERE i > 1)"
              .formatted(fields, other);
      case 6 ->
          "SELECT %s, z.x FROM t JOIN u ON %s JOIN z ON %s"
              .formatted(both, on, condition(random, "u", "z"));
      default -> "SELECT %s FROM t JOIN u ON %s".formatted(both, on);
    };
  }

  private static String condition(Random random, String left, String right) {
    String keys =
        Stream.generate(() -> NAMES.get(random.nextInt(NAMES.size())))
            .limit(1 + random.nextInt(2))
            .map(name -> "%s.%s = %s.%2$s".formatted(left, name, right))
            .collect(Collectors.joining(" AND "));
    return switch (random.nextInt(6)) {
      case 0 -> keys + " AND %s.x = %s.c".formatted(left, right);
      case 1 -> keys + " AND %s.i < %s.s".formatted(left, right);
      case 2 -> "%s.i = %s.s".formatted(left, right);
      default -> keys;
    };
  }

  private static String fields(Random random, String table) {
    return Stream.generate(() -> table + "." + NAMES.get(random.nextInt(NAMES.size())))
        .limit(1 + random.nextInt(3))
        .collect(Collectors.joining(", "));
  }

  /** Rows in their order, or the SQLSTATE. */
  private static List<String> answer(EndToEnd db, QueryEngine engine, String sql) {
    Transaction tx = db.begin();
    try {
      return new ArrayList<>(EndToEnd.rows(engine, tx, sql));
    } catch (GpdbException e) {
      return List.of(e.code().sqlState() + " " + e.getMessage());
    } finally {
      tx.rollback();
    }
  }
}
