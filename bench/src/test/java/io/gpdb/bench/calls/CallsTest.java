package io.gpdb.bench.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.planner.batch.BatchMemory;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Random calls for a few seconds; {@code -Dgpdb.seed=} begins with that episode. */
final class CallsTest {
  private static final long SEED = Long.getLong("gpdb.seed", System.nanoTime() >>> 8);
  private static final long MILLIS = Long.getLong("gpdb.calls.millis", 2000);

  @BeforeAll
  static void readersOfReleasedMemoryFail() {
    BatchMemory.endWithUse(true);
  }

  @AfterAll
  static void pooledAgain() {
    BatchMemory.endWithUse(false);
  }

  @Test
  void onlySqlExceptionsWithAStateLeaveTheDriver() {
    System.out.println("calls: -Dgpdb.seed=" + SEED);
    CallsReport report = new CallsReport();
    CallsRun.runFor(MILLIS, SEED, report);
    assertThat(report.defects()).as("seed %d", SEED).isEmpty();
    assertThat(report.methods()).isGreaterThan(100);
    assertThat(report.refused()).isPositive();
  }

  @Test
  void aWrongExceptionIsADefect() {
    assertThat(Verdict.of(new ArithmeticException())).isNotNull();
    assertThat(Verdict.of(new SQLException("no state"))).isNotNull();
    assertThat(Verdict.of(new SQLException("inner", "XX000"))).isNotNull();
    assertThat(Verdict.of(new SQLException("io.gpdb.sql.statement.Analyzed", "42000"))).isNotNull();
    assertThat(Verdict.of(new SQLException("division by zero", "22012"))).isNull();
  }
}
