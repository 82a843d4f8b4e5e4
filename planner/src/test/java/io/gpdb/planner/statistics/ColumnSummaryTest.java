package io.gpdb.planner.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.sql.definition.ColumnStatistics;
import io.gpdb.storage.column.ElementType;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ColumnSummaryTest {
  private static final int ROWS = 100_000;

  private static LongStream seeds() {
    long first = Long.getLong("gpdb.seed", 1);
    return LongStream.range(first, first + 6);
  }

  /** Values of one distribution: even, of a few, of a normal curve, or mostly of one value. */
  private static long[] values(Random random) {
    int kind = random.nextInt(4);
    long different = 1L << random.nextInt(40);
    return LongStream.range(0, ROWS)
        .map(
            i ->
                switch (kind) {
                  case 0 -> Math.floorMod(random.nextLong(), different);
                  case 1 -> random.nextInt(5) - 2;
                  case 2 -> (long) (random.nextGaussian() * different);
                  default -> random.nextInt(10) > 0 ? 7 : random.nextLong();
                })
        .toArray();
  }

  private static ColumnSummary summary(long[] values, int nullEvery) {
    ColumnSummary summary = new ColumnSummary(ElementType.I64, values.length);
    for (int i = 0; i < values.length; i++) {
      if (i % nullEvery == 0) {
        summary.addNull();
      } else {
        summary.add(values[i]);
      }
    }
    return summary;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void differentValuesAndSharesAreNearlyThoseOfAllRows(long seed) {
    Random random = new Random(seed);
    int nullEvery = 2 + random.nextInt(1000);
    long[] values = values(random);
    ColumnStatistics found = summary(values, nullEvery).statistics();

    long[] present =
        LongStream.range(0, ROWS)
            .filter(i -> i % nullEvery != 0)
            .map(i -> values[(int) i])
            .sorted()
            .toArray();
    assertThat(found.rows()).isEqualTo(ROWS);
    assertThat(found.nulls()).isEqualTo(ROWS - present.length);
    long different = Arrays.stream(present).distinct().count();
    assertThat(found.distinct())
        .isBetween((long) (different * 0.93), (long) (different * 1.07) + 1);
    long[] bounds = found.bounds();
    assertThat(bounds).isSorted().hasSize(ColumnSummary.SHARES + 1);
    assertThat(bounds[0]).isEqualTo(present[0]);
    assertThat(bounds[ColumnSummary.SHARES]).isEqualTo(present[present.length - 1]);
    for (int i = 1; i < ColumnSummary.SHARES; i++) {
      long bound = bounds[i];
      double share = (double) i / ColumnSummary.SHARES;
      double below = Arrays.stream(present).filter(v -> v < bound).count();
      double upTo = Arrays.stream(present).filter(v -> v <= bound).count();
      assertThat(below / present.length).as("below bound %d", i).isLessThan(share + 0.01);
      assertThat(upTo / present.length).as("up to bound %d", i).isGreaterThan(share - 0.01);
    }
    assertThat(summary(values, nullEvery).statistics()).isEqualTo(found);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void stringsAreCountedByTheirCodes(long seed) {
    Random random = new Random(seed);
    int different = 1 + random.nextInt(5000);
    ColumnSummary summary = new ColumnSummary(ElementType.CODE, ROWS);
    boolean[] met = new boolean[different];
    for (int i = 0; i < 2000; i++) {
      int code = random.nextInt(different);
      met[code] = true;
      summary.add(code);
    }
    long count = 0;
    for (boolean one : met) {
      count += one ? 1 : 0;
    }
    assertThat(summary.statistics()).isEqualTo(new ColumnStatistics(2000, 0, count, new long[0]));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void fewRowsAreDescribedExactly(long seed) {
    Random random = new Random(seed);
    int rows = random.nextInt(4);
    long[] values = random.longs(rows, -2, 3).toArray();
    ColumnSummary summary = new ColumnSummary(ElementType.F64, rows);
    for (long value : values) {
      summary.add(Double.doubleToRawLongBits(value == 0 ? -0.0 : value));
    }
    ColumnStatistics found = summary.statistics();
    assertThat(found.distinct()).isEqualTo(Arrays.stream(values).distinct().count());
    assertThat(found.bounds()).hasSize(rows == 0 ? 0 : Math.max(2, rows)).isSorted();
  }
}
