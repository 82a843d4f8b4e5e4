package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the host computes of few rows is what kernels compute: random expressions of whole numbers
 * and truth values, which may overflow or divide by zero, over tables with NULLs and deleted rows.
 * {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class FewRowsOnHostTest {
  private static final int ROUNDS = 2;
  private static final int QUERIES = 20;
  private static final int[] ROW_COUNTS = {0, 1, 2, 31, 33, 64, 199, 200, 201, 400, 513};
  private static final List<String> NUMBERS = List.of("i", "j", "k", "l");
  private static final List<String> TYPES = List.of("INTEGER", "REAL", "VARCHAR(3)", "DATE");
  private static final List<String> LITERALS =
      List.of(
          "0",
          "1",
          "2",
          "-1",
          "7",
          "2147483647",
          "-2147483648",
          "9223372036854775807",
          "CAST(NULL AS BIGINT)");

  @Test
  void theHostAgreesWithKernels() {
    List<String> problems = new ArrayList<>();
    RandomSeeds.of(ROUNDS).forEach(seed -> round(seed, problems));
    assertThat(problems).isEmpty();
  }

  @Test
  void theHostIsAskedForWholeNumbersOfFewRowsOnly() {
    try (EndToEnd db = EndToEnd.emulated(EmulatedOptions.standard())) {
      db.script("CREATE TABLE t(i INTEGER, d DOUBLE, x VARCHAR(5))");
      assertThat(db.plan(db.unshared, "SELECT x, i + 1 FROM t WHERE i > 2"))
          .contains("host up to 200 rows");
      assertThat(db.plan(db.unshared, "SELECT SUM(i) FROM t WHERE i > 2"))
          .contains("host up to 200 rows");
      assertThat(db.plan(db.unshared, "SELECT x, COUNT(*) FROM t GROUP BY x"))
          .contains("host up to 512 rows");
      assertThat(db.plan(db.unshared, "SELECT i FROM t ORDER BY i"))
          .contains("host up to 512 rows");
      assertThat(db.plan(db.unshared, "SELECT d + 1 FROM t")).doesNotContain("host");
      assertThat(db.plan(db.unshared, "SELECT i FROM t WHERE x = 'a'")).doesNotContain("host");
      assertThat(db.plan(db.unshared, "SELECT SUM(d) FROM t")).doesNotContain("host");
    }
  }

  private static void round(long seed, List<String> problems) {
    Random random = new Random(seed);
    try (EndToEnd db = new EndToEnd()) {
      db.script(
          "CREATE TABLE t(i INTEGER, j INTEGER NOT NULL, k BIGINT, l BIGINT, b BOOLEAN, x"
              + " VARCHAR(9))");
      fill(db, random, ROW_COUNTS[random.nextInt(ROW_COUNTS.length)]);
      Queries queries = new Queries(random);
      for (int q = 0; q < QUERIES; q++) {
        String sql = queries.next();
        assertThat(answer(db, db.engine, "EXPLAIN " + sql).toString())
            .as("kernels cover what the host may compute: %s", sql)
            .doesNotContain("host");
        List<String> kernels = answer(db, db.engine, sql);
        List<String> host = answer(db, db.unshared, sql);
        if (!kernels.equals(host)) {
          problems.add("seed " + seed + ": " + sql + "\n kernels " + kernels + "\n host " + host);
        }
      }
    }
  }

  private static void fill(EndToEnd db, Random random, int rows) {
    for (int r = 0; r < rows; r += 50) {
      String values =
          IntStream.range(r, Math.min(rows, r + 50))
              .mapToObj(_ -> row(random))
              .collect(Collectors.joining(", "));
      db.run("INSERT INTO t VALUES " + values);
    }
    if (random.nextBoolean()) {
      db.run("DELETE FROM t WHERE j = 3");
    }
  }

  private static String row(Random random) {
    return Stream.of(
            random.nextInt(4) == 0 ? "NULL" : number(random, Integer.MAX_VALUE),
            number(random, Integer.MAX_VALUE),
            random.nextInt(4) == 0 ? "NULL" : number(random, Long.MAX_VALUE),
            number(random, Long.MAX_VALUE),
            List.of("TRUE", "FALSE", "NULL").get(random.nextInt(3)),
            random.nextInt(5) == 0 ? "NULL" : "'x" + random.nextInt(6) + "'")
        .collect(Collectors.joining(", ", "(", ")"));
  }

  private static String number(Random random, long most) {
    return Long.toString(
        random.nextInt(12) == 0 ? most - random.nextInt(2) : random.nextInt(9) - 2);
  }

  /** Rows, sorted where the query does not say how, or the SQLSTATE. */
  private static List<String> answer(EndToEnd db, QueryEngine engine, String sql) {
    Transaction tx = db.begin();
    try {
      List<String> rows = new ArrayList<>(EndToEnd.rows(engine, tx, sql));
      if (sql.contains("GROUP BY")) {
        rows.sort(null);
      }
      return rows;
    } catch (GpdbException e) {
      return List.of(e.code().sqlState());
    } finally {
      tx.rollback();
    }
  }

  /** Makes queries over the table. */
  private record Queries(Random random) {
    private String any(List<String> of) {
      return of.get(random.nextInt(of.size()));
    }

    private String list(int count, Supplier<String> item) {
      return Stream.generate(item).limit(count).collect(Collectors.joining(", "));
    }

    String next() {
      int count = 1 + random.nextInt(3);
      String where = random.nextInt(4) == 0 ? "" : " WHERE " + truth(2);
      return switch (random.nextInt(5)) {
        case 0 -> "SELECT " + list(count, this::aggregate) + " FROM t" + where;
        case 1 ->
            "SELECT x, %s, %s FROM t%s GROUP BY x, %2$s"
                .formatted(aggregate(), any(List.of("i", "b", "k")), where);
        case 2 -> "SELECT " + list(count, this::output) + " FROM t" + where + " ORDER BY 1, i, x";
        default -> "SELECT " + list(count, this::output) + " FROM t" + where;
      };
    }

    private String output() {
      return random.nextInt(4) == 0 ? any(List.of("x", "b", "i", "k")) : value(2);
    }

    private String value(int depth) {
      return random.nextInt(4) == 0 ? truth(depth) : number(depth);
    }

    private String aggregate() {
      return switch (random.nextInt(6)) {
        case 0 -> "COUNT(*)";
        case 1 -> "COUNT(" + any(List.of("x", "i", "b")) + ")";
        case 2 -> "MIN(" + number(1) + ")";
        case 3 -> "MAX(" + any(List.of("x", "i", "l")) + ")";
        case 4 -> "SUM(" + number(1) + ") FILTER (WHERE " + truth(1) + ")";
        default -> "SUM(" + number(1) + ")";
      };
    }

    private String number(int depth) {
      if (depth == 0 || random.nextInt(5) == 0) {
        return random.nextInt(3) == 0 ? any(LITERALS) : any(NUMBERS);
      }
      int below = depth - 1;
      return switch (random.nextInt(11)) {
        case 6 -> "ABS(" + number(below) + ")";
        case 7 -> "MOD(" + number(below) + ", " + number(below) + ")";
        case 0 -> "(" + number(below) + " / " + number(below) + ")";
        case 1 -> "(- " + number(below) + ")";
        case 2 -> "CASE WHEN " + truth(below) + " THEN " + number(below) + " ELSE NULL END";
        case 3 -> "CASE " + number(below) + " WHEN 1 THEN 5 WHEN i THEN k ELSE 6 END";
        case 4 -> "COALESCE(" + number(below) + ", " + number(below) + ")";
        case 5 -> "CAST(" + number(below) + " AS " + any(List.of("INTEGER", "BIGINT")) + ")";
        default -> "(" + number(below) + any(List.of(" + ", " - ", " * ")) + number(below) + ")";
      };
    }

    private String truth(int depth) {
      if (depth == 0) {
        return random.nextBoolean() ? "b" : "i > 1";
      }
      int below = depth - 1;
      return switch (random.nextInt(9)) {
        case 7 -> "CAST(NULL AS " + any(TYPES) + any(List.of(") IS", ") IS NOT")) + " NULL";
        case 0 -> "(" + truth(below) + " AND " + truth(below) + ")";
        case 1 -> "(" + truth(below) + " OR " + truth(below) + ")";
        case 2 -> "(NOT " + truth(below) + ")";
        case 3 -> number(below) + " IS " + any(List.of("", "NOT ")) + "NULL";
        case 4 -> truth(below) + any(List.of(" IS TRUE", " IS NOT TRUE", " IS NOT FALSE"));
        case 5 -> number(below) + " BETWEEN " + number(below) + " AND 5";
        case 6 -> any(NUMBERS) + any(List.of("", " NOT")) + " IN (1, 2, 4, 2147483647)";
        default ->
            number(below) + any(List.of(" = ", " <> ", " < ", " <= ", " > ")) + number(below);
      };
    }
  }
}
