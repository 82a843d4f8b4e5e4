package io.gpdb.planner.function;

import static io.gpdb.planner.function.RexTypes.isInterval;
import static io.gpdb.planner.function.RexTypes.isTemporal;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.Locale;
import org.apache.calcite.avatica.util.TimeUnit;
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

  /** A date or time plus or minus an interval: of months, or of milliseconds. */
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
    RelDataType bigint = to.type(SqlTypeName.BIGINT, interval.getType().isNullable());
    RexNode amount = reinterpreted(to, bigint, interval);
    String function = what + (months ? "PlusMonths" : "PlusMillis") + direction;
    return to.call(call.getType(), function, time, amount);
  }

  private static SqlTypeName name(RexNode value) {
    return value.getType().getSqlTypeName();
  }

  private static RexNode reinterpreted(MethodCalls to, RelDataType type, RexNode value) {
    RexNode unchecked = to.builder().makeLiteral(false);
    return to.builder().makeReinterpretCast(type, value, unchecked);
  }

  /** The interval between two dates or times, in months or milliseconds. */
  private static RexNode distance(MethodCalls to, RexCall call, RexNode later, RexNode earlier) {
    RelDataType type = call.getType();
    boolean months = SqlTypeName.YEAR_INTERVAL_TYPES.contains(type.getSqlTypeName());
    TimeUnit unit =
        type.getIntervalQualifier() == null ? null : type.getIntervalQualifier().getStartUnit();
    if (unit == TimeUnit.MICROSECOND || unit == TimeUnit.NANOSECOND) {
      throw unsupported(call);
    }
    String function = months ? "monthsBetween" : "millisBetween";
    RelDataType bigint = to.type(SqlTypeName.BIGINT, type.isNullable());
    RexNode amount =
        to.call(bigint, function, instant(to, call, later), instant(to, call, earlier));
    return reinterpreted(to, type, amount);
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

  public static @Nullable RexNode lastDay(MethodCalls to, RexCall call) {
    RexNode time = call.getOperands().getFirst();
    return isTemporal(time.getType())
        ? to.call(call.getType(), "lastDay", instant(to, call, time))
        : null;
  }
}
