package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches by key, large enough for the kernel, against the same rows one statement each. */
class KeyedBatchTest {
  private static final int ROWS = 70_000;
  private static final int BATCHES = 3;

  @TempDir private Path folder;

  /** A statement on table %s with what it binds. */
  private record Statement(String sql, String kinds) {}

  private static final List<Statement> STATEMENTS =
      List.of(
          new Statement("UPDATE %s SET i = ?, r = ? WHERE id = ?", "irk"),
          new Statement("UPDATE %s SET b = b + ?, i = i + 1 WHERE id = ?", "sk"),
          new Statement("UPDATE %s SET i = sm, sm = i WHERE id = ? AND i < 1000", "k"),
          new Statement("UPDATE %s SET d = d + e, e = ? WHERE id = ?", "ek"),
          new Statement(
              "UPDATE %s SET s = ?, i = CASE WHEN s = 'b' THEN i ELSE ? END WHERE id = ?", "tik"),
          new Statement("UPDATE %s SET f = f / 3, r = f, o = i > ? WHERE id = ?", "ik"),
          new Statement("UPDATE %s SET s = s || 'x', b = ? WHERE id = ?", "sk"),
          new Statement("UPDATE %s SET i = NULLIF(i, ?), b = b * 2 WHERE id = ?", "ik"),
          new Statement("UPDATE %s SET i = i * 2 + ? WHERE id = ? AND (b < 0 OR o)", "ik"),
          new Statement("UPDATE %s SET da = da, b = ?, i = 7 WHERE id = ?", "sk"),
          new Statement("DELETE FROM %s WHERE id = ?", "k"),
          new Statement("DELETE FROM %s WHERE id = ? AND i > ?", "ki"));

  /** Of the keys of a batch: all of a few, so many times each; some of them; or hardly any. */
  private static final double[] SHARES_OF_FEW = {1, 0.3, 0};

  private static @Nullable Object value(char kind, Random random, boolean few) {
    if (kind != 'k' && kind != 'r' && random.nextInt(9) == 0) {
      return null;
    }
    return switch (kind) {
      case 'k' -> few ? 65_000 + random.nextInt(60) : random.nextInt(ROWS + 500);
      case 'i' -> random.nextInt(-2000, 2000);
      case 's' -> random.nextInt(-50, 50);
      case 'r' -> random.nextFloat();
      case 'e' -> BigDecimal.valueOf(random.nextInt(100_000), 2);
      default -> String.valueOf((char) ('a' + random.nextInt(4)));
    };
  }

  private static void fill(EndToEnd db, String table) {
    db.run(
        "CREATE TABLE "
            + table
            + " (id INT PRIMARY KEY, i INT, sm SMALLINT, b BIGINT, d DECIMAL(12, 3),"
            + " e DECIMAL(12, 2), f DOUBLE, r REAL, s VARCHAR(40), o BOOLEAN, da DATE)");
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int id = 0; id < ROWS; id++) {
      // The second tablet has NULLs, the first has none.
      boolean absent = id > 65_536 && id % 5 == 0;
      rows.add(
          new @Nullable Object[] {
            id,
            absent ? null : id % 700,
            absent ? null : id % 100,
            absent ? null : (long) id * 3 - 9000,
            BigDecimal.valueOf(id, 3),
            absent ? null : BigDecimal.valueOf(id, 2),
            id / 7.0,
            absent ? null : id / 3f,
            absent ? null : String.valueOf((char) ('a' + id % 3)),
            id % 2 == 0,
            "2020-01-01"
          });
    }
    db.batch("INSERT INTO " + table + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows);
  }

  private static List<@Nullable Object[]> parameters(Statement statement, Random random, int n) {
    double few = SHARES_OF_FEW[random.nextInt(SHARES_OF_FEW.length)];
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      @Nullable Object[] row = new Object[statement.kinds.length()];
      for (int p = 0; p < row.length; p++) {
        row[p] = value(statement.kinds.charAt(p), random, random.nextDouble() < few);
      }
      rows.add(row);
    }
    return rows;
  }

  private void agree(EndToEnd db, long seed) {
    fill(db, "a");
    fill(db, "b");
    Random random = new Random(seed);
    for (Statement statement : STATEMENTS) {
      Set<Object> keys = new TreeSet<>();
      for (int batch = 0; batch < BATCHES; batch++) {
        List<@Nullable Object[]> rows = parameters(statement, random, 32 + random.nextInt(300));
        rows.forEach(row -> keys.add(row[statement.kinds.indexOf('k')]));
        long[] together = db.batch(statement.sql.formatted("a"), rows);
        long[] alone =
            db.inTransaction(
                tx ->
                    rows.stream()
                        .mapToLong(row -> db.run(tx, statement.sql.formatted("b"), row))
                        .toArray());
        assertThat(together).as("seed " + seed + ": " + statement).isEqualTo(alone);
      }
      assertEqualRows(db, among(keys), "seed " + seed + ": " + statement);
    }
    assertEqualRows(db, "", "seed " + seed + ": rows of no batch");
  }

  private static String among(Set<Object> keys) {
    String list = keys.stream().map(String::valueOf).collect(Collectors.joining(", "));
    return " WHERE id IN (" + list + ")";
  }

  private static void assertEqualRows(EndToEnd db, String where, String what) {
    assertThat(db.rows("SELECT * FROM a" + where + " ORDER BY id"))
        .as(what)
        .isEqualTo(db.rows("SELECT * FROM b" + where + " ORDER BY id"));
  }

  private static long seed() {
    Long replay = Long.getLong("gpdb.seed");
    return replay == null ? 20_261_121 : replay;
  }

  @Test
  void batchesWorkAsTheirRowsInOrder() {
    try (EndToEnd db = new EndToEnd(new VolatileDirectory("keyed-batches"))) {
      agree(db, seed());
    }
  }

  @Test
  void recoveryFindsWhatBatchesDid() {
    recovers(Protocol.REDO, LogKind.HCL);
    recovers(Protocol.REDO, LogKind.CONVENTIONAL);
    recovers(Protocol.UNDO, LogKind.HCL);
    recovers(Protocol.UNDO, LogKind.CONVENTIONAL);
    recovers(Protocol.CAP_MM, LogKind.HCL);
  }

  private void recovers(Protocol protocol, LogKind log) {
    Path path = folder.resolve(protocol + "-" + log);
    TxnOptions options = TxnOptions.standard().withProtocol(protocol).withLog(log);
    StorageDirectory directory = FileDirectory.open(path, true);
    EndToEnd first = new EndToEnd(directory, EmulatedOptions.standard(), options);
    fill(first, "a");
    Random random = new Random(seed());
    Set<Object> keys = new TreeSet<>();
    for (Statement statement : STATEMENTS) {
      List<@Nullable Object[]> rows = parameters(statement, random, 200);
      rows.forEach(row -> keys.add(row[statement.kinds.indexOf('k')]));
      first.batch(statement.sql.formatted("a"), rows);
    }
    Statement statement = STATEMENTS.get(1);
    List<@Nullable Object[]> lost = parameters(statement, random, 200);
    lost.forEach(row -> keys.add(row[statement.kinds.indexOf('k')]));
    List<String> expected = changedAndSums(first, keys);
    Transaction open = first.begin();
    first.batch(open, statement.sql.formatted("a"), lost);
    first.abandon();
    directory.close();
    try (EndToEnd again =
        new EndToEnd(FileDirectory.open(path, true), EmulatedOptions.standard(), options)) {
      assertThat(changedAndSums(again, keys)).as(protocol + ", " + log).isEqualTo(expected);
    }
  }

  /** The rows of these keys, and sums over all. */
  private static List<String> changedAndSums(EndToEnd db, Set<Object> keys) {
    List<String> rows = new ArrayList<>(db.rows("SELECT * FROM a" + among(keys) + " ORDER BY id"));
    rows.addAll(
        db.rows(
            "SELECT COUNT(*), SUM(id), SUM(i), COUNT(sm), SUM(sm), SUM(b), SUM(d), SUM(e),"
                + " MAX(f), COUNT(r), COUNT(s), MAX(s), COUNT(o), MAX(da) FROM a"));
    return rows;
  }

  @Test
  void aBatchIsUndoneWithItsTransactionAndItsSavepoint() {
    try (EndToEnd db = new EndToEnd(new VolatileDirectory("keyed-batches-undone"))) {
      fill(db, "a");
      List<String> before = db.rows("SELECT * FROM a ORDER BY id");
      Random random = new Random(seed());
      Transaction reader = db.begin();
      Transaction tx = db.begin();
      for (Statement statement : STATEMENTS) {
        db.batch(tx, statement.sql.formatted("a"), parameters(statement, random, 300));
        assertThat(db.rows(reader, "SELECT COUNT(*), SUM(i), SUM(b) FROM a"))
            .isEqualTo(db.rows("SELECT COUNT(*), SUM(i), SUM(b) FROM a"));
      }
      assertThat(db.rows(reader, "SELECT * FROM a ORDER BY id")).isEqualTo(before);
      tx.rollback();
      reader.commit();
      assertThat(db.rows("SELECT * FROM a ORDER BY id")).isEqualTo(before);
    }
  }

  @Test
  void anErrorNamesItsRowAndLeavesNothing() {
    try (EndToEnd db = new EndToEnd(new VolatileDirectory("keyed-batches-errors"))) {
      db.run("CREATE TABLE t (id INT PRIMARY KEY, n INT NOT NULL, m SMALLINT)");
      List<@Nullable Object[]> rows = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        rows.add(new Object[] {i, i * 1000, i % 7});
      }
      db.batch("INSERT INTO t VALUES (?, ?, ?)", rows);
      List<String> before = db.rows("SELECT * FROM t ORDER BY id");
      for (String set : List.of("m = n", "n = n + 2147000000", "n = NULLIF(n, 900000)")) {
        List<@Nullable Object[]> keys = new ArrayList<>();
        for (int i = 999; i >= 0; i--) {
          keys.add(new Object[] {i == 500 || set.startsWith("n = NULL") ? i : i % 30});
        }
        String sql = "UPDATE t SET " + set + " WHERE id = ?";
        GpdbException error = catchThrowableOfType(GpdbException.class, () -> db.batch(sql, keys));
        GpdbException alone =
            catchThrowableOfType(
                GpdbException.class,
                () -> db.run(sql, set.startsWith("n = NULL") ? 900 : (Object) 500));
        assertThat(error).as(set).isNotNull();
        assertThat(error.code()).as(set).isEqualTo(alone.code());
        int row = set.startsWith("n = NULL") ? 100 : 500;
        assertThat(error.getMessage()).isEqualTo(alone.getMessage().replace("row 1", "row " + row));
        assertThat(db.rows("SELECT * FROM t ORDER BY id")).as(set).isEqualTo(before);
      }
    }
  }

  @Test
  void aRowNamedVeryOftenIsStillInOrder() {
    try (EndToEnd db = new EndToEnd(new VolatileDirectory("keyed-batches-often"))) {
      db.run("CREATE TABLE t (id INT PRIMARY KEY, n BIGINT)");
      db.run("INSERT INTO t VALUES (1, 1), (2, 1)");
      List<@Nullable Object[]> rows = new ArrayList<>();
      for (int i = 0; i < 5000; i++) {
        rows.add(new Object[] {i % 13, 1 + i % 2});
      }
      long[] one = db.batch("UPDATE t SET n = MOD(n * 3 + ?, 10007) WHERE id = ?", rows);
      assertThat(one).hasSize(5000).containsOnly(1);
      long[] n = {0, 1, 1};
      for (Object[] row : rows) {
        int id = (int) row[1];
        n[id] = (n[id] * 3 + (int) row[0]) % 10007;
      }
      assertThat(db.rows("SELECT n FROM t ORDER BY id"))
          .containsExactly(Long.toString(n[1]), Long.toString(n[2]));
    }
  }

  @Test
  void sumsOfRowsNamedAgainEndWhereTheyLeaveTheirType() {
    try (EndToEnd db = new EndToEnd(new VolatileDirectory("keyed-batches-sums"))) {
      db.run("CREATE TABLE t (id INT PRIMARY KEY, n INT, b BIGINT)");
      db.run("INSERT INTO t VALUES (1, 2147483600, 9223372036854775800), (2, NULL, 5)");
      String sql = "UPDATE t SET n = n + ?, b = b - ? WHERE id = ?";
      List<@Nullable Object[]> back = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        back.add(new Object[] {i % 2 == 0 ? 47 : -47, i % 2 == 0 ? -7L : 7L, 1 + i / 2 % 2});
      }
      db.batch(sql, back);
      List<String> there = List.of("1|2147483600|9223372036854775800", "2|NULL|5");
      assertThat(db.rows("SELECT * FROM t ORDER BY id")).isEqualTo(there);
      for (Object[] beyond :
          List.of(new Object[] {48, 0L, 1}, new Object[] {0, -8L, 1}, new Object[] {0, -8L, 2})) {
        List<@Nullable Object[]> rows = new ArrayList<>(back);
        rows.set(60, beyond);
        rows.set(61, new Object[] {-(int) beyond[0], -(long) beyond[1], beyond[2]});
        GpdbException error = catchThrowableOfType(GpdbException.class, () -> db.batch(sql, rows));
        if (beyond[2].equals(2)) {
          assertThat(error).isNull();
        } else {
          GpdbException alone =
              catchThrowableOfType(GpdbException.class, () -> db.run(sql, beyond));
          assertThat(error.code()).isEqualTo(alone.code());
          assertThat(error).hasMessage(alone.getMessage().replace("row 1", "row 61"));
        }
        assertThat(db.rows("SELECT * FROM t ORDER BY id")).isEqualTo(there);
      }
    }
  }

  @Test
  void aLargeBatchWorksAsItsRowsInOrder() {
    try (EndToEnd db = new EndToEnd(new VolatileDirectory("keyed-batches-large"))) {
      db.run("CREATE TABLE t (id INT PRIMARY KEY, a INT, b BIGINT)");
      db.run("INSERT INTO t SELECT v, 0, 0 FROM TABLE(GENERATE_SERIES(0, 150000)) AS s(v)");
      Random random = new Random(seed());
      int n = 70_000;
      long[] last = new long[150_001];
      long[] sums = new long[150_001];
      List<@Nullable Object[]> rows = new ArrayList<>();
      long[] expected = new long[n];
      for (int i = 0; i < n; i++) {
        int id = random.nextInt(-100, 160_000);
        boolean there = id >= 0 && id <= 150_000;
        rows.add(new Object[] {i, id});
        expected[i] = there ? 1 : 0;
        if (there) {
          last[id] = i;
          sums[id] += i;
        }
      }
      assertThat(db.batch("UPDATE t SET a = ? WHERE id = ?", rows)).isEqualTo(expected);
      assertThat(db.batch("UPDATE t SET b = b + ? WHERE id = ?", rows)).isEqualTo(expected);
      List<String> found = db.rows("SELECT a, b FROM t ORDER BY id");
      assertThat(found).hasSize(last.length);
      for (int id = 0; id < last.length; id++) {
        assertThat(found.get(id)).as("row %d", id).isEqualTo(last[id] + "|" + sums[id]);
      }
    }
  }
}
