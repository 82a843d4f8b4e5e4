package io.gpdb.planner.mapping;

import io.gpdb.planner.batch.Bytes;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.SequenceNumbers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of a statement's parameters with those of an outer row for a subquery. */
final class OuterBindings implements ParameterValues {
  private static final byte[] NO_BYTES = {};

  private final ParameterValues enclosing;
  private final List<Integer> parameters;
  private final @Nullable Object[] values;
  private final SubQueryMemo memo;

  /**
   * @param values for each of the parameters the bits of a value, its {@link Bytes}, or null
   * @param memo what the execution knows of its subqueries
   */
  OuterBindings(
      ParameterValues enclosing,
      List<Integer> parameters,
      @Nullable Object[] values,
      SubQueryMemo memo) {
    this.enclosing = enclosing;
    this.parameters = parameters;
    this.values = values;
    this.memo = memo;
  }

  /** All those parameters as NULL, where none is run. */
  static OuterBindings unknown(ParameterValues enclosing, List<Integer> parameters) {
    return new OuterBindings(
        enclosing, parameters, new @Nullable Object[parameters.size()], new SubQueryMemo());
  }

  /** The memo of the execution that has those values bound. */
  static SubQueryMemo memo(ParameterValues values) {
    return values instanceof OuterBindings outer ? outer.memo : new SubQueryMemo();
  }

  /** What a parameter is bound to: the bits of a value, its bytes, or null. */
  static @Nullable Object outerValue(ParameterValues values, int parameter) {
    if (!(values instanceof OuterBindings outer)) {
      throw new IllegalStateException("outer value " + parameter + " is not bound");
    }
    int at = outer.parameters.indexOf(parameter);
    return at < 0 ? outerValue(outer.enclosing, parameter) : outer.values[at];
  }

  @Override
  public int count() {
    int count = enclosing.count();
    for (int parameter : parameters) {
      count = Math.max(count, parameter + 1);
    }
    return count;
  }

  /** Numbers of parameters that belong to other subqueries are counted but not bound. */
  @Override
  public boolean isNull(int parameter) {
    int at = parameters.indexOf(parameter);
    return at < 0
        ? parameter >= enclosing.count() || enclosing.isNull(parameter)
        : values[at] == null;
  }

  @Override
  public long raw(int parameter) {
    int at = parameters.indexOf(parameter);
    return at < 0 ? enclosing.raw(parameter) : values[at] instanceof Long raw ? raw : 0;
  }

  @Override
  public byte[] bytes(int parameter) {
    int at = parameters.indexOf(parameter);
    return at < 0
        ? enclosing.bytes(parameter)
        : values[at] instanceof Bytes text ? text.bytes() : NO_BYTES;
  }

  @Override
  public long nowMicros() {
    return enclosing.nowMicros();
  }

  @Override
  public SequenceNumbers numbers() {
    return enclosing.numbers();
  }
}
