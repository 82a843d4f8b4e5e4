package io.gpdb.bench.formats;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Files with changed fields and right checksums; more of it by {@code ./gpdb bench formats}. */
class FormatsTest {
  private static final long DEFAULT_SEED = 1;
  private static final long NANOS_MAX = 12_000_000_000L;

  @Test
  void aChangedFieldIsRefusedAsDamageOrReadWithinBounds() throws IOException, SQLException {
    long seed = Long.getLong("gpdb.seed", DEFAULT_SEED);
    int count = Integer.getInteger("gpdb.fuzz", 50);
    long start = System.nanoTime();
    try (FormatFuzz fuzz = new FormatFuzz(seed)) {
      for (int n = 0; n < count && System.nanoTime() - start < NANOS_MAX; n++) {
        fuzz.run(n);
      }
      assertThat(fuzz.violations()).isEmpty();
      assertThat(fuzz.tallies()).isNotEmpty();
    }
  }
}
