package io.gpdb.planner.run.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.run.join.PairRanges.Order;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.HostBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An index of ranges finds the rows that a loop over all of them does, in the same order. */
class RangeIndexTest {
  private static final long SEED = Long.getLong("gpdb.seed", System.nanoTime());
  private static final int[] ROWS = {0, 1, 15, 16, 17, 255, 256, 257, 300, 4096, 4097, 5000};
  private static final int LOOKUPS = 40;
  private static final List<SqlTypeSpec> TYPES =
      List.of(SqlTypeSpec.BIGINT, SqlTypeSpec.BIGINT, SqlTypeSpec.DOUBLE);

  private final Random random = new Random(SEED);

  @Test
  void rowsInRangesAreThoseOfALoop() {
    Order first = new Order(0, 0);
    Order second = new Order(1, 1);
    for (int rows : ROWS) {
      for (long bound : new long[] {5, 1000, Long.MAX_VALUE}) {
        try (DenseBatch batch = batch(rows, bound)) {
          hold(batch, new PairRanges(first, second), bound);
          hold(batch, new PairRanges(first, null), bound);
          hold(batch, new PairRanges(null, second), bound);
          hold(batch, new PairRanges(first, first), bound);
        }
      }
    }
  }

  private DenseBatch batch(int rows, long bound) {
    BatchMemory memory = new BatchMemory();
    DenseBatch batch = new DenseBatch(rows, TYPES.size(), memory);
    for (int field = 0; field < 2; field++) {
      HostBuffer values = memory.pin((long) rows * Long.BYTES);
      HostBuffer validity = memory.bitmap(rows);
      boolean hasNulls = random.nextBoolean();
      for (int row = 0; row < rows; row++) {
        ElementType.I64.setRawAt(values, row, number(bound));
        Bitmaps.set(validity, row, !hasNulls || random.nextInt(9) > 0);
      }
      batch.set(field, values, hasNulls ? validity : null);
    }
    return batch;
  }

  /** A few are the least and the greatest there are. */
  private long number(long bound) {
    return switch (random.nextInt(12)) {
      case 0 -> Long.MIN_VALUE;
      case 1 -> Long.MAX_VALUE;
      default -> bound == Long.MAX_VALUE ? random.nextLong() : random.nextLong(-bound, bound + 1);
    };
  }

  private void hold(DenseBatch batch, PairRanges ranges, long bound) {
    try (RangeIndex index = new RangeIndex(batch, TYPES, ranges)) {
      for (int i = 0; i < LOOKUPS; i++) {
        long most = number(bound);
        long least = random.nextBoolean() ? most : number(bound);
        int count = index.find(most, least);
        int[] expected = new int[batch.rows()];
        int wanted = 0;
        for (int row = 0; row < batch.rows(); row++) {
          if (isAt(batch, ranges.atMost(), row, most, -1)
              && isAt(batch, ranges.atLeast(), row, least, 1)) {
            expected[wanted++] = row;
          }
        }
        assertThat(Arrays.copyOf(index.found(), count))
            .as("seed %d, %d rows, %s, %d, %d", SEED, batch.rows(), ranges, most, least)
            .isEqualTo(Arrays.copyOf(expected, wanted));
      }
    }
  }

  private static boolean isAt(
      DenseBatch batch, @Nullable Order order, int row, long value, int sign) {
    return order == null
        || (!batch.isNull(order.left(), row)
            && sign
                    * Long.compare(
                        ElementType.I64.rawAt(batch.hostValues(order.left()), row), value)
                >= 0);
  }
}
