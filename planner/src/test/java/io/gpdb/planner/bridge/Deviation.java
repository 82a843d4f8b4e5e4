package io.gpdb.planner.bridge;

import org.jspecify.annotations.Nullable;

/** Mean, variance and standard deviation of doubles in one pass (Welford). */
public final class Deviation {
  private long count;
  private double sum;
  private double mean;
  private double squares;

  Deviation() {}

  void add(double value) {
    count++;
    sum += value;
    double distance = value - mean;
    mean += distance / count;
    squares += distance * (value - mean);
  }

  private static Deviation added(Deviation state, double value) {
    state.add(value);
    return state;
  }

  private @Nullable Double variance(int missing) {
    return count <= missing ? null : (Double) (squares / (count - missing));
  }

  private @Nullable Double deviation(int missing) {
    Double variance = variance(missing);
    return variance == null ? null : (Double) Math.sqrt(variance);
  }

  /** AVG. */
  public static final class Average {
    private Average() {}

    public static Deviation init() {
      return new Deviation();
    }

    public static Deviation add(Deviation state, double value) {
      return added(state, value);
    }

    public static @Nullable Double result(Deviation state) {
      return state.count == 0 ? null : (Double) (state.sum / state.count);
    }
  }

  /** VAR_POP. */
  public static final class VarPop {
    private VarPop() {}

    public static Deviation init() {
      return new Deviation();
    }

    public static Deviation add(Deviation state, double value) {
      return added(state, value);
    }

    public static @Nullable Double result(Deviation state) {
      return state.variance(0);
    }
  }

  /** VAR_SAMP. */
  public static final class VarSamp {
    private VarSamp() {}

    public static Deviation init() {
      return new Deviation();
    }

    public static Deviation add(Deviation state, double value) {
      return added(state, value);
    }

    public static @Nullable Double result(Deviation state) {
      return state.variance(1);
    }
  }

  /** STDDEV_POP. */
  public static final class StddevPop {
    private StddevPop() {}

    public static Deviation init() {
      return new Deviation();
    }

    public static Deviation add(Deviation state, double value) {
      return added(state, value);
    }

    public static @Nullable Double result(Deviation state) {
      return state.deviation(0);
    }
  }

  /** STDDEV_SAMP. */
  public static final class StddevSamp {
    private StddevSamp() {}

    public static Deviation init() {
      return new Deviation();
    }

    public static Deviation add(Deviation state, double value) {
      return added(state, value);
    }

    public static @Nullable Double result(Deviation state) {
      return state.deviation(1);
    }
  }
}
