package io.gpdb.planner.query;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.direct.DirectExpression;
import io.gpdb.sql.direct.DirectExpression.Form;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates expressions of numbers and truth values over one row after the other. Of CASE and
 * COALESCE what is asked for is evaluated; of AND and OR all operands, also those that cannot
 * matter: where none fails, no other order of evaluation does, and where one fails, the planner's
 * plan runs, which knows whether it is asked for.
 */
final class WholeEvaluation {
  private final ParameterValues parameters;

  /** A subquery. */
  interface Query {
    /** The rows for one row around it; null where a value cannot be computed. */
    @Nullable Rows rows(@Nullable WholeEvaluation outer);
  }

  /** The rows of a subquery. */
  interface Rows {
    int count();

    /** The first value of the first row; 0 for NULL. */
    long firstValue();

    boolean isFirstNull();
  }

  /** The row around a subquery, and the subqueries that expressions have. */
  private final @Nullable WholeEvaluation outer;

  private final List<? extends Query> queries;

  /** The fields of the row. */
  private final long[] values;

  private final boolean[] nulls;

  /** Whether the value that was evaluated last is NULL. */
  private boolean isNull;

  /** Whether a value was beyond its type, or a number was divided by zero. */
  private boolean failed;

  WholeEvaluation(
      ParameterValues parameters,
      int fields,
      @Nullable WholeEvaluation outer,
      List<? extends Query> queries) {
    this.parameters = parameters;
    this.outer = outer;
    this.queries = queries;
    values = new long[fields];
    nulls = new boolean[fields];
  }

  void set(int field, long value, boolean isNull) {
    values[field] = isNull ? 0 : value;
    nulls[field] = isNull;
  }

  /** The value of a field; 0 where it is NULL, which {@link #isNull()} says. */
  long field(int field) {
    return known(values[field], nulls[field]);
  }

  boolean isNull() {
    return isNull;
  }

  boolean hasFailed() {
    return failed;
  }

  /** Whether a condition is true. */
  boolean holds(DirectExpression condition) {
    return of(condition) == 1 && !isNull;
  }

  /** The value; 0 where it is NULL, which {@link #isNull()} says. */
  long of(DirectExpression e) {
    return switch (e.form()) {
      case COLUMN -> field((int) e.number());
      case OUTER_COLUMN -> outerField((int) e.number());
      case QUERY_VALUE -> queryValue(queries.get((int) e.number()));
      case QUERY_EXISTS -> {
        Rows rows = queries.get((int) e.number()).rows(this);
        failed |= rows == null;
        yield known(rows != null && rows.count() > 0 ? 1 : 0, false);
      }
      case LITERAL -> known(e.number(), false);
      case NULL -> known(0, true);
      case PARAMETER -> parameter((int) e.number());
      case SAME -> of(first(e));
      case NEGATED, ABSOLUTE -> signed(e);
      case CAST -> cast(e);
      case PLUS, MINUS, TIMES, DIVIDED -> arithmetic(e);
      case EQUAL, UNEQUAL, LESS, AT_MOST, GREATER, AT_LEAST -> comparison(e);
      case AND -> logic(e, 0);
      case OR -> logic(e, 1);
      case NOT -> {
        long value = of(first(e));
        yield isNull ? 0 : 1 - value;
      }
      case IS_NULL -> {
        of(first(e));
        yield known(isNull ? 1 : 0, false);
      }
      case IS_NOT_NULL -> {
        of(first(e));
        yield known(isNull ? 0 : 1, false);
      }
      case CASE -> choice(e.operands());
      case FIRST_KNOWN -> firstKnown(e.operands());
    };
  }

  private long outerField(int field) {
    WholeEvaluation around = Objects.requireNonNull(outer);
    return known(around.values[field], around.nulls[field]);
  }

  private long queryValue(Query query) {
    Rows rows = query.rows(this);
    failed |= rows == null || rows.count() > 1;
    return rows == null || rows.count() != 1
        ? known(0, true)
        : known(rows.firstValue(), rows.isFirstNull());
  }

  private static DirectExpression first(DirectExpression e) {
    return e.operands().getFirst();
  }

  private long known(long value, boolean none) {
    isNull = none;
    return none ? 0 : value;
  }

  private long parameter(int number) {
    boolean none = parameters.isNull(number);
    return known(none ? 0 : parameters.raw(number), none);
  }

  private long cast(DirectExpression e) {
    long value = of(first(e));
    SqlTypeSpec from = first(e).type();
    SqlTypeSpec to = e.type();
    if (isNull || from.equals(to)) {
      return value;
    }
    return switch (to.kind()) {
      case REAL ->
          from.kind() == Kind.DOUBLE
              ? real((float) RawNumbers.toDouble(from, value))
              : real(RawNumbers.toReal(from, value));
      case DOUBLE -> number(toDouble(from, value));
      default -> RawNumbers.isFloat(from) ? whole(to, from, value) : scaled(to, from, value);
    };
  }

  private double toDouble(SqlTypeSpec from, long value) {
    failed |= from.kind() == Kind.DECIMAL && Math.abs(value) > RawNumbers.EXACT_DOUBLE_MAX;
    return RawNumbers.toDouble(from, value);
  }

  /** A float as a whole number, rounded half away from zero. */
  private long whole(SqlTypeSpec to, SqlTypeSpec from, long value) {
    double number = RawNumbers.toDouble(from, value);
    boolean beyond = !(Math.abs(number) < RawNumbers.EXACT_DOUBLE_MAX);
    long rounded = (long) Math.floor(Math.abs(number) + 0.5);
    return fitting(to, number < 0 ? -rounded : rounded, beyond);
  }

  /** An exact number with the digits after the point that another type has. */
  private long scaled(SqlTypeSpec to, SqlTypeSpec from, long value) {
    int change = to.scale() - from.scale();
    return change < 0
        ? fitting(to, RawNumbers.dividedHalfUp(value, RawNumbers.tens(-change)), false)
        : times(to, value, RawNumbers.tens(change));
  }

  private long real(float value) {
    failed |= !Float.isFinite(value);
    return Float.floatToRawIntBits(value);
  }

  private long number(double value) {
    failed |= !Double.isFinite(value);
    return Double.doubleToRawLongBits(value);
  }

  private long signed(DirectExpression e) {
    SqlTypeSpec type = e.type();
    long value = of(first(e));
    if (isNull) {
      return 0;
    }
    boolean isBelow =
        RawNumbers.isFloat(type)
            ? Double.compare(RawNumbers.toDouble(type, value), 0) < 0
            : value < 0;
    boolean negates = e.form() == Form.NEGATED || isBelow;
    if (!negates) {
      return value;
    }
    return switch (type.kind()) {
      case REAL -> real(-RawNumbers.toReal(type, value));
      case DOUBLE -> number(-RawNumbers.toDouble(type, value));
      default -> fitting(type, -value, value == Long.MIN_VALUE);
    };
  }

  /** The value, which is not NULL or 0, if the type holds it. */
  private long fitting(SqlTypeSpec type, long value, boolean isBeyond) {
    failed |=
        isBeyond
            || switch (type.kind()) {
              case INTEGER -> value != (int) value;
              case DECIMAL -> Math.abs(value) >= RawNumbers.tens(type.precision());
              default -> false;
            };
    return value;
  }

  private long plus(SqlTypeSpec type, long a, long b) {
    return fitting(type, a + b, ((a ^ (a + b)) & (b ^ (a + b))) < 0);
  }

  private long minus(SqlTypeSpec type, long a, long b) {
    return fitting(type, a - b, ((a ^ b) & (a ^ (a - b))) < 0);
  }

  private long times(SqlTypeSpec type, long a, long b) {
    return fitting(type, a * b, Math.multiplyHigh(a, b) != (a * b) >> 63);
  }

  private long arithmetic(DirectExpression e) {
    DirectExpression left = first(e);
    DirectExpression right = e.operands().getLast();
    long a = of(left);
    boolean none = isNull;
    long b = of(right);
    none |= isNull;
    if (none) {
      return known(0, true);
    }
    return switch (e.type().kind()) {
      case REAL ->
          ofReals(e.form(), RawNumbers.toReal(left.type(), a), RawNumbers.toReal(right.type(), b));
      case DOUBLE -> ofDoubles(e.form(), toDouble(left.type(), a), toDouble(right.type(), b));
      case DECIMAL -> ofDecimals(e, a, b);
      default ->
          switch (e.form()) {
            case PLUS -> plus(e.type(), a, b);
            case MINUS -> minus(e.type(), a, b);
            case TIMES -> times(e.type(), a, b);
            default ->
                b == 0
                    ? fitting(e.type(), 0, true)
                    : fitting(e.type(), a / b, a == Long.MIN_VALUE && b == -1);
          };
    };
  }

  private long ofReals(Form form, float a, float b) {
    failed |= form == Form.DIVIDED && b == 0;
    return real(
        switch (form) {
          case PLUS -> a + b;
          case MINUS -> a - b;
          case TIMES -> a * b;
          default -> a / b;
        });
  }

  private long ofDoubles(Form form, double a, double b) {
    failed |= form == Form.DIVIDED && b == 0;
    return number(
        switch (form) {
          case PLUS -> a + b;
          case MINUS -> a - b;
          case TIMES -> a * b;
          default -> a / b;
        });
  }

  private long ofDecimals(DirectExpression e, long a, long b) {
    SqlTypeSpec type = e.type();
    SqlTypeSpec left = first(e).type();
    SqlTypeSpec right = e.operands().getLast().type();
    return switch (e.form()) {
      case PLUS -> plus(type, scaled(type, left, a), scaled(type, right, b));
      case MINUS -> minus(type, scaled(type, left, a), scaled(type, right, b));
      case TIMES -> {
        int dropped = left.scale() + right.scale() - type.scale();
        long product = times(SqlTypeSpec.BIGINT, a, b);
        yield fitting(type, RawNumbers.dividedHalfUp(product, RawNumbers.tens(dropped)), false);
      }
      default -> {
        int zeros = type.scale() + right.scale() - left.scale();
        boolean beyond = b == 0 || zeros < 0 || zeros > SqlTypeSpec.NARROW_DIGITS_MAX;
        long dividend = beyond ? 0 : times(SqlTypeSpec.BIGINT, a, RawNumbers.tens(zeros));
        yield fitting(type, beyond ? 0 : RawNumbers.dividedHalfUp(dividend, b), beyond);
      }
    };
  }

  private long comparison(DirectExpression e) {
    long a = of(first(e));
    boolean none = isNull;
    long b = of(e.operands().getLast());
    none |= isNull;
    SqlTypeSpec left = first(e).type();
    SqlTypeSpec right = e.operands().getLast().type();
    int order = RawNumbers.compare(left, a, right, b);
    boolean holds =
        switch (e.form()) {
          case EQUAL -> order == 0;
          case UNEQUAL -> order != 0;
          case LESS -> order < 0;
          case AT_MOST -> order <= 0;
          case GREATER -> order > 0;
          default -> order >= 0;
        };
    return known(holds ? 1 : 0, none);
  }

  /** AND, which 0 decides, or OR, which 1 decides. */
  private long logic(DirectExpression e, long deciding) {
    boolean decided = false;
    boolean none = false;
    for (DirectExpression operand : e.operands()) {
      long value = of(operand);
      decided |= !isNull && value == deciding;
      none |= isNull;
    }
    return known(decided ? deciding : 1 - deciding, none && !decided);
  }

  /** Of the results that one alone which is asked for. */
  private long choice(List<DirectExpression> operands) {
    for (int i = 0; i + 1 < operands.size(); i += 2) {
      if (holds(operands.get(i))) {
        return of(operands.get(i + 1));
      }
    }
    return of(operands.getLast());
  }

  private long firstKnown(List<DirectExpression> operands) {
    for (DirectExpression operand : operands) {
      long value = of(operand);
      if (!isNull) {
        return value;
      }
    }
    return 0;
  }
}
