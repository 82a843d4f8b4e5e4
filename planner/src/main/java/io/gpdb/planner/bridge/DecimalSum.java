package io.gpdb.planner.bridge;

import io.gpdb.planner.function.NumberFunctions;
import io.gpdb.planner.function.OutOfRange;
import io.gpdb.sql.type.SqlTypeSpec;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** SUM of decimals: exact, raising beyond 18 digits; and their average. */
public final class DecimalSum {
  private DecimalSum() {}

  /** The sum so far. */
  public static final class State {
    private BigDecimal sum = BigDecimal.ZERO;
    private long count;
    private int scale;

    void add(BigDecimal value) {
      sum = sum.add(value);
      count++;
    }
  }

  public static State init() {
    return new State();
  }

  public static State add(State state, BigDecimal value) {
    state.add(value);
    return state;
  }

  public static @Nullable BigDecimal result(State state) {
    if (state.count == 0) {
      return null;
    }
    if (state.sum.precision() > SqlTypeSpec.DECIMAL_DIGITS_MAX) {
      throw OutOfRange.of(
          state.sum.toPlainString(), SqlTypeSpec.decimal(18, state.sum.scale()).toString());
    }
    return state.sum;
  }

  /** AVG of decimals, rounded half up to the scale that is passed with each value. */
  public static final class Average {
    private Average() {}

    public static State init() {
      return new State();
    }

    public static State add(State state, BigDecimal value, int scale) {
      state.add(value);
      state.scale = scale;
      return state;
    }

    public static @Nullable BigDecimal result(State state) {
      return state.count == 0
          ? null
          : NumberFunctions.scaledDecimal(
              state.sum.divide(BigDecimal.valueOf(state.count), state.scale, RoundingMode.HALF_UP),
              SqlTypeSpec.DECIMAL_DIGITS_MAX,
              state.scale);
    }
  }
}
