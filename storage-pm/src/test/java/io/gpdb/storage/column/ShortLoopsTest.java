package io.gpdb.storage.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShortLoopsTest {
  @Test
  void callsHaveEachRowOnce() {
    for (int n = 0; n <= 200; n++) {
      int next = 0;
      for (int from = 0; from < n; from = ShortLoops.end(from, n)) {
        assertThat(from).isEqualTo(next);
        next = ShortLoops.end(from, n);
        assertThat(next).isBetween(from + 1, n);
      }
      assertThat(next).isEqualTo(n);
    }
  }

  @Test
  void endDoesNotOverflow() {
    assertThat(ShortLoops.end(Integer.MAX_VALUE - 1, Integer.MAX_VALUE))
        .isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void leastAndGreatestAreThoseOfAll() {
    SplittableRandom random = new SplittableRandom(7);
    for (int n = 0; n <= 100; n++) {
      int[] numbers = random.ints(n).toArray();
      assertThat(ShortLoops.least(numbers))
          .isEqualTo(IntStream.of(numbers).min().orElse(Integer.MAX_VALUE));
      assertThat(ShortLoops.greatest(numbers))
          .isEqualTo(IntStream.of(numbers).max().orElse(Integer.MIN_VALUE));
    }
  }
}
