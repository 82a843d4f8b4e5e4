package io.gpdb.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashUnit;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No crash leaves a table with half a column or an index that lacks rows. */
class ReshapesCrashTest {
  private static final long STATES = Long.getLong("gpdb.crash.states", 250);
  private static final long SEED = Long.getLong("gpdb.seed", 1);

  @ParameterizedTest
  @EnumSource(
      value = Protocol.class,
      names = {"REDO", "UNDO", "VERSIONED", "CHECKSUMMED", "AUTO"})
  void tablesAreWhole(Protocol protocol) {
    Setting setting = new Setting(protocol, LogKind.HCL, CrashUnit.LINE, Workload.RESHAPES, SEED);
    ExplorationReport report = new Exploration(setting, UnaryOperator.identity()).run(STATES);
    assertThat(report.violations).as(setting.toString()).isEmpty();
    assertThat(report.states).as(setting.toString()).isPositive();
  }
}
