package io.gpdb.bench.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZipfKeysTest {
  private static final int BOUND = 1000;
  private static final int DRAWN = 1_000_000;

  private static int[] counted(double theta) {
    ZipfKeys keys = new ZipfKeys(BOUND, theta, 3);
    int[] counts = new int[BOUND];
    for (int i = 0; i < DRAWN; i++) {
      counts[keys.next()]++;
    }
    Arrays.sort(counts);
    return counts;
  }

  /** The method is exact for the first two, and near for the others. */
  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.9, 0.99})
  void ranksAreDrawnInProportion(double theta) {
    int[] counts = counted(theta);
    double weights = 0;
    for (int rank = 1; rank <= BOUND; rank++) {
      weights += Math.pow(rank, -theta);
    }
    for (int rank : new int[] {1, 2, 10, 100}) {
      double expected = DRAWN * Math.pow(rank, -theta) / weights;
      double tolerance = rank <= 2 ? 0.05 : 0.25;
      assertThat((double) counts[BOUND - rank])
          .as("rank %d", rank)
          .isCloseTo(expected, within(expected * tolerance));
    }
  }

  @Test
  void allAreDrawnAlikeWithoutSkew() {
    int[] counts = counted(0);
    double expected = DRAWN / (double) BOUND;
    assertThat(counts[0]).isGreaterThan((int) (expected * 0.8));
    assertThat(counts[BOUND - 1]).isLessThan((int) (expected * 1.2));
  }

  @Test
  void boundsAreRefusedThatTheMethodDoesNotHave() {
    assertThatIllegalArgumentException().isThrownBy(() -> new ZipfKeys(1, 0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new ZipfKeys(10, 1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new ZipfKeys(10, -0.1, 1));
  }
}
