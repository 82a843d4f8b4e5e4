package io.gpdb.planner.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ColumnFactsTest {
  private static LongStream seeds() {
    long first = Long.getLong("gpdb.seed", 1);
    return LongStream.range(first, first + 20);
  }

  /** Where all values are bounds, what is below one is what was counted, up to one share. */
  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsBelowAValueIsWhatIsCounted(long seed) {
    Random random = new Random(seed);
    long[] values = random.longs(2 + random.nextInt(60), -30, 30).sorted().toArray();
    ColumnFacts facts = new ColumnFacts(0, 1, values);
    double share = 1.0 / (values.length - 1);
    double last = 0;
    for (long value = -40; value <= 40; value++) {
      long bound = value;
      double counted = (double) Arrays.stream(values).filter(v -> v < bound).count();
      double below = facts.below(value);
      assertThat(below).isBetween(last, 1.0);
      assertThat(below).isCloseTo(counted / values.length, Offset.offset(share + 1e-9));
      last = below;
    }
  }

  @Test
  void betweenTwoBoundsValuesAreTakenForEven() {
    ColumnFacts facts = new ColumnFacts(0, 1, new long[] {0, 100, 200, 1000});
    assertThat(facts.below(0)).isZero();
    assertThat(facts.below(50)).isEqualTo(0.5 / 3);
    assertThat(facts.below(100)).isEqualTo(1.0 / 3);
    assertThat(facts.below(600)).isEqualTo(2.5 / 3);
    assertThat(facts.below(1001)).isEqualTo(1);
    assertThat(facts.below(Long.MIN_VALUE)).isZero();
    assertThat(facts.below(Long.MAX_VALUE)).isEqualTo(1);
  }

  @Test
  void boundsOverAllLongsDoNotOverflow() {
    ColumnFacts facts = new ColumnFacts(0, 1, new long[] {Long.MIN_VALUE, Long.MAX_VALUE});
    assertThat(facts.below(0)).isCloseTo(0.5, Offset.offset(1e-9));
  }
}
