package io.gpdb.bench.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.bench.harness.Spread;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That what is measured is done, by as many threads as are told. */
class LimitsTest {
  private static final long BYTES = 1 << 20;

  @TempDir Path directory;

  private static void assertMeasured(Spread spread, int rounds) {
    assertThat(spread.rounds()).isEqualTo(rounds);
    assertThat(spread.min()).isPositive().isFinite();
  }

  @Test
  void memoryIsCopiedAndAddedUpByAllThreads() throws Exception {
    try (MemoryBandwidth memory = new MemoryBandwidth(BYTES)) {
      assertMeasured(memory.copied(2, 3), 3);
      assertMeasured(memory.summed(3, 2), 2);
    }
  }

  @Test
  void whatIsWrittenIsRemoved() throws Exception {
    try (StorageLimits storage = new StorageLimits(directory)) {
      assertMeasured(storage.latency(3), 3);
      assertMeasured(storage.overlapped(2, 2, 1), 2);
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void eachThreadHasAPartOfItsOwn() throws Exception {
    AtomicIntegerArray runs = new AtomicIntegerArray(3);
    try (Together together = new Together(3)) {
      assertThat(together.seconds(runs::incrementAndGet)).isNotNegative();
      assertThatThrownBy(
              () ->
                  together.seconds(
                      number -> {
                        throw new IllegalArgumentException("no");
                      }))
          .hasRootCauseMessage("no");
    }
    assertThat(runs).hasToString("[1, 1, 1]");
  }

  @Test
  void threadsArePowersOfTwoAndAll() {
    assertThat(LimitsCommand.upTo(1)).containsExactly(1);
    assertThat(LimitsCommand.upTo(6)).containsExactly(1, 2, 4, 6);
    assertThat(LimitsCommand.upTo(16)).containsExactly(1, 2, 4, 8, 16);
  }
}
