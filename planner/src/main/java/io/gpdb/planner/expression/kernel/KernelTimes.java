package io.gpdb.planner.expression.kernel;

import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.OverflowOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.sql.type.IntervalType;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.sql.type.TemporalText;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * Arithmetic of dates, times and intervals in kernels, as {@link
 * io.gpdb.planner.function.TimeFunctions} has it: a date or time plus or minus an interval, the
 * interval between two, sums and differences of intervals, and their multiples by whole numbers.
 */
final class KernelTimes {
  private static final long DAY = TemporalText.MICROS_PER_DAY;

  private KernelTimes() {}

  /** Whether a sum, difference or product has to do with dates, times or intervals. */
  static boolean isOf(RexCall call) {
    return call.getOperands().stream().anyMatch(KernelTimes::isTimeOrInterval);
  }

  private static boolean isTimeOrInterval(RexNode node) {
    return switch (node.getType().getSqlTypeName().getFamily()) {
      case DATE, TIME, TIMESTAMP, INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH -> true;
      case null, default -> false;
    };
  }

  static KernelExpression sum(ExpressionCompiler in, RexCall call) throws NotCovered {
    KernelExpression first = in.operand(call, 0);
    KernelExpression second = in.operand(call, 1);
    if (isInterval(first) && isInterval(second)) {
      return ofIntervals(call, first, second, OverflowOp.ADD);
    }
    return isInterval(first)
        ? moved(call, second, first, false)
        : moved(call, first, second, false);
  }

  static KernelExpression difference(ExpressionCompiler in, RexCall call) throws NotCovered {
    KernelExpression first = in.operand(call, 0);
    KernelExpression second = in.operand(call, 1);
    if (isInterval(first) && isInterval(second)) {
      return ofIntervals(call, first, second, OverflowOp.SUB);
    }
    return isInterval(second) ? moved(call, first, second, true) : distance(call, first, second);
  }

  private static boolean isInterval(KernelExpression value) {
    return switch (value.type().kind()) {
      case INTERVAL_MONTHS, INTERVAL_MICROS -> true;
      default -> false;
    };
  }

  private static SqlTypeSpec type(RexCall call, List<Kind> kinds) throws NotCovered {
    SqlTypeSpec type = RexValues.spec(call.getType());
    if (!kinds.contains(type.kind())) {
      throw new NotCovered(call.toString());
    }
    return type;
  }

  private static KernelExpression ofIntervals(
      RexCall call, KernelExpression left, KernelExpression right, OverflowOp op)
      throws NotCovered {
    if (left.type().kind() != right.type().kind()) {
      throw new NotCovered(call.toString());
    }
    SqlTypeSpec type = type(call, List.of(left.type().kind()));
    LaneProgram first = left.program();
    LaneProgram second = right.program();
    return KernelExpression.number(
        type,
        lane -> {
          KernelBuilder b = lane.builder();
          LaneValue x = first.emit(lane);
          LaneValue y = second.emit(lane);
          Reg present = KernelLogic.both(b, x, y);
          Reg overflow = b.overflow(op, x.value(), y.value());
          KernelLogic.trap(lane, overflow, present, TrapCodes.INTERVAL_OVERFLOW);
          boolean adds = op == OverflowOp.ADD;
          return new LaneValue(
              adds ? b.add(x.value(), y.value()) : b.sub(x.value(), y.value()), present);
        });
  }

  /** An interval times a whole number, in either order. */
  static KernelExpression product(ExpressionCompiler in, RexCall call) throws NotCovered {
    KernelExpression first = in.operand(call, 0);
    KernelExpression second = in.operand(call, 1);
    KernelExpression interval = isInterval(first) ? first : second;
    KernelExpression number = isInterval(first) ? second : first;
    switch (number.type().kind()) {
      case TINYINT, SMALLINT, INTEGER, BIGINT -> {}
      default -> throw new NotCovered(call.toString());
    }
    SqlTypeSpec type = type(call, List.of(interval.type().kind()));
    // What an interval is a multiple of, its multiples are, too, unless it has finer fields.
    long unit = IntervalType.of(call.getType()).unit();
    return KernelExpression.number(
        type,
        lane -> {
          KernelBuilder b = lane.builder();
          LaneValue x = interval.program().emit(lane);
          LaneValue y = number.program().emit(lane);
          Reg present = KernelLogic.both(b, x, y);
          Reg times = y.type() == Type.I64 ? y.value() : b.convert(y.value(), Type.I64);
          Reg overflow = b.overflow(OverflowOp.MUL, x.value(), times);
          KernelLogic.trap(lane, overflow, present, TrapCodes.INTERVAL_OVERFLOW);
          Reg all = b.mul(x.value(), times);
          return new LaneValue(cut(b, all, unit), present);
        });
  }

  /** Without what is no whole unit. */
  private static Reg cut(KernelBuilder b, Reg value, long unit) {
    return unit == 1 ? value : b.sub(value, b.rem(value, b.i64(unit)));
  }

  static KernelExpression negated(ExpressionCompiler in, RexCall call) throws NotCovered {
    KernelExpression operand = in.operand(call, 0);
    SqlTypeSpec type = type(call, List.of(operand.type().kind()));
    if (!isInterval(operand)) {
      throw new NotCovered(call.toString());
    }
    return KernelExpression.number(
        type,
        lane -> {
          KernelBuilder b = lane.builder();
          LaneValue value = operand.program().emit(lane);
          Reg least = b.eq(value.value(), Long.MIN_VALUE);
          KernelLogic.trap(lane, least, value.present(), TrapCodes.INTERVAL_OVERFLOW);
          return new LaneValue(b.neg(value.value()), value.present());
        });
  }

  /** A date or time plus or minus an interval. */
  private static KernelExpression moved(
      RexCall call, KernelExpression time, KernelExpression interval, boolean back)
      throws NotCovered {
    Kind kind = time.type().kind();
    boolean months = interval.type().kind() == Kind.INTERVAL_MONTHS;
    if (!isInterval(interval) || (months && kind == Kind.TIME)) {
      throw new NotCovered(call.toString());
    }
    switch (kind) {
      case DATE, TIME, TIMESTAMP -> {}
      default -> throw new NotCovered(call.toString());
    }
    SqlTypeSpec type = type(call, List.of(kind));
    return KernelExpression.number(
        type,
        lane -> {
          KernelBuilder b = lane.builder();
          LaneValue x = time.program().emit(lane);
          LaneValue y = interval.program().emit(lane);
          Reg present = KernelLogic.both(b, x, y);
          // The least of all intervals is its own opposite: it leaves the calendar both ways.
          LaneValue by = new LaneValue(back ? b.neg(y.value()) : y.value(), present);
          Reg result = months ? plusMonths(lane, kind, x, by) : plusMicros(lane, kind, x, by);
          return new LaneValue(result, present);
        });
  }

  private static Reg plusMicros(Lane lane, Kind kind, LaneValue time, LaneValue by) {
    KernelBuilder b = lane.builder();
    return switch (kind) {
      case DATE -> {
        Reg days = KernelCalendar.floorDiv(b, by.value(), DAY);
        yield date(lane, b.add(b.convert(time.value(), Type.I64), days), by.present());
      }
      case TIME -> {
        Reg micros = b.add(time.value(), b.rem(by.value(), b.i64(DAY)));
        yield KernelCalendar.floorMod(b, micros, DAY);
      }
      default -> {
        Reg overflow = b.overflow(OverflowOp.ADD, time.value(), by.value());
        KernelLogic.trap(lane, overflow, by.present(), TrapCodes.DATETIME_OVERFLOW);
        yield timestamp(lane, b.add(time.value(), by.value()), by.present());
      }
    };
  }

  private static Reg plusMonths(Lane lane, Kind kind, LaneValue time, LaneValue by) {
    KernelBuilder b = lane.builder();
    boolean isDate = kind == Kind.DATE;
    Reg day =
        isDate ? b.convert(time.value(), Type.I64) : KernelCalendar.floorDiv(b, time.value(), DAY);
    Reg months = by.value();
    // So many months leave the calendar from any day in it, and fewer leave no 64 bits.
    long most = 12L * TemporalText.YEAR_MAX;
    Reg beyond = b.or(b.gt(months, b.i64(most)), b.lt(months, b.i64(-most)));
    int error = TrapCodes.DATE_OVERFLOW;
    KernelLogic.trap(lane, beyond, by.present(), error);
    Reg moved = date(lane, KernelCalendar.plusMonths(b, day, months), by.present());
    if (isDate) {
      return moved;
    }
    Reg ofDay = KernelCalendar.floorMod(b, time.value(), DAY);
    return b.add(b.mul(b.convert(moved, Type.I64), DAY), ofDay);
  }

  /** A day as a date, trapping beyond the calendar's years. */
  private static Reg date(Lane lane, Reg day, @Nullable Reg present) {
    KernelBuilder b = lane.builder();
    Reg below = b.lt(day, b.i64(TemporalText.DAY_MIN));
    Reg outside = b.or(below, b.gt(day, b.i64(TemporalText.DAY_MAX)));
    KernelLogic.trap(lane, outside, present, TrapCodes.DATE_OVERFLOW);
    return b.convert(day, Type.I32);
  }

  private static Reg timestamp(Lane lane, Reg micros, @Nullable Reg present) {
    KernelBuilder b = lane.builder();
    Reg below = b.lt(micros, b.i64(TemporalText.DAY_MIN * DAY));
    Reg outside = b.or(below, b.ge(micros, b.i64(TemporalText.TIMESTAMP_END)));
    KernelLogic.trap(lane, outside, present, TrapCodes.DATETIME_OVERFLOW);
    return micros;
  }

  /** The days and shorter units from one date or time to another. */
  private static KernelExpression distance(
      RexCall call, KernelExpression later, KernelExpression earlier) throws NotCovered {
    SqlTypeSpec type = type(call, List.of(Kind.INTERVAL_MICROS));
    LaneProgram to = instant(call, later);
    LaneProgram from = instant(call, earlier);
    long unit = IntervalType.of(call.getType()).unit();
    return KernelExpression.number(
        type,
        lane -> {
          KernelBuilder b = lane.builder();
          LaneValue x = to.emit(lane);
          LaneValue y = from.emit(lane);
          Reg micros = cut(b, b.sub(x.value(), y.value()), unit);
          return new LaneValue(micros, KernelLogic.both(b, x, y));
        });
  }

  /** A date or timestamp as microseconds since 1970-01-01, a time as microseconds of the day. */
  private static LaneProgram instant(RexCall call, KernelExpression time) throws NotCovered {
    LaneProgram program = time.program();
    return switch (time.type().kind()) {
      case TIME, TIMESTAMP -> program;
      case DATE ->
          lane -> {
            KernelBuilder b = lane.builder();
            LaneValue value = program.emit(lane);
            Reg micros = b.mul(b.convert(value.value(), Type.I64), DAY);
            return new LaneValue(micros, value.present());
          };
      default -> throw new NotCovered(call.toString());
    };
  }
}
