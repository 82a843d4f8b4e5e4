package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Statements on a device with memory of its own do as on one that shares the host's. */
abstract class OtherDeviceContract {
  private static final int ROWS = 3000;

  private EndToEnd far;
  private EndToEnd near;

  protected abstract Device open();

  /** Whether kernels may store to files in the folder. */
  protected boolean storesTo(Path folder) {
    return true;
  }

  static Device emulated() {
    return new EmulatedDevice(new EmulatedOptions(EmulatedOptions.Mode.INTERPRETED, 1, false));
  }

  @BeforeEach
  void begin() {
    near = new EndToEnd(new VolatileDirectory("near"), emulated(), TxnOptions.standard());
    far = new EndToEnd(new VolatileDirectory("far"), open(), TxnOptions.standard());
    run(
        "CREATE TABLE t (k INT PRIMARY KEY, a INT, b BIGINT, f DOUBLE, s VARCHAR(20), d DECIMAL(9,"
            + " 2))");
    run("CREATE TABLE u (k INT PRIMARY KEY, name VARCHAR(20))");
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int k = 0; k < ROWS; k++) {
      Object b = k % 11 == 0 ? null : k * 1_000_003L;
      rows.add(new Object[] {k, k % 50, b, k * 0.25, "s" + k % 7, k % 100});
    }
    batch("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", rows);
    rows.clear();
    for (int k = 0; k < 40; k++) {
      rows.add(new Object[] {k, "name " + k % 30});
    }
    batch("INSERT INTO u VALUES (?, ?)", rows);
  }

  @AfterEach
  void close() {
    far.close();
    near.close();
  }

  private void run(String sql, @Nullable Object... parameters) {
    assertThat(far.run(sql, parameters)).as(sql).isEqualTo(near.run(sql, parameters));
  }

  private void batch(String sql, List<@Nullable Object[]> rows) {
    assertThat(far.batch(sql, rows)).as(sql).isEqualTo(near.batch(sql, rows));
  }

  private void compare(String sql, @Nullable Object... parameters) {
    List<String> found = far.rows(sql, parameters);
    assertThat(found).as(sql).isNotEmpty().isEqualTo(near.rows(sql, parameters));
  }

  private void compareTable() {
    compare("SELECT * FROM t ORDER BY k");
  }

  @Test
  void scansFilterAndProject() {
    compare("SELECT * FROM t");
    compare("SELECT k + a, s, b FROM t WHERE a < 20 AND f > 3");
    compare("SELECT k FROM t WHERE s IN ('s1', 's4') OR a IN (3, 5, 7, 9, 11, 13, 15, 17, 19, 21)");
    compare("SELECT UPPER(s), LENGTH(s) FROM t WHERE s LIKE '%5'");
    compare("SELECT k FROM t WHERE k = ?", 77);
  }

  @Test
  void aggregatesWithAndWithoutGroups() {
    compare("SELECT count(*), sum(a), min(b), max(f), avg(d), min(s) FROM t WHERE k < 2500");
    compare(
        "SELECT a, count(*), sum(b), min(f), sum(f), max(s), sum(d) FROM t GROUP BY a ORDER BY a");
    compare("SELECT s, a, count(b) FROM t GROUP BY s, a ORDER BY s, a");
    compare("SELECT DISTINCT s FROM t ORDER BY s");
  }

  @Test
  void joinsSortsAndFirstRows() {
    compare("SELECT t.k, u.name FROM t JOIN u ON t.a = u.k ORDER BY t.k");
    compare("SELECT t.k, u.name FROM t LEFT JOIN u ON t.a = u.k ORDER BY u.name DESC, t.k");
    compare("SELECT k FROM t WHERE a IN (SELECT k FROM u WHERE name = 'name 3') ORDER BY k");
    compare("SELECT t.s, u.k FROM t JOIN u ON t.s = u.name OR t.k = u.k ORDER BY 1, 2");
    compare("SELECT k, b FROM t ORDER BY b DESC, k LIMIT 10 OFFSET 5");
    compare("SELECT s FROM t WHERE k < 9 UNION ALL SELECT name FROM u");
  }

  @Test
  void rowsAreUpdated() {
    run("UPDATE t SET a = a + 1, b = NULL WHERE k < 1000");
    compareTable();
    run("UPDATE t SET f = f * 2, s = 'long' WHERE a = 7");
    compareTable();
    run("UPDATE t SET k = k + 10000 WHERE k > 2900");
    compareTable();
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int k = 0; k < ROWS; k += 3) {
      rows.add(new Object[] {k % 13, k});
    }
    batch("UPDATE t SET b = b + ?, d = d - 1 WHERE k = ?", rows);
    compareTable();
    batch("UPDATE t SET a = ? WHERE k = ?", rows);
    compareTable();
  }

  /** Fewer rows than a launch is worth are changed on the host, in copies that go back. */
  @Test
  void singleRowsAreChanged() {
    run("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", 5000, 1, null, 0.5, "new", null);
    run("UPDATE t SET b = ?, s = ? WHERE k = ?", null, "one", 17);
    run("DELETE FROM t WHERE k = ?", 18);
    compareTable();
    for (String sql :
        List.of(
            "UPDATE t SET a = 0, b = NULL",
            "UPDATE t SET a = 0, b = NULL WHERE k = 5",
            "DELETE FROM t WHERE k > 100",
            "DELETE FROM t WHERE k = 19",
            "INSERT INTO t SELECT k + 50000, a, b, f, s, d FROM t",
            "INSERT INTO t VALUES (60000, 1, 2, 3, '4', 5)")) {
      Transaction tx = far.begin();
      assertThat(far.run(tx, sql)).as(sql).isPositive();
      tx.rollback();
      compareTable();
    }
  }

  /** Neighbours, whose bits are in one word; all widths, with NULLs; a part is rolled back. */
  @Test
  void fewRowsAreChangedTogether() {
    run("CREATE TABLE w (k INT PRIMARY KEY, i TINYINT, j SMALLINT, r REAL, o BOOLEAN, l BIGINT)");
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int k = 0; k < ROWS; k++) {
      boolean n = k % 5 == 0;
      Object l = k % 7 == 0 ? null : k * 1_000_003L;
      rows.add(new Object[] {k, n ? null : k % 100, n ? null : -k, n ? null : k * 0.5f, null, l});
    }
    batch("INSERT INTO w VALUES (?, ?, ?, ?, ?, ?)", rows);
    Random random = new Random(Long.getLong("gpdb.seed", 12));
    for (int round = 0; round < 60; round++) {
      int from = random.nextInt(ROWS);
      String sql =
          random.nextInt(6) == 0
              ? "DELETE FROM w WHERE k >= ? AND k < ?"
              : "UPDATE w SET i = CASE WHEN MOD(k, 3) = 0 THEN NULL ELSE MOD(k, 90) END,"
                  + " j = CASE WHEN MOD(k, 4) = %d THEN NULL ELSE j - 1 END, r = -r, o = l > 5,"
                      .formatted(random.nextInt(5))
                  + " l = COALESCE(l, 0) + k WHERE k >= ? AND k < ?";
      int to = from + 1 + random.nextInt(31);
      if (random.nextInt(4) == 0) {
        Transaction tx = far.begin();
        far.run(tx, sql.replaceFirst("\\?", "" + from).replaceFirst("\\?", "" + to));
        tx.rollback();
      } else {
        run(sql, from, to);
      }
    }
    compare("SELECT * FROM w ORDER BY k");
  }

  @Test
  void anOlderSnapshotSeesTheOldRows() {
    List<String> rows = far.rows("SELECT * FROM t ORDER BY k");
    Transaction old = far.begin();
    assertThat(far.rows(old, "SELECT * FROM t ORDER BY k")).isEqualTo(rows);
    run("UPDATE t SET a = -a, b = NULL, s = 'x' WHERE k < 2000");
    run("DELETE FROM t WHERE k BETWEEN 500 AND 700");
    run("UPDATE t SET d = 7 WHERE k = 1");
    assertThat(far.rows(old, "SELECT * FROM t ORDER BY k")).isEqualTo(rows);
    assertThat(far.rows(old, "SELECT * FROM t WHERE k = 1")).isEqualTo(rows.subList(1, 2));
    old.rollback();
    compareTable();
  }

  /** The log is replayed into the device's memory, and a checkpoint writes what is there. */
  @ParameterizedTest
  @CsvSource({
    "REDO, HCL",
    "UNDO, HCL",
    "VERSIONED, HCL",
    "REDO, CONVENTIONAL",
    "UNDO, CONVENTIONAL",
  })
  void whatIsCommittedIsRecovered(Protocol protocol, LogKind log, @TempDir Path folder) {
    assumeThat(protocol != Protocol.UNDO || storesTo(folder)).isTrue();
    TxnOptions options = TxnOptions.standard().withLog(log);
    try (StorageDirectory files = FileDirectory.open(folder, true)) {
      EndToEnd written = new EndToEnd(files, open(), options);
      change(written, protocol);
      List<String> rows = written.rows("SELECT * FROM w ORDER BY k");
      written.abandon();
      EndToEnd recovered = new EndToEnd(files, open(), options);
      assertThat(recovered.rows("SELECT * FROM w ORDER BY k")).isEqualTo(rows);
      recovered.transactions().checkpoint();
      recovered.run("UPDATE w SET a = a - 1 WHERE k = 3");
      rows = recovered.rows("SELECT * FROM w ORDER BY k");
      recovered.abandon();
      EndToEnd reopened = new EndToEnd(files, emulated(), options);
      assertThat(reopened.rows("SELECT * FROM w ORDER BY k")).isEqualTo(rows);
      reopened.abandon();
    }
  }

  /** What a checkpoint wrote is read, changed in part, and read again. */
  @Test
  void aCheckpointIsReadAndChanged(@TempDir Path folder) {
    TxnOptions options = TxnOptions.standard();
    String all = "SELECT * FROM w ORDER BY k";
    String some = "SELECT count(*), sum(a), min(k) FROM w WHERE k > 100";
    try (StorageDirectory files = FileDirectory.open(folder, true)) {
      EndToEnd written = new EndToEnd(files, emulated(), options);
      change(written, Protocol.REDO);
      List<String> rows = written.rows(all);
      List<String> aggregates = written.rows(some);
      written.transactions().checkpoint();
      written.abandon();
      EndToEnd opened = new EndToEnd(files, open(), options);
      for (int i = 0; i < 2; i++) {
        assertThat(opened.rows(all)).isEqualTo(rows);
        assertThat(opened.rows(some)).isEqualTo(aggregates);
      }
      opened.run("UPDATE w SET a = a + 1 WHERE k < 700 OR k > 800");
      opened.run("UPDATE w SET a = a - 1 WHERE k < 700 OR k > 800");
      assertThat(opened.rows(all)).isEqualTo(rows);
      opened.transactions().checkpoint();
      assertThat(opened.rows(some)).isEqualTo(aggregates);
      opened.abandon();
    }
  }

  private static void change(EndToEnd database, Protocol protocol) {
    database.run("CREATE TABLE w (k INT PRIMARY KEY, a BIGINT, s VARCHAR(10))");
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int k = 0; k < 1500; k++) {
      rows.add(new Object[] {k, k % 3 == 0 ? null : k * 7L, "s" + k % 5});
    }
    for (String sql :
        List.of(
            "UPDATE w SET a = a + 1",
            "UPDATE w SET a = NULL, s = 'none' WHERE k IN (1, 2)",
            "DELETE FROM w WHERE k BETWEEN 10 AND 90",
            "DELETE FROM w WHERE k = 100",
            "INSERT INTO w VALUES (10000, 1, 'last')")) {
      Transaction tx = database.begin();
      tx.protocol(protocol);
      if (!rows.isEmpty()) {
        database.batch(tx, "INSERT INTO w VALUES (?, ?, ?)", rows);
        rows.clear();
      }
      database.run(tx, sql);
      tx.commit();
    }
  }

  @Test
  void rowsAreDeletedAndCopied() {
    run("DELETE FROM t WHERE a < 5");
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int k = 1000; k < 1200; k++) {
      rows.add(new Object[] {k});
    }
    batch("DELETE FROM t WHERE k = ?", rows);
    compareTable();
    run("INSERT INTO t SELECT k + 100000, a, b, f, s, d FROM t WHERE k < 2000");
    compareTable();
    run("TRUNCATE TABLE u");
    compare("SELECT count(*) FROM u");
  }
}
