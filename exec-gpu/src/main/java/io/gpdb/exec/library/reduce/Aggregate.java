package io.gpdb.exec.library.reduce;

import io.gpdb.exec.library.lane.LaneProgram;
import org.jspecify.annotations.Nullable;

/**
 * One aggregate function over the rows of a group.
 *
 * <p>NULL arguments are skipped; SUM, MIN and MAX of no value are NULL. Results: COUNT is i64. SUM
 * over i32 and i64 is exact, as i64 ({@link GridReduce.Partial#exactSum} has it beyond that); over
 * f32 and f64 it is f64, in the order that {@link GridReduce} and {@code GridGroupBy} state. MIN
 * and MAX have the argument's register type; floats by total order (NaN is the greatest).
 *
 * @param argument null for COUNT(*) only
 */
public record Aggregate(Function function, @Nullable LaneProgram argument) {
  public Aggregate {
    if (argument == null && function != Function.COUNT) {
      throw new IllegalArgumentException(function + " needs an argument");
    }
  }

  /** The functions. */
  public enum Function {
    COUNT,
    SUM,
    MIN,
    MAX
  }

  public static Aggregate countRows() {
    return new Aggregate(Function.COUNT, null);
  }

  public static Aggregate count(LaneProgram argument) {
    return new Aggregate(Function.COUNT, argument);
  }

  public static Aggregate sum(LaneProgram argument) {
    return new Aggregate(Function.SUM, argument);
  }

  public static Aggregate min(LaneProgram argument) {
    return new Aggregate(Function.MIN, argument);
  }

  public static Aggregate max(LaneProgram argument) {
    return new Aggregate(Function.MAX, argument);
  }
}
