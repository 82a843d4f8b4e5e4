package io.gpdb.planner.run.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.planner.batch.Bytes;
import io.gpdb.planner.run.group.AggregatePlan.Function;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigInteger;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Aggregates on the host are those of the kernels. */
class HostAccumulatorTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261125L);

  private static HostAccumulator of(Function function, @Nullable Object... values) {
    HostAccumulator made = new HostAccumulator(function);
    for (Object value : values) {
      made.addRow();
      made.add(value);
    }
    return made;
  }

  @Test
  void sumsOfNoValuesAreNullOrZero() {
    assertThat(of(Function.SUM, null, null).result()).isNull();
    assertThat(of(Function.SUM_OR_ZERO).result()).isEqualTo(0L);
    assertThat(of(Function.COUNT, null, 1L).result()).isEqualTo(1L);
    assertThat(of(Function.MIN).result()).isNull();
  }

  @Test
  void sumsMayPassTheLimitsOnTheirWay() {
    Random random = new Random(SEED);
    for (int round = 0; round < 2000; round++) {
      HostAccumulator sum = new HostAccumulator(Function.SUM);
      BigInteger exact = BigInteger.ZERO;
      for (int i = 0, n = 1 + random.nextInt(6); i < n; i++) {
        long value = random.nextBoolean() ? random.nextLong() : random.nextBoolean() ? -1 : 1;
        value = random.nextInt(4) == 0 ? Long.MAX_VALUE - random.nextInt(2) : value;
        value = random.nextInt(4) == 0 ? Long.MIN_VALUE + random.nextInt(2) : value;
        sum.add(value);
        exact = exact.add(BigInteger.valueOf(value));
      }
      if (exact.bitLength() > 63) {
        assertThatThrownBy(sum::result)
            .as("seed " + SEED)
            .isInstanceOfSatisfying(
                GpdbException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.NUMERIC_OUT_OF_RANGE));
      } else {
        assertThat(sum.result()).as("seed " + SEED).isEqualTo(exact.longValueExact());
      }
    }
  }

  @Test
  void stringsAreOrderedByTheirBytesWithoutSigns() {
    Bytes ascii = new Bytes(new byte[] {0x61});
    Bytes accented = new Bytes(new byte[] {(byte) 0xc3, (byte) 0x84});
    assertThat(of(Function.MIN, accented, null, ascii).result()).isEqualTo(ascii);
    assertThat(of(Function.MAX, accented, null, ascii).result()).isEqualTo(accented);
  }

  @Test
  void severalRowsAreNoSingleValue() {
    assertThat(of(Function.SINGLE, 5L).result()).isEqualTo(5L);
    assertThatThrownBy(() -> of(Function.SINGLE, 5L, null).result())
        .hasMessageContaining("returns 2 rows");
  }
}
