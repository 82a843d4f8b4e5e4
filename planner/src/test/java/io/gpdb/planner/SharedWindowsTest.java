package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.planner.NaiveWindow.Row;
import io.gpdb.storage.medium.VolatileDirectory;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Windows with enough partitions for threads to share them return what they return for some of the
 * partitions at a time, which one thread computes and {@link WindowsTest} compares with plain
 * loops. {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedWindowsTest {
  private static final int ROUNDS = 1;
  private static final int CALLS = 4;
  private static final int SEEDED = 200;
  private static final int COPIES = 90;

  /** Partitions of about 65 rows, and a longer one of all rows with NULL. */
  private static final int PARTITIONS = 300;

  private static final int HALF = PARTITIONS / 2;
  private static final int WORKERS = 4;

  private final EndToEnd db =
      new EndToEnd(
          new VolatileDirectory("shared-windows"), new EmulatedOptions(Mode.AUTO, WORKERS, false));

  @BeforeAll
  void tables() {
    String columns =
        " (id INTEGER PRIMARY KEY, g INTEGER, h VARCHAR(3), k INTEGER, p DECIMAL(10, 2), f DOUBLE,"
            + " b BOOLEAN)";
    db.run("CREATE TABLE few" + columns);
    db.run("CREATE TABLE t" + columns);
    db.run("CREATE TABLE n (i INTEGER PRIMARY KEY)");
    for (int i = 0; i < COPIES; i++) {
      db.run("INSERT INTO n VALUES (?)", i);
    }
  }

  @AfterAll
  void close() {
    db.close();
  }

  /** The seed of what is in the tables. */
  private long filled = -1;

  private void fill(long seed) {
    if (seed == filled) {
      return;
    }
    filled = seed;
    Random random = new Random(seed);
    db.run("DELETE FROM few");
    db.run("DELETE FROM t");
    List<String> rows = new ArrayList<>();
    for (int id = 0; id < SEEDED; id++) {
      rows.add(Row.random(random, id).sql());
    }
    db.run("INSERT INTO few VALUES " + String.join(", ", rows));
    db.run(
        "INSERT INTO t SELECT id * 100 + i, MOD(id * 7 + g + i * 13, %d), h, k + MOD(i, 3), p, f, b"
                .formatted(PARTITIONS)
            + " FROM few, n");
  }

  @Test
  void allPartitionsTogetherReturnWhatSomeReturn() {
    List<String> problems = new ArrayList<>();
    RandomSeeds.of(ROUNDS).forEach(seed -> round(seed, problems));
    assertThat(problems).isEmpty();
  }

  private void round(long seed, List<String> problems) {
    fill(seed);
    Random random = new Random(seed);
    List<String> calls = new ArrayList<>();
    while (calls.size() < CALLS) {
      String call = RandomWindow.of(random).sql();
      if (call.contains("PARTITION BY g")) {
        calls.add(call);
      }
    }
    String columns = "id, " + String.join(", ", calls);
    List<List<String>> all = rows(columns, "TRUE");
    List<List<String>> parts = rows(columns, "g < " + HALF);
    parts.addAll(rows(columns, "g >= " + HALF));
    parts.addAll(rows(columns, "g IS NULL"));
    parts.sort(Comparator.comparing(SharedWindowsTest::id));
    if (all.size() != SEEDED * COPIES || parts.size() != all.size()) {
      problems.add("-Dgpdb.seed=" + seed + ": " + all.size() + " and " + parts.size() + " rows");
      return;
    }
    for (int i = 0; i < all.size(); i++) {
      if (!all.get(i).equals(parts.get(i))) {
        problems.add(
            "-Dgpdb.seed=" + seed + ": " + all.get(i) + " instead of " + parts.get(i) + calls);
        return;
      }
    }
  }

  private static int id(List<String> row) {
    return Integer.parseInt(row.getFirst());
  }

  private List<List<String>> rows(String columns, String condition) {
    String sql = "SELECT %s FROM t WHERE %s ORDER BY id".formatted(columns, condition);
    return new ArrayList<>(db.inTransaction(tx -> EndToEnd.table(db.engine, tx, sql)));
  }

  @Test
  void numbersGoOnInPartitionsThatTakeManyCalls() {
    int size = 1000;
    String over = "OVER (PARTITION BY x / %d ORDER BY x / 7%s)";
    String sql =
        ("SELECT x, ROW_NUMBER() %s, RANK() %s, DENSE_RANK() %s"
                + " FROM GENERATE_SERIES(0, %d) AS numbers (x) ORDER BY x")
            .formatted(
                over.formatted(size, ", x"),
                over.formatted(size, ""),
                over.formatted(size, ""),
                3 * size - 1);
    List<List<String>> rows = db.inTransaction(tx -> EndToEnd.table(db.engine, tx, sql));
    assertThat(rows).hasSize(3 * size);
    for (int x = 0; x < rows.size(); x++) {
      int first = x / size * size;
      int rank = Math.max(x / 7 * 7, first) - first + 1;
      int dense = x / 7 - first / 7 + 1;
      assertThat(rows.get(x)).isEqualTo(numbers(x, x - first + 1, rank, dense));
    }
  }

  private static List<String> numbers(int... numbers) {
    return Arrays.stream(numbers).mapToObj(Integer::toString).toList();
  }

  @Test
  void ofSeveralErrorsThatOfTheFirstPartitionIsRaised() {
    fill(1);
    String sql =
        "SELECT COUNT(*) OVER (PARTITION BY g ORDER BY id ROWS"
            + " COALESCE(CASE WHEN g < 7 THEN 1 ELSE -g END, 1) PRECEDING) FROM t";
    for (int run = 0; run < 10; run++) {
      assertThat(db.error(sql)).hasMessageContaining(": -7");
    }
  }

  @Test
  void everyRowHasItsNumberInItsPartition() {
    fill(1);
    String sql =
        "SELECT COUNT(*), SUM(n), MAX(n) FROM"
            + " (SELECT ROW_NUMBER() OVER (PARTITION BY id / 2) AS n FROM t) x";
    BigDecimal pairs = BigDecimal.valueOf((long) SEEDED * COPIES / 2);
    assertThat(db.rows(sql))
        .containsExactly(pairs.add(pairs) + "|" + pairs.multiply(BigDecimal.valueOf(3)) + "|2");
  }
}
