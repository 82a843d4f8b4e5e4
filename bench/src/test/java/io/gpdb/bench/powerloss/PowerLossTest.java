package io.gpdb.bench.powerloss;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.recorded.Mutants;
import io.gpdb.txn.api.Protocol;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** More states: {@code -Dgpdb.powerloss.states=N}; other workloads and samples: -Dgpdb.seed=S. */
class PowerLossTest {
  private static final long STATES = Long.getLong("gpdb.powerloss.states", 60);

  /** Where mappings are stored to, each sync compares whole files: a few of them, then. */
  private static final List<String> WORKLOADS_IN_PLACE = List.of("FEW_ROWS", "LOG_FILES");

  private static final long MUTANT_STATES = 1000;
  private static final long SEED = Long.getLong("gpdb.seed", 1);

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"CAP_FS", "CAP_MM"})
  void noLossOfPowerLosesWhatWasAcknowledged(Protocol protocol) {
    PowerLossRun run = new PowerLossRun(protocol, SEED);
    if (protocol == Protocol.UNDO || protocol == Protocol.AUTO) {
      WORKLOADS_IN_PLACE.forEach(workload -> run.run(workload, STATES / 2));
    } else {
      run.run(STATES);
    }
    assertThat(run.violations()).as("seed %d", SEED).isEmpty();
    assertThat(run.states()).isPositive();
  }

  /** A call that the real medium leaves out shows in what is recorded of it. */
  @ParameterizedTest
  @CsvSource({
    "io.gpdb.storage.medium.SyncChannels,sync,force,11",
    "io.gpdb.storage.medium.DirectoryNames,sync,force,11",
    "io.gpdb.storage.medium.FileMemory,grow,incrementAndGet,1J"
  })
  void aSyncThatIsLeftOutIsSeen(String type, String method, String call, String arguments)
      throws Exception {
    Class<?> run =
        Mutants.load(
            "io.gpdb.bench.powerloss.PowerLossRun",
            type,
            method,
            Mutants.withoutCall(c -> c.name().equalsString(call), arguments));
    Object violations =
        run.getMethod("violationsOf", String.class, String.class, long.class, long.class)
            .invoke(null, Protocol.REDO.name(), "LOG_FILES", SEED, MUTANT_STATES);
    assertThat((Integer) violations).isPositive();
  }

  @Test
  void aBaselineIsSeenToBreakTransactions() {
    assertThat(new PowerLossRun(Protocol.CAP_FS, SEED).run("STATEMENTS", 200).violations())
        .isNotEmpty();
  }
}
