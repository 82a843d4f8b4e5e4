package io.gpdb.planner.bridge;

import io.gpdb.planner.function.OutOfRange;
import org.jspecify.annotations.Nullable;

/** SUM of integers in 128 bits, so that only a result beyond BIGINT raises; and its averages. */
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

    /** The quotient without its fraction. */
    long average() {
      if (high == low >> 63) {
        return low / count;
      }
      java.math.BigInteger sum =
          java.math.BigInteger.valueOf(high)
              .shiftLeft(64)
              .add(new java.math.BigInteger(Long.toUnsignedString(low)));
      return sum.divide(java.math.BigInteger.valueOf(count)).longValueExact();
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
  public static final class LongAverage {
    private LongAverage() {}

    public static State init() {
      return new State();
    }

    public static State add(State state, long value) {
      return LongSum.add(state, value);
    }

    public static @Nullable Long result(State state) {
      return state.isEmpty() ? null : (Long) state.average();
    }
  }

  /** AVG of INTEGER. */
  public static final class IntegerAverage {
    private IntegerAverage() {}

    public static State init() {
      return new State();
    }

    public static State add(State state, long value) {
      return LongSum.add(state, value);
    }

    public static @Nullable Integer result(State state) {
      return state.isEmpty() ? null : (Integer) (int) state.average();
    }
  }

  /** AVG of SMALLINT. */
  public static final class SmallintAverage {
    private SmallintAverage() {}

    public static State init() {
      return new State();
    }

    public static State add(State state, long value) {
      return LongSum.add(state, value);
    }

    public static @Nullable Short result(State state) {
      return state.isEmpty() ? null : (Short) (short) state.average();
    }
  }
}
