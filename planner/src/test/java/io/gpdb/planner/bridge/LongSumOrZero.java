package io.gpdb.planner.bridge;

/** SUM of integers that is 0 where there are none. */
public final class LongSumOrZero {
  private LongSumOrZero() {}

  public static LongSum.State init() {
    return new LongSum.State();
  }

  public static LongSum.State add(LongSum.State state, long value) {
    return LongSum.add(state, value);
  }

  public static long result(LongSum.State state) {
    return state.total();
  }
}
