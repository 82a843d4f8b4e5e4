package io.gpdb.planner.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.storage.tablet.Tablet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowRepeatsTest {
  private static final int N = 70_000;

  /** Of few and of more tablets than there are pieces of work; some places name no row. */
  @Test
  void listsByTabletAreThoseOfOneTable() {
    Random random = new Random(Long.getLong("gpdb.seed", 20261127L));
    try (EmulatedDevice device = new EmulatedDevice(EmulatedOptions.standard())) {
      for (int tablets : new int[] {1, 3, 150}) {
        long[] rows = new long[N];
        for (int i = 0; i < N; i++) {
          long tablet = random.nextInt(tablets);
          rows[i] = i % 11 == 0 ? -1 : tablet * Tablet.ROWS + random.nextInt(200);
        }
        RowRepeats.Lists together = RowRepeats.Lists.of(rows, N, tablets, device);
        RowRepeats.Lists alone = RowRepeats.Lists.of(rows, N);
        for (int i = 0; i < N; i++) {
          assertThat(together.next(i)).isEqualTo(alone.next(i));
          assertThat(together.isFirst(i)).isEqualTo(alone.isFirst(i));
          assertThat(together.isLast(i)).isEqualTo(alone.isLast(i));
        }
      }
    }
  }
}
