package io.gpdb.planner.function;

import static io.gpdb.planner.function.RexTypes.isFloat;
import static io.gpdb.planner.function.RexTypes.isInterval;

import io.gpdb.sql.type.IntervalType;
import io.gpdb.sql.type.SqlTypeSpec;
import java.math.BigDecimal;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/** Calls of {@link IntervalFunctions}: whatever computes with intervals. */
public final class IntervalCalls {
  private IntervalCalls() {}

  /** A function of intervals alone. */
  public static MethodForm ofIntervals(String function) {
    return (to, call) ->
        call.getOperands().stream().allMatch(o -> isInterval(o.getType()))
            ? to.call(call.getType(), function, call.getOperands().toArray(RexNode[]::new))
            : null;
  }

  /** An interval times a number, in either order. */
  public static @Nullable RexNode times(MethodCalls to, RexCall call) {
    RexNode first = call.getOperands().get(0);
    RexNode second = call.getOperands().get(1);
    return isInterval(second.getType())
        ? scaled(to, call, "intervalTimes", second, first)
        : scaled(to, call, "intervalTimes", first, second);
  }

  /** An interval divided by a number. */
  public static @Nullable RexNode divided(MethodCalls to, RexCall call) {
    return scaled(
        to, call, "intervalDivided", call.getOperands().get(0), call.getOperands().get(1));
  }

  private static @Nullable RexNode scaled(
      MethodCalls to, RexCall call, String function, RexNode interval, RexNode number) {
    if (!isInterval(interval.getType()) || !SqlTypeUtil.isNumeric(number.getType())) {
      return null;
    }
    boolean approximate = isFloat(number.getType());
    return to.call(
        call.getType(),
        function + (approximate ? "Double" : ""),
        interval,
        approximate ? to.asDouble(number) : number,
        unit(to, IntervalType.of(call.getType())));
  }

  /** Of how many months or microseconds values of the type are multiples. */
  static RexNode unit(MethodCalls to, IntervalType type) {
    return type.fields().isMonths() ? to.integer((int) type.unit()) : bigint(to, type.unit());
  }

  private static RexNode bigint(MethodCalls to, long value) {
    return to.builder()
        .makeExactLiteral(BigDecimal.valueOf(value), to.type(SqlTypeName.BIGINT, false));
  }

  /** A field of an interval; its sign is that of the interval. */
  static RexNode extract(MethodCalls to, RexCall call, TimeUnitRange field) {
    RexNode interval = call.getOperands().get(1);
    long[] place = IntervalType.of(interval.getType()).place(field.startUnit);
    if (place.length == 0 || field.endUnit != null) {
      throw TimeCalls.unsupported(call);
    }
    RexNode unit = bigint(to, place[0]);
    RexNode values = bigint(to, place[1]);
    boolean fraction = call.getType().getSqlTypeName() == SqlTypeName.DECIMAL;
    return to.call(
        call.getType(), fraction ? "secondsOfInterval" : "fieldOfInterval", interval, unit, values);
  }

  /** A cast of an interval or to one; null where it is neither. */
  static @Nullable RexNode cast(MethodCalls to, RelDataType type, RexNode value) {
    RelDataType from = value.getType();
    if (isInterval(type)) {
      SqlTypeSpec spec = IntervalType.of(type).spec();
      RexNode precision = to.integer(spec.precision());
      RexNode scale = to.integer(spec.scale());
      if (isInterval(from)) {
        return to.call(type, "fittedInterval", value, precision, scale);
      }
      return SqlTypeUtil.inCharFamily(from)
          ? to.call(type, "textToInterval", value, precision, scale)
          : to.call(type, "numberToInterval", exact(to, value), precision, scale);
    }
    if (!isInterval(from) || !SqlTypeUtil.isNumeric(type)) {
      return null;
    }
    IntervalType interval = IntervalType.of(from);
    RelDataType decimal =
        to.decimal(
            SqlTypeSpec.NARROW_DIGITS_MAX,
            interval.fields().hasSeconds() ? SqlTypeSpec.FRACTION_DIGITS_MAX : 0,
            from.isNullable());
    RexNode number =
        to.call(decimal, "intervalToNumber", value, to.integer(interval.spec().scale()));
    return to.builder().makeAbstractCast(type, number, false);
  }

  private static RexNode exact(MethodCalls to, RexNode number) {
    if (!isFloat(number.getType())) {
      return number;
    }
    int digits = SqlTypeSpec.DECIMAL_DIGITS_MAX;
    int scale = SqlTypeSpec.FRACTION_DIGITS_MAX;
    RelDataType decimal = to.decimal(digits, scale, number.getType().isNullable());
    return to.call(decimal, "doubleToDecimal", number, to.integer(digits), to.integer(scale));
  }
}
