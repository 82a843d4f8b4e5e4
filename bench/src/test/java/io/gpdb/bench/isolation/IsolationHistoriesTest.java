package io.gpdb.bench.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.txn.api.IsolationLevel;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Histories of real connections, for a few seconds; {@code -Dgpdb.seed=} repeats their choices. */
@Tag("isolation")
class IsolationHistoriesTest {
  private static final long SEED = Long.getLong("gpdb.seed", System.nanoTime() >>> 8);
  private static final long MILLIS = Long.getLong("gpdb.isolation.millis", 500);
  private static final ListAppendRun.Shape SHAPE = new ListAppendRun.Shape(6, 30, 4, 0);
  private static final ListAppendRun.Shape WAITING = new ListAppendRun.Shape(6, 30, 4, 1000);

  @TempDir Path directory;

  /**
   * @param rounds at least; of three follow one another the styles of keeping lists
   */
  private static IsolationReport run(String url, IsolationLevel level, int rounds, long millis)
      throws SQLException {
    System.out.println("histories at " + level + ": -Dgpdb.seed=" + SEED);
    IsolationReport report = new IsolationReport(level);
    List<Anomaly> violations = new ArrayList<>();
    long end = System.nanoTime() + millis * 1_000_000;
    try (Connection open = DriverManager.getConnection(url)) {
      long seed = SEED;
      for (int round = 0; round < rounds || System.nanoTime() < end; round++) {
        ListStyle style = ListStyle.inTurn(seed + round);
        violations.addAll(
            report.add(new ListAppendRun(url, level, style, SHAPE, seed + round).history()));
        violations.addAll(
            report.add(new ListAppendRun(url, level, style, WAITING, seed + round).history()));
      }
      assertThat(open.isValid(1)).isTrue();
    }
    assertThat(violations).as("seed %d", SEED).isEmpty();
    assertThat(report.getCommitted()).isGreaterThan(report.getHistories());
    System.out.println(
        level
            + ": "
            + report.getHistories()
            + " histories, committed "
            + report.getCommitted()
            + ", rolled back "
            + report.getRolledBack()
            + ", allowed anomalies "
            + report.getAnomalies());
    return report;
  }

  @ParameterizedTest
  @EnumSource
  void aLevelKeepsItsPromiseInMemory(IsolationLevel level) throws SQLException {
    run("jdbc:gpdb:mem:histories-" + level, level, ListStyle.values().length, MILLIS);
  }

  /** Commits that wait for a sync meet in batches; one style, which the seed chooses. */
  @ParameterizedTest
  @EnumSource
  void aLevelKeepsItsPromiseOnAFile(IsolationLevel level) throws SQLException {
    run("jdbc:gpdb:" + directory.resolve("db"), level, 1, MILLIS / 2);
  }
}
