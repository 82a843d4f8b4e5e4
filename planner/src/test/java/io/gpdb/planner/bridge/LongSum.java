package io.gpdb.planner.bridge;

import io.gpdb.planner.function.OutOfRange;
import org.jspecify.annotations.Nullable;

/** SUM of integers in 128 bits, so that only a result beyond BIGINT raises; and their average. */
public final class LongSum {
  private LongSum() {}

  /** The sum so far. */
  public static final class State {
    private long low;
    private long high;
    private long count;

    void add(long value) {
      long sum = low + value;
      long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
      high += (value >> 63) + carry;
      low = sum;
      count++;
    }

    boolean isEmpty() {
      return count == 0;
    }

    long total() {
      if (high != low >> 63) {
        throw OutOfRange.of("of SUM", "BIGINT");
      }
      return low;
    }

    /** The quotient of the exact sum. */
    double average() {
      if (high == low >> 63) {
        return (double) low / count;
      }
      java.math.BigInteger sum =
          java.math.BigInteger.valueOf(high)
              .shiftLeft(64)
              .add(new java.math.BigInteger(Long.toUnsignedString(low)));
      return sum.doubleValue() / count;
    }
  }

  public static State init() {
    return new State();
  }

  public static State add(State state, long value) {
    state.add(value);
    return state;
  }

  public static @Nullable Long result(State state) {
    return state.isEmpty() ? null : (Long) state.total();
  }

  /** AVG of BIGINT. */
  public static final class Average {
    private Average() {}

    public static State init() {
      return new State();
    }

    public static State add(State state, long value) {
      return LongSum.add(state, value);
    }

    public static @Nullable Double result(State state) {
      return state.isEmpty() ? null : (Double) state.average();
    }
  }
}
