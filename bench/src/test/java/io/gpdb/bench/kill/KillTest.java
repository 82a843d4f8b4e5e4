package io.gpdb.bench.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code -Dgpdb.kills=N} kills more often, {@code -Dgpdb.seed=S} repeats a run's choices. */
class KillTest {
  @Test
  void killsLoseNothingAcknowledgedAndLeaveNothingHalf(@TempDir Path folder) throws Exception {
    long seed = Long.getLong("gpdb.seed", System.nanoTime());
    int kills = Integer.getInteger("gpdb.kills", 10);
    KillRun run = new KillRun(folder, KillSetting.of(List.of()), seed);
    for (int kill = 0; kill < kills; kill++) {
      run.kill(kill, kill == kills - 1);
    }
    long acknowledged = run.tallies().values().stream().mapToLong(t -> t.acknowledged).sum();
    assertThat(acknowledged).as("acknowledged transactions, seed %d", seed).isPositive();
  }
}
