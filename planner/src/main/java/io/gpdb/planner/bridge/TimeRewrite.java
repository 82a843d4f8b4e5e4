package io.gpdb.planner.bridge;

import static io.gpdb.planner.bridge.BridgeExpressions.isClock;
import static io.gpdb.planner.bridge.BridgeExpressions.isInterval;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Dates and times. Whatever looks into a TIME or TIMESTAMP becomes a function of ours on
 * microseconds; what only passes or compares them stays; the rest is refused.
 */
final class TimeRewrite {
  /** Calls that take values of any type without looking into them. */
  private static final Set<SqlKind> OPAQUE =
      EnumSet.of(
          SqlKind.EQUALS,
          SqlKind.NOT_EQUALS,
          SqlKind.LESS_THAN,
          SqlKind.LESS_THAN_OR_EQUAL,
          SqlKind.GREATER_THAN,
          SqlKind.GREATER_THAN_OR_EQUAL,
          SqlKind.IS_DISTINCT_FROM,
          SqlKind.IS_NOT_DISTINCT_FROM,
          SqlKind.IS_NULL,
          SqlKind.IS_NOT_NULL,
          SqlKind.CASE,
          SqlKind.COALESCE,
          SqlKind.NULLIF,
          SqlKind.GREATEST,
          SqlKind.LEAST,
          SqlKind.IN,
          SqlKind.NOT_IN,
          SqlKind.BETWEEN,
          SqlKind.ROW,
          SqlKind.FIRST_VALUE,
          SqlKind.LAST_VALUE,
          SqlKind.NTH_VALUE,
          SqlKind.LAG,
          SqlKind.LEAD,
          SqlKind.MIN,
          SqlKind.MAX,
          SqlKind.COUNT,
          SqlKind.ANY_VALUE,
          SqlKind.SINGLE_VALUE,
          SqlKind.FIELD_ACCESS,
          SqlKind.ITEM);

  private final BridgeExpressions rewrite;

  TimeRewrite(BridgeExpressions rewrite) {
    this.rewrite = rewrite;
  }

  /** An operand as it is now, and its type in the query. */
  private record Operand(RexNode node, RelDataType type) {
    static Operand of(RexCall call, List<RexNode> operands, int index) {
      return new Operand(operands.get(index), call.getOperands().get(index).getType());
    }

    SqlTypeName name() {
      return type.getSqlTypeName();
    }
  }

  @Nullable RexNode rewrite(RexCall call, List<RexNode> operands) {
    RexNode now = operands.isEmpty() ? now(call) : null;
    if (now != null) {
      return now;
    }
    if (OPAQUE.contains(call.getKind())
        || call.getOperands().stream().noneMatch(o -> isTemporal(o.getType()))) {
      return null;
    }
    Operand first = Operand.of(call, operands, 0);
    Operand second = operands.size() > 1 ? Operand.of(call, operands, 1) : first;
    RexNode own =
        switch (call.getKind()) {
          case PLUS, CHECKED_PLUS -> plus(call, first, second);
          case MINUS, CHECKED_MINUS -> minus(call, first, second);
          case EXTRACT -> extract(call, first.node(), second);
          case FLOOR, CEIL -> operands.size() == 2 ? rounded(call, first, second.node()) : null;
          default -> call.getOperator().getName().equals("LAST_DAY") ? lastDay(call, first) : null;
        };
    if (own == null && call.getOperands().stream().anyMatch(o -> isClock(o.getType()))) {
      throw unsupported(call);
    }
    return own;
  }

  private static GpdbException unsupported(RexCall call) {
    return new GpdbException(
        ErrorCode.NOT_SUPPORTED,
        call.getOperator().getName() + " of " + call.getOperands().getFirst().getType());
  }

  private static boolean isTemporal(RelDataType type) {
    return isClock(type) || type.getSqlTypeName() == SqlTypeName.DATE;
  }

  private @Nullable RexNode now(RexCall call) {
    int parameter =
        switch (call.getOperator().getName()) {
          case "CURRENT_TIMESTAMP", "LOCALTIMESTAMP" -> BridgeContext.TIMESTAMP_PARAMETER;
          case "CURRENT_TIME", "LOCALTIME" -> BridgeContext.TIME_PARAMETER;
          case "CURRENT_DATE" -> BridgeContext.DATE_PARAMETER;
          default -> -1;
        };
    return parameter < 0
        ? null
        : rewrite.builder().makeDynamicParam(rewrite.stored(call.getType()), parameter);
  }

  private @Nullable RexNode plus(RexCall call, Operand first, Operand second) {
    if (isInterval(first.type())) {
      return moved(call, second, first, "");
    }
    return isInterval(second.type()) ? moved(call, first, second, "") : null;
  }

  private @Nullable RexNode minus(RexCall call, Operand first, Operand second) {
    if (isInterval(second.type())) {
      return moved(call, first, second, "Back");
    }
    return isInterval(call.getType()) ? distance(call, first, second) : null;
  }

  /** A date or time plus or minus an interval: of months, or of milliseconds. */
  private RexNode moved(RexCall call, Operand time, Operand interval, String direction) {
    boolean months = SqlTypeName.YEAR_INTERVAL_TYPES.contains(interval.name());
    String what =
        switch (time.name()) {
          case DATE -> "date";
          case TIME -> "time";
          case TIMESTAMP -> "timestamp";
          default -> throw unsupported(call);
        };
    if (months && time.name() == SqlTypeName.TIME) {
      throw unsupported(call);
    }
    RelDataType bigint = rewrite.type(SqlTypeName.BIGINT, interval.type().isNullable());
    RexNode amount = reinterpreted(bigint, interval.node());
    String function = what + (months ? "PlusMonths" : "PlusMillis") + direction;
    return rewrite.call(call.getType(), function, time.node(), amount);
  }

  private RexNode reinterpreted(RelDataType type, RexNode value) {
    RexNode unchecked = rewrite.builder().makeLiteral(false);
    return rewrite.builder().makeReinterpretCast(type, value, unchecked);
  }

  /** The interval between two dates or times, in months or milliseconds. */
  private RexNode distance(RexCall call, Operand later, Operand earlier) {
    RelDataType type = call.getType();
    boolean months = SqlTypeName.YEAR_INTERVAL_TYPES.contains(type.getSqlTypeName());
    TimeUnit unit =
        type.getIntervalQualifier() == null ? null : type.getIntervalQualifier().getStartUnit();
    if (unit == TimeUnit.MICROSECOND || unit == TimeUnit.NANOSECOND) {
      throw unsupported(call);
    }
    String function = months ? "monthsBetween" : "millisBetween";
    RelDataType bigint = rewrite.type(SqlTypeName.BIGINT, type.isNullable());
    RexNode amount = rewrite.call(bigint, function, instant(later, call), instant(earlier, call));
    return reinterpreted(type, amount);
  }

  /** A date or timestamp as microseconds since 1970-01-01, a time as microseconds of the day. */
  private RexNode instant(Operand time, RexCall call) {
    RelDataType bigint = rewrite.type(SqlTypeName.BIGINT, time.type().isNullable());
    return switch (time.name()) {
      case DATE -> rewrite.call(bigint, "dateToTimestamp", time.node());
      case TIME, TIMESTAMP -> rewrite.call(bigint, "micros", time.node());
      default -> throw unsupported(call);
    };
  }

  private @Nullable RexNode extract(RexCall call, RexNode unit, Operand time) {
    if (!isTemporal(time.type())) {
      return null;
    }
    if (call.getType().getSqlTypeName() == SqlTypeName.DECIMAL) {
      return rewrite.call(call.getType(), "secondOf", instant(time, call));
    }
    String function = time.name() == SqlTypeName.TIME ? "ofTime" : "ofTimestamp";
    return rewrite.call(
        call.getType(), function, rewrite.text(range(unit, call).name()), instant(time, call));
  }

  private static TimeUnitRange range(RexNode flag, RexCall call) {
    TimeUnitRange range =
        flag instanceof RexLiteral literal ? literal.getValueAs(TimeUnitRange.class) : null;
    if (range == null) {
      throw unsupported(call);
    }
    return range;
  }

  private @Nullable RexNode rounded(RexCall call, Operand time, RexNode unit) {
    if (!isTemporal(time.type())) {
      return null;
    }
    String what =
        switch (time.name()) {
          case DATE -> "date";
          case TIME -> "time";
          default -> "timestamp";
        };
    String function = what + (call.getKind() == SqlKind.FLOOR ? "Floor" : "Ceil");
    return rewrite.call(
        call.getType(), function, rewrite.text(range(unit, call).name()), time.node());
  }

  private RexNode lastDay(RexCall call, Operand time) {
    return rewrite.call(call.getType(), "lastDay", instant(time, call));
  }
}
