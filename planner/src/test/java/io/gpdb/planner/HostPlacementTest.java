package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.cuda.AnnouncingDevice;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.api.TxnOptions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Which statements a GPU leaves to the host: those whose plans read few rows. */
@TestInstance(Lifecycle.PER_CLASS)
class HostPlacementTest {
  private static final int HOST_ROWS = 300;

  private final AnnouncingDevice device = new AnnouncingDevice(HOST_ROWS);
  private EndToEnd database;

  @BeforeAll
  void begin() {
    database = new EndToEnd(new VolatileDirectory("placement"), device, TxnOptions.standard());
    table("small", HOST_ROWS);
    table("large", HOST_ROWS + 1);
  }

  private void table(String name, int count) {
    database.run("CREATE TABLE " + name + " (k INT PRIMARY KEY, a INT, s VARCHAR(9))");
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      rows.add(new Object[] {k, k % 10, "s" + k % 7});
    }
    database.batch("INSERT INTO " + name + " VALUES (?, ?, ?)", rows);
  }

  @AfterAll
  void end() {
    database.close();
  }

  private long launchesOnTheGpu(String sql) {
    long before = device.counters().snapshot().launches();
    database.rows(sql);
    return device.counters().snapshot().launches() - before;
  }

  @Test
  void plansOfFewRowsAreTheHosts() {
    for (String sql :
        List.of(
            "SELECT count(*), sum(k) FROM small WHERE a < 5",
            "SELECT a, count(*) FROM small GROUP BY a ORDER BY a",
            "SELECT x.k FROM small x JOIN small y ON x.a = y.k ORDER BY x.k",
            "SELECT k FROM small WHERE s LIKE '%3%' AND k IN (1, 2, 3, 5, 8, 13, 21, 34, 55)",
            "SELECT count(DISTINCT a) FROM small",
            "SELECT count(*), sum(v) FROM TABLE(GENERATE_SERIES(1, 300)) AS s(v)",
            "SELECT k, rank() OVER (PARTITION BY a ORDER BY k) FROM small")) {
      assertThat(launchesOnTheGpu(sql)).as(sql).isZero();
    }
  }

  @Test
  void plansOfMoreRowsAreTheGpus() {
    for (String sql :
        List.of(
            "SELECT count(*), sum(k) FROM large WHERE a < 5",
            "SELECT x.k FROM small x JOIN large y ON x.a = y.k ORDER BY x.k",
            "SELECT count(*), sum(v) FROM TABLE(GENERATE_SERIES(1, 301)) AS s(v)",
            "SELECT k FROM small WHERE a = (SELECT max(a) FROM large)")) {
      assertThat(launchesOnTheGpu(sql)).as(sql).isPositive();
    }
  }

  @Test
  void aPlanGoesToTheGpuWhenItsTableHasGrown() {
    table("growing", HOST_ROWS);
    String sql = "SELECT sum(a) FROM growing WHERE k >= 0";
    assertThat(launchesOnTheGpu(sql)).isZero();
    database.run("INSERT INTO growing VALUES (1000, 1, 'x')");
    assertThat(launchesOnTheGpu(sql)).isPositive();
  }

  @Test
  void changesOfSmallTablesAreTheHosts() {
    table("changed", 200);
    long before = device.counters().snapshot().launches();
    database.run("UPDATE changed SET a = a + 1 WHERE k < 150");
    database.run("DELETE FROM changed WHERE k >= 100");
    assertThat(device.counters().snapshot().launches()).isEqualTo(before);
    assertThat(database.rows("SELECT count(*), sum(a) FROM changed")).containsExactly("100|550");
  }

  @Test
  void explainSaysWhereKernelsRun() {
    assertThat(database.rows("EXPLAIN SELECT sum(a) FROM small"))
        .contains("kernels run on the host, which takes plans of up to 300 rows");
    assertThat(database.rows("EXPLAIN SELECT sum(a) FROM large"))
        .contains("kernels run on CUDA, stub");
    assertThat(
            database.rows(
                "SELECT setting FROM information_schema.gpdb_settings WHERE name = 'host_rows'"))
        .containsExactly("300");
  }
}
