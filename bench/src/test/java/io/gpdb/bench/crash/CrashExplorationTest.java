package io.gpdb.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.txn.api.Protocol;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** More states: {@code -Dgpdb.crash.states=N}; other workloads and samples: -Dgpdb.seed=S. */
class CrashExplorationTest {
  private static final long STATES = Long.getLong("gpdb.crash.states", 12_500);
  private static final long SEED = Long.getLong("gpdb.seed", 1);

  @Test
  void noCrashBreaksAProtocolThatPromisesAtomicity() {
    List<Protocol> atomic =
        Arrays.stream(Protocol.values()).filter(protocol -> !protocol.isBaseline()).toList();
    long states = 0;
    for (ProtocolReport report : new Campaign(atomic, STATES, SEED, 2).run()) {
      assertThat(report.violations()).as("%s, seed %d", report.protocol(), SEED).isEmpty();
      assertThat(report.recoveryCrashes()).as("crashes in recovery").isPositive();
      states += report.states();
    }
    assertThat(states).isGreaterThanOrEqualTo(STATES);
  }

  @Test
  void theBaselinesAreSeenToBreakTransactions() {
    for (Protocol baseline : List.of(Protocol.CAP_FS, Protocol.CAP_MM)) {
      ProtocolReport report = new Campaign(List.of(baseline), 500, SEED, 2).run().getFirst();
      assertThat(report.violations()).as(baseline.name()).isNotEmpty();
      assertThat(report.isExpected()).isTrue();
    }
  }
}
