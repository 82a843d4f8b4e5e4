package io.gpdb.planner.window;

import io.gpdb.planner.window.WindowCall.Function;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What computes the aggregates of calls. */
final class Accumulators {
  private Accumulators() {}

  /**
   * A new one for a call.
   *
   * @param columns the fields of the input
   */
  static Accumulator of(WindowCall call, IntFunction<WindowColumn> columns) {
    List<WindowColumn> arguments = new ArrayList<>();
    for (int argument : call.arguments()) {
      arguments.add(columns.apply(argument));
    }
    Function function = call.function();
    Accumulator all = plain(function, arguments);
    if (call.distinct()) {
      List<WindowColumn> values =
          function == Function.COUNT ? arguments : List.of(arguments.getFirst());
      all = new DistinctValues(values, all);
    }
    boolean isOfPairs = Function.OF_PAIRS.contains(function);
    boolean isOfSeveral = function == Function.COUNT && arguments.size() > 1;
    List<WindowColumn> present = isOfPairs || isOfSeveral ? arguments : List.of();
    @Nullable WindowColumn filter = call.filter() < 0 ? null : columns.apply(call.filter());
    return filter == null && present.isEmpty() ? all : new SomeRows(filter, present, all);
  }

  private static Accumulator plain(Function function, List<WindowColumn> arguments) {
    if (arguments.isEmpty()) {
      return new RowCount();
    }
    WindowColumn first = arguments.getFirst();
    if (Function.OF_PAIRS.contains(function)) {
      return new Regression(function, first, arguments.get(1));
    }
    return switch (function) {
      case COUNT -> new ExactTotal(function, first);
      case SUM, SUM_OR_ZERO, AVG ->
          isFloat(first) ? new FloatTotal(function, first) : new ExactTotal(function, first);
      case MIN, MAX -> new Extreme(first, first, function == Function.MIN);
      case ARG_MIN, ARG_MAX -> new Extreme(arguments.get(1), first, function == Function.ARG_MIN);
      case VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP -> new Spread(function, first);
      case BIT_AND, BIT_OR, BIT_XOR -> new Bits(function, first);
      case MODE -> new Mode(first);
      case MEDIAN, PERCENTILE_CONT -> Percentile.between(arguments);
      case PERCENTILE_DISC -> Percentile.among(arguments);
      case LISTAGG -> new Listing(first, arguments.size() > 1 ? arguments.get(1) : null);
      default -> throw new IllegalStateException("no aggregate: " + function);
    };
  }

  private static boolean isFloat(WindowColumn column) {
    SqlTypeSpec.Kind kind = column.type().kind();
    return kind == SqlTypeSpec.Kind.REAL || kind == SqlTypeSpec.Kind.DOUBLE;
  }
}
