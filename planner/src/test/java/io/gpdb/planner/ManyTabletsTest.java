package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TxnOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What one launch over many tablets computes does not depend on who runs which part of it. {@code
 * -Dgpdb.fuzz=2} asks the interpreter twice as many queries.
 */
class ManyTabletsTest {
  private static final int ROWS = 3 * 65_536 + 5_000;
  private static final long SEED = Long.getLong("gpdb.seed", 7);
  private static final boolean ALL = Integer.getInteger("gpdb.fuzz", 1) > 1;

  /** With and without filters and NULLs, over integers and floats. */
  private static final List<String> QUERIES =
      List.of(
          "SELECT COUNT(*), SUM(n), MIN(n), MAX(n), AVG(n) FROM t",
          "SELECT COUNT(n), SUM(b), MIN(b), MAX(b) FROM t WHERE n > 10 AND g < 700",
          "SELECT SUM(n * 3 + g), COUNT(*) FILTER (WHERE g < 5) FROM t WHERE b > 0",
          "SELECT SUM(r), AVG(r), MIN(r), MAX(r) FROM t WHERE g < 500",
          "SELECT SUM(d), AVG(d), SUM(d * r) FROM t",
          "SELECT COUNT(*), MIN(s), MAX(s) FROM t WHERE s LIKE '%3%'",
          "SELECT COUNT(*), SUM(n) FROM t WHERE id BETWEEN 131072 AND 196607",
          "SELECT COUNT(*) FROM t WHERE g = -1",
          "SELECT id, n, d, s FROM t WHERE g = 17",
          "SELECT id + 1, r FROM t WHERE n IS NULL AND g < 20",
          "SELECT g, COUNT(*), COUNT(n), SUM(n), MIN(b), MAX(n) FROM t GROUP BY g ORDER BY g",
          "SELECT s, MOD(n, 3), COUNT(*), SUM(g) FROM t GROUP BY s, MOD(n, 3) ORDER BY 1, 2",
          "SELECT g - 500, COUNT(*), SUM(d) FROM t WHERE g < 20 GROUP BY g - 500",
          "SELECT COUNT(*), SUM(c), MAX(n) FROM (SELECT n, COUNT(*) c FROM t GROUP BY n) q",
          "SELECT COUNT(DISTINCT b), COUNT(DISTINCT n) FROM t WHERE g < 50",
          "SELECT n, id FROM t WHERE g <> 5 ORDER BY n DESC NULLS LAST, id LIMIT 20 OFFSET 5",
          "SELECT id, d FROM t ORDER BY d, id LIMIT 3000");

  private static EndToEnd open(Mode mode, int workers) {
    EmulatedOptions options = new EmulatedOptions(mode, workers, false);
    String name = "many-tablets-" + mode + workers;
    return new EndToEnd(new VolatileDirectory(name), options, TxnOptions.standard());
  }

  /** Tablet 2 has no row left, others have gaps; the last one has a few. */
  private static void fill(EndToEnd db) {
    db.run(
        "CREATE TABLE t (id INT PRIMARY KEY, g INT NOT NULL, n INT, b BIGINT, r REAL, d DOUBLE,"
            + " s VARCHAR(10))");
    Random random = new Random(SEED);
    db.inTransaction(
        tx -> {
          Prepared insert = db.engine.prepare("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?)", tx);
          ParameterColumns batch = new ParameterColumns(insert.parameters());
          for (int i = 0; i < ROWS; i++) {
            batch.setLong(0, i);
            batch.setLong(1, random.nextInt(1000));
            if (random.nextInt(10) == 0) {
              batch.setNull(2);
            } else {
              batch.setLong(2, random.nextInt(100_000) - 1000);
            }
            batch.setLong(3, random.nextLong() >> 20);
            batch.setFloat(4, random.nextFloat() * 1e5f - 1e3f);
            batch.setDouble(5, random.nextGaussian() * Math.pow(10, random.nextInt(30) - 15));
            batch.setString(6, "s" + random.nextInt(50));
            batch.addRow();
          }
          return insert.executeBatch(tx, batch);
        });
    db.run("DELETE FROM t WHERE id BETWEEN 131072 AND 196607");
    db.run("DELETE FROM t WHERE g = 3");
  }

  private static Map<String, List<String>> answers(
      EndToEnd db, Transaction tx, List<String> queries) {
    Map<String, List<String>> answers = new TreeMap<>();
    queries.forEach(query -> answers.put(query, db.rows(tx, query)));
    return answers;
  }

  /** The interpreter takes many times as long: it answers one of six. */
  private static List<String> queries(Mode mode) {
    int share = ALL ? 3 : 6;
    return mode == Mode.INTERPRETED
        ? QUERIES.stream().filter(query -> (QUERIES.indexOf(query) + SEED) % share == 0).toList()
        : QUERIES;
  }

  private static void change(EndToEnd db) {
    db.run("UPDATE t SET n = n + 1, d = d * 2, s = s || 'x' WHERE g BETWEEN 10 AND 20");
    db.run("DELETE FROM t WHERE g BETWEEN 16 AND 17 OR id < 20000");
    db.run("INSERT INTO t SELECT id + 1000000, g, n, b, r, d, s FROM t WHERE g < 30");
  }

  @Test
  void anyNumberOfWorkersReturnsTheSameBits() {
    Map<String, List<String>> old = new TreeMap<>();
    Map<String, List<String>> changed = new TreeMap<>();
    for (Mode mode : new Mode[] {Mode.AUTO, Mode.COMPILED, Mode.INTERPRETED}) {
      List<String> queries = queries(mode);
      for (int workers : mode == Mode.AUTO ? new int[] {1, 3} : new int[] {8}) {
        try (EndToEnd db = open(mode, workers)) {
          fill(db);
          Transaction before = db.begin();
          Map<String, List<String>> first = answers(db, before, queries);
          change(db);
          assertThat(answers(db, before, queries)).as("older snapshot").isEqualTo(first);
          before.rollback();
          Map<String, List<String>> second = db.inTransaction(tx -> answers(db, tx, queries));
          if (old.isEmpty()) {
            old.putAll(first);
            changed.putAll(second);
            assertThat(bridgeRows(db)).isEqualTo(exactOf(second));
          }
          assertThat(old).as("%s, workers %d", mode, workers).containsAllEntriesOf(first);
          assertThat(changed).as("%s, workers %d", mode, workers).containsAllEntriesOf(second);
        }
      }
    }
  }

  /** Queries whose answers depend on no order of additions. */
  private static boolean isExact(String query) {
    return !query.contains("SUM(r)") && !query.contains("SUM(d)");
  }

  private static List<List<String>> bridgeRows(EndToEnd db) {
    return QUERIES.stream().sorted().filter(ManyTabletsTest::isExact).map(db::bridgeRows).toList();
  }

  private static List<List<String>> exactOf(Map<String, List<String>> answers) {
    List<List<String>> exact = new ArrayList<>();
    answers.forEach(
        (query, rows) -> {
          if (isExact(query)) {
            exact.add(rows);
          }
        });
    return exact;
  }

  @Test
  void anAggregateOverAllTabletsIsOneLaunch() {
    try (EndToEnd db = EndToEnd.emulated(new EmulatedOptions(Mode.AUTO, 2, false))) {
      fill(db);
      assertThat(db.rows("EXPLAIN ANALYZE SELECT SUM(d), COUNT(*) FROM t WHERE g < 500"))
          .anySatisfy(line -> assertThat(line).contains("aggregate").contains("launches 1,"));
      assertThat(db.rows("EXPLAIN ANALYZE SELECT g, COUNT(*) FROM t WHERE g < 400 GROUP BY g"))
          .anySatisfy(line -> assertThat(line).contains("group by").contains("launches 2,"));
    }
  }

  /**
   * Copies for an older snapshot take more than the limit for all tablets together. The table is in
   * files, which no limit is over.
   */
  @Test
  void littleMemoryMakesWindowsOfOneTablet(@TempDir Path directory) {
    EmulatedOptions options = new EmulatedOptions(Mode.AUTO, 2, false);
    StorageDirectory files = FileDirectory.open(directory.resolve("db"), true);
    try (EndToEnd db = new EndToEnd(files, options, TxnOptions.standard())) {
      fill(db);
      Transaction before = db.begin();
      List<String> sums = db.rows(before, QUERIES.get(4));
      db.run("UPDATE t SET d = 1, r = 2 WHERE MOD(id, 3) = 0");
      long used = db.transactions().workMemory().usedBytes();
      long views = 65_536L * (8 + 4) + (256 << 10);
      db.transactions().limitMemory(used + 2 * views);
      assertThat(db.rows(before, QUERIES.get(4))).isEqualTo(sums);
      before.rollback();
    }
  }

  /** The tablets before the one with the row are in the same launch as it. */
  @Test
  void rowsBeforeOneThatFailsAreReturned() {
    try (EndToEnd db = open(Mode.AUTO, 3)) {
      fill(db);
      db.run("UPDATE t SET n = CASE WHEN id = 196610 THEN 0 ELSE 1 END");
      Transaction tx = db.begin();
      List<String> before = db.rows(tx, "SELECT id, 1000 / n FROM t WHERE id < 196608");
      Prepared query = db.engine.prepare("SELECT id, 1000 / n FROM t WHERE g <> 3", tx);
      long rows = 0;
      try (RowSet set = ((Result.Rows) query.execute(tx, EndToEnd.bound(query))).rows()) {
        while (set.next()) {
          rows++;
        }
        throw new AssertionError("no row failed");
      } catch (GpdbException e) {
        assertThat(e).hasMessageContaining("row ID = 196610");
      }
      assertThat(rows).isEqualTo(before.size());
      tx.rollback();
    }
  }

  /** The lowest row that fails is named, whichever tablet is run first. */
  @Test
  void theFirstRowThatFailsIsNamed() {
    try (EndToEnd db = open(Mode.AUTO, 3)) {
      fill(db);
      db.run("UPDATE t SET n = 0 WHERE id IN (70001, 196610, 200000)");
      db.run("UPDATE t SET n = 1 WHERE n = 0 AND id NOT IN (70001, 196610, 200000)");
      assertThat(db.error("SELECT SUM(1000 / n) FROM t WHERE g <> 3"))
          .hasMessageContaining("row ID = 70001");
    }
  }
}
