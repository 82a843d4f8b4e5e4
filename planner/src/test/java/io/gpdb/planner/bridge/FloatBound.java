package io.gpdb.planner.bridge;

import io.gpdb.planner.function.NumberFunctions;
import org.jspecify.annotations.Nullable;

/** MIN and MAX of floats in their total order: NaN is the greatest, and infinities are values. */
public final class FloatBound {
  private FloatBound() {}

  /** The least or greatest so far. */
  public static final class State {
    private @Nullable Double value;

    void add(double other, int sign) {
      Double known = value;
      boolean better =
          known == null
              || Long.compare(NumberFunctions.floatOrder(other), NumberFunctions.floatOrder(known))
                      * sign
                  > 0;
      if (better) {
        value = other;
      }
    }

    @Nullable Float real() {
      Double found = value;
      return found == null ? null : found.floatValue();
    }
  }

  /** MIN of DOUBLE. */
  public static final class Least {
    private Least() {}

    public static State init() {
      return new State();
    }

    public static State add(State state, double value) {
      state.add(value, -1);
      return state;
    }

    public static @Nullable Double result(State state) {
      return state.value;
    }
  }

  /** MAX of DOUBLE. */
  public static final class Greatest {
    private Greatest() {}

    public static State init() {
      return new State();
    }

    public static State add(State state, double value) {
      state.add(value, 1);
      return state;
    }

    public static @Nullable Double result(State state) {
      return state.value;
    }
  }

  /** MIN of REAL. */
  public static final class LeastReal {
    private LeastReal() {}

    public static State init() {
      return new State();
    }

    public static State add(State state, float value) {
      state.add(value, -1);
      return state;
    }

    public static @Nullable Float result(State state) {
      return state.real();
    }
  }

  /** MAX of REAL. */
  public static final class GreatestReal {
    private GreatestReal() {}

    public static State init() {
      return new State();
    }

    public static State add(State state, float value) {
      state.add(value, 1);
      return state;
    }

    public static @Nullable Float result(State state) {
      return state.real();
    }
  }
}
