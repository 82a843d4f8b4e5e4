package io.gpdb.planner.function;

import static io.gpdb.planner.function.RexTypes.isInterval;
import static io.gpdb.planner.function.RexTypes.isTemporal;

import io.gpdb.sql.type.IntervalType;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.Locale;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Calls of {@link TimeFunctions}: whatever looks into a date or time, on days or microseconds. */
public final class TimeCalls {
  private TimeCalls() {}

  public static GpdbException unsupported(RexCall call) {
    return new GpdbException(
        ErrorCode.NOT_SUPPORTED,
        call.getOperator().getName() + " of " + call.getOperands().getFirst().getType());
  }

  public static @Nullable RexNode plus(MethodCalls to, RexCall call) {
    RexNode first = call.getOperands().get(0);
    RexNode second = call.getOperands().get(1);
    if (isInterval(first.getType())) {
      return isTemporal(second.getType()) ? moved(to, call, second, first, "") : null;
    }
    return isInterval(second.getType()) && isTemporal(first.getType())
        ? moved(to, call, first, second, "")
        : null;
  }

  public static @Nullable RexNode minus(MethodCalls to, RexCall call) {
    RexNode first = call.getOperands().get(0);
    RexNode second = call.getOperands().get(1);
    if (!isTemporal(first.getType())) {
      return null;
    }
    if (isInterval(second.getType())) {
      return moved(to, call, first, second, "Back");
    }
    return isInterval(call.getType()) ? distance(to, call, first, second) : null;
  }

  /** A date or time plus or minus an interval: of months, or of microseconds. */
  private static RexNode moved(
      MethodCalls to, RexCall call, RexNode time, RexNode interval, String direction) {
    boolean months = SqlTypeName.YEAR_INTERVAL_TYPES.contains(name(interval));
    String what =
        switch (name(time)) {
          case DATE -> "date";
          case TIME -> "time";
          case TIMESTAMP -> "timestamp";
          default -> throw unsupported(call);
        };
    if (months && name(time) == SqlTypeName.TIME) {
      throw unsupported(call);
    }
    String function = what + (months ? "PlusMonths" : "PlusMicros") + direction;
    return to.call(call.getType(), function, time, interval);
  }

  private static SqlTypeName name(RexNode value) {
    return value.getType().getSqlTypeName();
  }

  /** The interval between two dates or times, in whole last fields of its type. */
  private static RexNode distance(MethodCalls to, RexCall call, RexNode later, RexNode earlier) {
    RelDataType type = call.getType();
    IntervalType interval = IntervalType.of(type);
    String function = interval.fields().isMonths() ? "monthsBetween" : "microsBetween";
    return to.call(
        type,
        function,
        instant(to, call, later),
        instant(to, call, earlier),
        IntervalCalls.unit(to, interval));
  }

  /** A date or timestamp as microseconds since 1970-01-01, a time as microseconds of the day. */
  private static RexNode instant(MethodCalls to, RexCall call, RexNode time) {
    RelDataType bigint = to.type(SqlTypeName.BIGINT, time.getType().isNullable());
    return switch (name(time)) {
      case DATE -> to.call(bigint, "dateToTimestamp", time);
      case TIME, TIMESTAMP -> to.call(bigint, "micros", time);
      default -> throw unsupported(call);
    };
  }

  public static @Nullable RexNode extract(MethodCalls to, RexCall call) {
    RexNode time = call.getOperands().get(1);
    if (isInterval(time.getType())) {
      return IntervalCalls.extract(to, call, range(call.getOperands().getFirst(), call));
    }
    if (!isTemporal(time.getType())) {
      return null;
    }
    if (call.getType().getSqlTypeName() == SqlTypeName.DECIMAL) {
      return to.call(call.getType(), "secondOf", instant(to, call, time));
    }
    String function = name(time) == SqlTypeName.TIME ? "ofTime" : "ofTimestamp";
    RexNode unit = to.text(range(call.getOperands().getFirst(), call).name());
    return to.call(call.getType(), function, unit, instant(to, call, time));
  }

  private static TimeUnitRange range(RexNode flag, RexCall call) {
    TimeUnitRange range =
        flag instanceof RexLiteral literal ? literal.getValueAs(TimeUnitRange.class) : null;
    if (range == null) {
      throw unsupported(call);
    }
    return range;
  }

  /** FLOOR or CEIL to a unit. */
  public static MethodForm rounded(String function) {
    return (to, call) -> {
      RexNode time = call.getOperands().getFirst();
      if (call.getOperands().size() != 2 || !isTemporal(time.getType())) {
        return null;
      }
      RexNode unit = to.text(range(call.getOperands().get(1), call).name());
      String what = name(time).getName().toLowerCase(Locale.ROOT);
      return to.call(call.getType(), what + function, unit, time);
    };
  }

  /** TO_CHAR of a date or timestamp. */
  public static @Nullable RexNode formatted(MethodCalls to, RexCall call) {
    RexNode time = call.getOperands().getFirst();
    SqlTypeName type = name(time);
    return type == SqlTypeName.DATE || type == SqlTypeName.TIMESTAMP
        ? to.call(call.getType(), "toChar", instant(to, call, time), call.getOperands().get(1))
        : null;
  }

  /** A method of the microseconds of a date or time. */
  public static MethodForm ofInstant(String method) {
    return (to, call) -> {
      RexNode time = call.getOperands().getFirst();
      return isTemporal(time.getType())
          ? to.call(call.getType(), method, instant(to, call, time))
          : null;
    };
  }
}
