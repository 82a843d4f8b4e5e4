package io.gpdb.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FaultsTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261121L);
  private static final int FAULTS = 160;

  @Test
  void noFaultOfTheMediumLosesATransactionOrGivesAWrongAnswer() {
    FaultsRun run = new FaultsRun(SEED);
    run.run(FAULTS);
    assertThat(run.tallies()).hasSize(4 * FaultsRun.protocols().size());
    run.tallies()
        .forEach((name, tally) -> assertThat(tally.injected).as(name).isGreaterThanOrEqualTo(10));
    assertThat(run.tallies().get("redo, disk full").outcomes).containsKey("failed and went on");
    assertThat(run.tallies().get("redo, bit flipped after a close").outcomes)
        .containsKey("found by a query");
  }
}
