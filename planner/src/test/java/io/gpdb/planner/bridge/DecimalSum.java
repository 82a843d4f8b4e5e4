package io.gpdb.planner.bridge;

import io.gpdb.planner.function.NumberFunctions;
import io.gpdb.planner.function.OutOfRange;
import io.gpdb.sql.type.SqlTypeSpec;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * SUM of decimals: exact, raising beyond the digits that are passed with each value; and their
 * average.
 */
public final class DecimalSum {
  private DecimalSum() {}

  /** The sum so far. */
  public static final class State {
    private BigDecimal sum = BigDecimal.ZERO;
    private long count;
    private int digits;
    private int scale;

    void add(BigDecimal value, int digits) {
      this.digits = digits;
      sum = sum.add(value);
      count++;
    }
  }

  public static State init() {
    return new State();
  }

  public static State add(State state, BigDecimal value, int digits) {
    state.add(value, digits);
    return state;
  }

  public static @Nullable BigDecimal result(State state) {
    if (state.count == 0) {
      return null;
    }
    if (state.sum.precision() > state.digits) {
      throw OutOfRange.of(
          state.sum.toPlainString(),
          SqlTypeSpec.decimal(state.digits, state.sum.scale()).toString());
    }
    return state.sum;
  }

  /** AVG of decimals, rounded half up to the scale that is passed with each value. */
  public static final class Average {
    private Average() {}

    public static State init() {
      return new State();
    }

    public static State add(State state, BigDecimal value, int digits, int scale) {
      state.add(value, digits);
      state.scale = scale;
      return state;
    }

    public static @Nullable BigDecimal result(State state) {
      return state.count == 0
          ? null
          : NumberFunctions.scaledDecimal(
              state.sum.divide(BigDecimal.valueOf(state.count), state.scale, RoundingMode.HALF_UP),
              state.digits,
              state.scale);
    }
  }
}
