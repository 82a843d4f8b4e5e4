package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.cuda.AnnouncingDevice;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.api.TxnOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** How often a statement launches, waits and copies on a GPU, where its tables are. */
@TestInstance(Lifecycle.PER_CLASS)
class StubbedCudaCostTest {
  private static final int ROWS = 2000;

  private final AnnouncingDevice device = new AnnouncingDevice();
  private EndToEnd database;

  @BeforeAll
  void begin() {
    database = new EndToEnd(new VolatileDirectory("cost"), device, TxnOptions.standard());
    database.run("CREATE TABLE t (k INT PRIMARY KEY, a INT, b INT, g INT)");
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int k = 0; k < ROWS; k++) {
      rows.add(new Object[] {k, k * 17 % 1000, k % 100, k % 7});
    }
    database.batch("INSERT INTO t VALUES (?, ?, ?, ?)", rows);
  }

  @AfterAll
  void end() {
    database.close();
  }

  /** Of the second run, which has its plan and its kernels. */
  private ExecutionCounters.Snapshot cost(String sql) {
    run(sql);
    ExecutionCounters.Snapshot before = device.counters().snapshot();
    run(sql);
    return device.counters().snapshot().minus(before);
  }

  private void run(String sql) {
    if (sql.startsWith("UPDATE")) {
      database.run(sql);
    } else {
      database.rows(sql);
    }
  }

  private void require(String sql, int launches, int waits, int copies) {
    ExecutionCounters.Snapshot cost = cost(sql);
    assertThat(List.of(cost.launches(), cost.waits(), cost.copies()))
        .as("launches, waits, copies of " + sql)
        .isEqualTo(List.of((long) launches, (long) waits, (long) copies));
  }

  private void requireWaits(String sql, int most) {
    ExecutionCounters.Snapshot cost = cost(sql);
    assertThat(cost.waits()).as("waits of " + sql).isLessThanOrEqualTo(most);
    assertThat(cost.launches()).as("launches of " + sql).isGreaterThan(cost.waits());
  }

  @Test
  void aggregatesAreOneLaunchAndOneWait() {
    require("SELECT count(*), sum(a) FROM t WHERE b < 5", 1, 1, 0);
    require("SELECT min(a), max(b) FROM t", 1, 1, 0);
  }

  @Test
  void aChangeOfManyRowsIsOneLaunchAfterItsQuery() {
    require("UPDATE t SET a = a + 1 WHERE b < 5", 4, 4, 3);
    require("UPDATE t SET a = a + 1, g = g + 1 WHERE b < 50", 5, 4, 4);
  }

  /** Of a tablet's rows: 256 KiB of each column. */
  @Test
  void allColumnsOfInsertedRowsComeToTheLogTogether() {
    assertThat(insertWaits("narrow", 2)).isEqualTo(insertWaits("wide", 7));
  }

  private long insertWaits(String table, int columns) {
    List<String> names = IntStream.range(0, columns).mapToObj(c -> "c" + c + " INT").toList();
    database.run("CREATE TABLE " + table + " (" + String.join(", ", names) + ")");
    String values = String.join(", ", Collections.nCopies(columns, "CAST(v AS INT)"));
    String series = " FROM TABLE(GENERATE_SERIES(1, 65536)) AS s(v)";
    String insert = "INSERT INTO " + table + " SELECT " + values + series;
    database.run(insert);
    ExecutionCounters.Snapshot before = device.counters().snapshot();
    database.run(insert);
    return device.counters().snapshot().minus(before).waits();
  }

  /** What the index's entry is verified by, and the values, with the row's live bit. */
  @Test
  void aRowByItsKeyIsReadWithoutALaunch() {
    require("SELECT a FROM t WHERE k = 77", 0, 1, 3);
    require("SELECT a, b, g FROM t WHERE k = 77", 0, 1, 5);
  }

  /** The old value of each column comes to the host, the new one is not waited for. */
  @Test
  void aRowByItsKeyIsChangedWithoutALaunch() {
    require("UPDATE t SET a = a + 1, g = 3 WHERE k = 78", 0, 3, 7);
  }

  /** The index's keys, and the rows that the batch names again, are read by columns. */
  @Test
  void waitsOfABatchByKeyDoNotGrowWithItsRows() {
    ExecutionCounters.Snapshot once = batchCost(40, 1);
    ExecutionCounters.Snapshot again = batchCost(400, 4);
    assertThat(List.of(once.launches(), once.waits(), once.copies()))
        .isEqualTo(List.of(1L, 2L, 2L));
    assertThat(List.of(again.launches(), again.waits(), again.copies()))
        .isEqualTo(List.of(2L, 4L, 3L));
  }

  @Test
  void upsertsReadTheRowsThatExistTogether() {
    requireSameWaits("INSERT INTO t VALUES (?, 0, 0, 0) ON CONFLICT (k) DO UPDATE SET a = t.a + 1");
    requireSameWaits(
        "MERGE INTO t USING (VALUES (CAST(? AS INT))) AS s (k) ON t.k = s.k"
            + " WHEN MATCHED THEN UPDATE SET a = t.a + 1");
  }

  private void requireSameWaits(String sql) {
    assertThat(keyedWaits(sql, 400)).as("waits of " + sql).isEqualTo(keyedWaits(sql, 40));
  }

  private long keyedWaits(String sql, int rows) {
    List<@Nullable Object[]> keys = new ArrayList<>();
    for (int k = 0; k < rows; k++) {
      keys.add(new Object[] {k});
    }
    database.batch(sql, keys);
    ExecutionCounters.Snapshot before = device.counters().snapshot();
    database.batch(sql, keys);
    return device.counters().snapshot().minus(before).waits();
  }

  private ExecutionCounters.Snapshot batchCost(int rows, int times) {
    List<@Nullable Object[]> keys = new ArrayList<>();
    for (int time = 0; time < times; time++) {
      for (int k = 0; k < rows; k++) {
        if (time == 0 || k % 2 == 0) {
          keys.add(new Object[] {time, k});
        }
      }
    }
    String update = "UPDATE t SET a = a + ? WHERE k = ?";
    database.batch(update, keys);
    ExecutionCounters.Snapshot before = device.counters().snapshot();
    database.batch(update, keys);
    return device.counters().snapshot().minus(before);
  }

  @Test
  void sortsAndJoinsWaitWhereTheHostNeedsANumber() {
    requireWaits("SELECT k, a FROM t ORDER BY a, k LIMIT 3", 9);
    requireWaits("SELECT x.k FROM t x JOIN t y ON x.a = y.k WHERE x.b = 7", 10);
  }

  @Test
  void explainNamesTheDevice() {
    assertThat(database.rows("EXPLAIN SELECT count(*) FROM t"))
        .contains("kernels run on CUDA, stub");
    assertThat(database.rows("EXPLAIN ANALYZE SELECT count(*) FROM t WHERE b < 5"))
        .anyMatch(line -> line.contains("launches 1,") && line.contains("waits 1, copies 0"));
  }

  /** Of an INTEGER column with room for 2048 rows. */
  @Test
  void explainAnalyzeSaysWhatOfTheGpusMemoryWasUsed() {
    for (int run = 0; run < 4; run++) { // the third is a launch that was kept
      assertThat(database.rows("EXPLAIN ANALYZE SELECT count(*) FROM t WHERE g < 5"))
          .as("run " + run)
          .anyMatch(line -> line.matches(".*bytes of the device's memory 8192 in .*% of its.*"));
    }
  }

  @Test
  void theCatalogIsReadOnTheHost() {
    require("SELECT 1", 0, 0, 0);
  }
}
