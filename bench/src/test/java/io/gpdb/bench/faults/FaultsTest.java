package io.gpdb.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class FaultsTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261121L);
  private static final int FAULTS = 180;

  @Test
  void noFaultOfTheMediumLosesATransactionOrGivesAWrongAnswer() throws IOException {
    FaultsRun run = new FaultsRun(SEED);
    run.run(FAULTS);
    assertThat(run.tallies())
        .hasSize(FaultsRun.ROWS_PER_PROTOCOL * FaultSetting.protocols().size());
    run.tallies()
        .forEach((name, tally) -> assertThat(tally.injected).as(name).isGreaterThanOrEqualTo(4));
    assertThat(run.totals()).containsOnlyKeys(FaultSort.values());
    assertThat(run.totals().get(FaultSort.FLIPPED_BIT)).isEqualTo(40);
    assertThat(run.tallies().get("redo, disk full").outcomes).containsKey("failed and went on");
    assertThat(run.tallies().get("redo, file deleted after a close").outcomes)
        .containsKey("refused at opening");
  }
}
