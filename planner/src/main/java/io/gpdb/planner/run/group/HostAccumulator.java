package io.gpdb.planner.run.group;

import io.gpdb.planner.batch.Bytes;
import io.gpdb.planner.run.group.AggregatePlan.Function;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One aggregate of one group, as the host computes it from values that are bits or {@link Bytes},
 * whose order is that of SQL for all types but floats.
 */
final class HostAccumulator {
  private final Function function;
  private long rows;
  private long count;
  private long sum;

  /** What overflowed the sum, null as long as nothing has. */
  private @Nullable BigInteger wide;

  private @Nullable Object extreme;

  HostAccumulator(Function function) {
    this.function = function;
  }

  /** Counts a row of the group, whether the aggregate takes it or not. */
  void addRow() {
    rows++;
  }

  void add(@Nullable Object value) {
    if (value == null) {
      return;
    }
    count++;
    switch (function) {
      case COUNT -> {}
      case SUM, SUM_OR_ZERO -> addToSum((Long) value);
      case MIN -> extreme = extreme == null || compare(value, extreme) < 0 ? value : extreme;
      case MAX, SINGLE ->
          extreme = extreme == null || compare(value, extreme) > 0 ? value : extreme;
    }
  }

  private void addToSum(long value) {
    long added = sum + value;
    if (((sum ^ added) & (value ^ added)) < 0) {
      BigInteger before = wide == null ? BigInteger.ZERO : wide;
      wide = before.add(BigInteger.valueOf(sum));
      added = value;
    }
    sum = added;
  }

  private static int compare(Object a, Object b) {
    return a instanceof Bytes x
        ? Arrays.compareUnsigned(x.bytes(), ((Bytes) b).bytes())
        : Long.compare((Long) a, (Long) b);
  }

  @Nullable Object result() {
    return switch (function) {
      case COUNT -> count;
      case SUM -> count == 0 ? null : (Object) total();
      case SUM_OR_ZERO -> total();
      case MIN, MAX -> extreme;
      case SINGLE -> {
        if (rows > 1) {
          throw new GpdbException(
              SqlCondition.CARDINALITY, "a subquery used as a value returns " + rows + " rows");
        }
        yield extreme;
      }
    };
  }

  private long total() {
    if (wide == null) {
      return sum;
    }
    BigInteger exact = wide.add(BigInteger.valueOf(sum));
    if (exact.bitLength() > 63) {
      throw new GpdbException(
          ErrorCode.NUMERIC_OUT_OF_RANGE, "sum does not fit 64 bits: sum=" + exact);
    }
    return exact.longValue();
  }
}
