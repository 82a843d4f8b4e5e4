package io.gpdb.bench.mutants;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * Test methods that never end, for the limits of time; nothing but {@link WorkerTest} runs them.
 */
class TimeSamples {
  private static volatile long turns;

  @Test
  void loops() {
    while (turns >= 0) {
      turns = turns == Long.MAX_VALUE ? 0 : turns + 1;
    }
  }

  @Test
  void waits() throws InterruptedException {
    new CountDownLatch(1).await();
  }
}
