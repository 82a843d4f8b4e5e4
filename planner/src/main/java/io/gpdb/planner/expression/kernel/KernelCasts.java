package io.gpdb.planner.expression.kernel;

import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.OverflowOp;
import io.gpdb.exec.ir.Op.UnaryOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.sql.type.DecimalTypes;
import io.gpdb.sql.type.ExactComparisons;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.sql.type.TemporalText;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.sql.type.SqlTypeName;

/** Conversions between numbers and between temporal types in kernels; half up, checked. */
public final class KernelCasts {

  private KernelCasts() {}

  public static KernelExpression compile(ExpressionCompiler in, RexCall call) throws NotCovered {
    KernelExpression operand = in.operand(call, 0);
    SqlTypeSpec to = RexValues.spec(call.getType());
    if (call.getOperands().getFirst().getType().getSqlTypeName() == SqlTypeName.NULL) {
      return KernelExpression.noValue(to);
    }
    SqlTypeSpec from = operand.type();
    if ((from.kind() == Kind.WIDE_DECIMAL || from.kind() == Kind.UUID) && from.equals(to)) {
      return operand;
    }
    if (from.kind().isInterval() && !from.equals(to)) {
      throw new NotCovered("cast of " + from + " to " + to);
    }
    if (to.kind() == Kind.VARCHAR && from.kind() == Kind.VARCHAR) {
      boolean fits =
          to.precision() == SqlTypeSpec.UNBOUNDED
              || (from.precision() != SqlTypeSpec.UNBOUNDED && from.precision() <= to.precision());
      if (fits) {
        return new KernelExpression(to, operand.program(), operand.strings());
      }
    }
    return KernelExpression.number(to, cast(operand, to));
  }

  /** A number as a column stores it, where a kernel rounds as the host does. */
  public static LaneProgram assignment(KernelExpression value, SqlTypeSpec to) throws NotCovered {
    Kind from = value.type().kind();
    if (from.isString() || to.kind().isString()) {
      throw new NotCovered("assignment of " + value.type() + " to " + to);
    }
    boolean exact = from.isExact() && to.kind().isExact();
    boolean whole = from.isInteger() && from != Kind.BIGINT;
    boolean toFloat =
        (whole && (to.kind() == Kind.REAL || to.kind() == Kind.DOUBLE))
            || (from == Kind.BIGINT && to.kind() == Kind.DOUBLE);
    boolean fromFloat =
        (from == Kind.REAL || from == Kind.DOUBLE)
            && to.kind().isNumeric()
            && to.kind() != Kind.DECIMAL;
    if (!exact && !toFloat && !fromFloat) {
      throw new NotCovered("assignment of " + value.type() + " to " + to);
    }
    return cast(value, to);
  }

  /** A branch of CASE or COALESCE as the whole's type. */
  static LaneProgram branch(KernelExpression operand, SqlTypeSpec to) throws NotCovered {
    if (operand.type().kind() == Kind.VARCHAR && !to.kind().isString()) {
      // The only string that fits here is the untyped NULL.
      Type register = KernelExpression.register(to);
      return lane ->
          new LaneValue(lane.builder().constant(register, 0), lane.builder().pred(false));
    }
    return cast(operand, to);
  }

  /** The type in which two operands are compared. */
  public static SqlTypeSpec common(SqlTypeSpec a, SqlTypeSpec b) throws NotCovered {
    if (a.kind().isString() != b.kind().isString()) {
      throw new NotCovered("comparison of " + a + " and " + b);
    }
    if (a.kind() == b.kind() && a.kind() != Kind.DECIMAL) {
      if (a.kind().isString()) {
        throw new NotCovered("order of strings");
      }
      return a;
    }
    if (a.kind().isNumeric() && b.kind().isNumeric()) {
      return commonNumber(a, b);
    }
    if (a.kind().isTemporal() && b.kind().isTemporal()) {
      return SqlTypeSpec.TIMESTAMP;
    }
    throw new NotCovered("comparison of " + a + " and " + b);
  }

  private static SqlTypeSpec commonNumber(SqlTypeSpec a, SqlTypeSpec b) throws NotCovered {
    if (!a.kind().isExact() || !b.kind().isExact()) {
      return SqlTypeSpec.DOUBLE;
    }
    if (a.kind() != Kind.DECIMAL && b.kind() != Kind.DECIMAL) {
      boolean wide = a.kind() == Kind.BIGINT || b.kind() == Kind.BIGINT;
      return wide ? SqlTypeSpec.BIGINT : SqlTypeSpec.INTEGER;
    }
    if (ExactComparisons.lackCommonType(a, b)) {
      throw new NotCovered("one type for " + a + " and " + b);
    }
    int scale = Math.max(a.scale(), b.scale());
    int whole = Math.max(DecimalTypes.wholeDigits(a), DecimalTypes.wholeDigits(b));
    return SqlTypeSpec.decimal(whole + scale, scale);
  }

  /** A value of one type as one of another; traps where that does not hold it. */
  interface Conversion {
    LaneValue emit(Lane lane, LaneValue value);
  }

  public static LaneProgram cast(KernelExpression operand, SqlTypeSpec to) throws NotCovered {
    Conversion conversion = conversion(operand.type(), to);
    LaneProgram program = operand.program();
    return lane -> conversion.emit(lane, program.emit(lane));
  }

  static Conversion conversion(SqlTypeSpec from, SqlTypeSpec to) throws NotCovered {
    if (from.kind().isString() || to.kind().isString()) {
      throw new NotCovered("cast of " + from + " to " + to);
    }
    if (from.kind() == to.kind() && from.kind() != Kind.DECIMAL) {
      boolean rounds = to.kind().isClock() && to.precision() < from.precision();
      return rounds ? (lane, value) -> roundedTime(lane, value, to) : (lane, value) -> value;
    }
    if (from.kind().isExact() && to.kind().isExact()) {
      return (lane, value) -> exact(lane, value, from, to);
    }
    if (from.kind().isExact() && !to.kind().isExact() && to.kind().isNumeric()) {
      return (lane, value) -> toFloat(lane, value, from, to);
    }
    if (from.kind() == Kind.REAL && to.kind() == Kind.DOUBLE) {
      return (lane, value) ->
          new LaneValue(lane.builder().convert(value.value(), Type.F64), value.present());
    }
    if (from.kind() == Kind.DOUBLE && to.kind() == Kind.REAL) {
      return KernelCasts::narrowFloat;
    }
    if ((from.kind() == Kind.REAL || from.kind() == Kind.DOUBLE)
        && to.kind() != Kind.DECIMAL
        && to.kind().isExact()) {
      return (lane, value) -> fromFloat(lane, value, to);
    }
    if (from.kind() == Kind.DATE && to.kind() == Kind.TIMESTAMP) {
      return (lane, value) -> {
        KernelBuilder b = lane.builder();
        Reg micros = b.mul(b.convert(value.value(), Type.I64), TemporalText.MICROS_PER_DAY);
        return new LaneValue(micros, value.present());
      };
    }
    if (from.kind() == Kind.TIMESTAMP && to.kind() == Kind.DATE) {
      return (lane, value) -> {
        KernelBuilder b = lane.builder();
        Reg day = KernelCalendar.floorDiv(b, value.value(), TemporalText.MICROS_PER_DAY);
        return new LaneValue(b.convert(day, Type.I32), value.present());
      };
    }
    throw new NotCovered("cast of " + from + " to " + to);
  }

  /** Fewer digits of the second, half up; the end of the day is the beginning of the next. */
  private static LaneValue roundedTime(Lane lane, LaneValue value, SqlTypeSpec to) {
    KernelBuilder b = lane.builder();
    long unit = power(SqlTypeSpec.FRACTION_DIGITS_MAX - to.precision());
    Reg units = KernelCalendar.floorDiv(b, b.add(value.value(), b.i64(unit / 2)), unit);
    Reg rounded = b.mul(units, unit);
    if (to.kind() != Kind.TIME) {
      KernelLogic.trap(
          lane,
          b.ge(rounded, b.i64(TemporalText.TIMESTAMP_END)),
          value.present(),
          TrapCodes.DATETIME_OVERFLOW);
    }
    return new LaneValue(
        to.kind() == Kind.TIME ? b.rem(rounded, b.i64(TemporalText.MICROS_PER_DAY)) : rounded,
        value.present());
  }

  static long power(int exponent) {
    long power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= 10;
    }
    return power;
  }

  /** Whether a type has all values of another, however many zeros they get behind the point. */
  private static boolean holdsAll(SqlTypeSpec to, SqlTypeSpec from) {
    return to.kind() == Kind.DECIMAL
        && to.scale() >= from.scale()
        && DecimalTypes.wholeDigits(to) >= DecimalTypes.wholeDigits(from);
  }

  /** Between integers and decimals: rescaled, then checked against the target's range. */
  private static LaneValue exact(Lane lane, LaneValue value, SqlTypeSpec from, SqlTypeSpec to) {
    KernelBuilder b = lane.builder();
    int change = to.scale() - from.scale();
    boolean narrow =
        KernelExpression.register(from) == Type.I32 && KernelExpression.register(to) == Type.I32;
    Reg x = narrow ? value.value() : b.convert(value.value(), Type.I64);
    if (holdsAll(to, from)) {
      return new LaneValue(change == 0 ? x : b.mul(x, b.i64(power(change))), value.present());
    }
    if (change > 0) {
      Reg factor = b.i64(power(change));
      KernelLogic.trap(
          lane, b.overflow(OverflowOp.MUL, x, factor), value.present(), TrapCodes.OUT_OF_RANGE);
      x = b.mul(x, factor);
    } else if (change < 0) {
      x = dividedHalfUp(b, x, power(-change));
    }
    return new LaneValue(ranged(lane, x, value, to), value.present());
  }

  /** Quotient rounded half away from zero. */
  private static Reg dividedHalfUp(KernelBuilder b, Reg x, long divisor) {
    Reg by = b.i64(divisor);
    Reg quotient = b.div(x, by);
    Reg rest = b.unary(UnaryOp.ABS, b.rem(x, by));
    Reg away = b.select(b.lt(x, 0), b.i64(-1), b.i64(1));
    Reg rounds = b.ge(rest, b.i64(divisor - divisor / 2));
    return b.add(quotient, b.select(rounds, away, b.i64(0)));
  }

  /** The same by any divisor but zero. */
  static Reg dividedHalfUp(KernelBuilder b, Reg x, Reg divisor) {
    Reg quotient = b.div(x, divisor);
    Reg rest = b.unary(UnaryOp.ABS, b.sub(x, b.mul(quotient, divisor)));
    Reg half = b.sub(b.unary(UnaryOp.ABS, divisor), rest);
    Reg away = b.select(b.lt(b.xor(x, divisor), 0), b.i64(-1), b.i64(1));
    return b.add(quotient, b.select(b.ge(rest, half), away, b.i64(0)));
  }

  /** The value in the target's register type, trapping outside of its range. */
  static Reg ranged(Lane lane, Reg x, LaneValue value, SqlTypeSpec to) {
    KernelBuilder b = lane.builder();
    long limit =
        switch (to.kind()) {
          case TINYINT -> Byte.MAX_VALUE;
          case SMALLINT -> Short.MAX_VALUE;
          case INTEGER -> Integer.MAX_VALUE;
          case DECIMAL -> power(to.precision()) - 1;
          default -> Long.MAX_VALUE;
        };
    boolean whole = x.type() == Type.I32 && limit >= Integer.MAX_VALUE;
    if (limit != Long.MAX_VALUE && !whole) {
      long least = to.kind() == Kind.DECIMAL ? -limit : -limit - 1;
      Reg outside = b.or(b.gt(x, b.integer(x.type(), limit)), b.lt(x, b.integer(x.type(), least)));
      KernelLogic.trap(lane, outside, value.present(), TrapCodes.OUT_OF_RANGE);
    }
    Type register = KernelExpression.register(to);
    return x.type() == register ? x : b.convert(x, register);
  }

  private static LaneValue toFloat(Lane lane, LaneValue value, SqlTypeSpec from, SqlTypeSpec to) {
    KernelBuilder b = lane.builder();
    Reg x = b.convert(value.value(), Type.F64);
    if (from.scale() > 0) {
      x = b.div(x, b.f64((double) power(from.scale())));
    } else if (to.kind() == Kind.REAL) {
      x = value.value();
    }
    Type register = KernelExpression.register(to);
    return new LaneValue(x.type() == register ? x : b.convert(x, register), value.present());
  }

  private static LaneValue narrowFloat(Lane lane, LaneValue value) {
    KernelBuilder b = lane.builder();
    Reg narrowed = b.convert(value.value(), Type.F32);
    Reg infinite = b.eq(b.unary(UnaryOp.ABS, narrowed), b.f32(Float.POSITIVE_INFINITY));
    Reg was = b.eq(b.unary(UnaryOp.ABS, value.value()), b.f64(Double.POSITIVE_INFINITY));
    KernelLogic.trap(lane, b.and(infinite, b.not(was)), value.present(), TrapCodes.OUT_OF_RANGE);
    return new LaneValue(narrowed, value.present());
  }

  private static LaneValue fromFloat(Lane lane, LaneValue value, SqlTypeSpec to) {
    KernelBuilder b = lane.builder();
    Reg x = value.value().type() == Type.F64 ? value.value() : b.convert(value.value(), Type.F64);
    Reg whole = b.unary(UnaryOp.TRUNC, x);
    Reg rest = b.unary(UnaryOp.ABS, b.sub(x, whole));
    Reg away = b.select(b.lt(x, b.f64(0)), b.f64(-1), b.f64(1));
    Reg rounded = b.add(whole, b.select(b.ge(rest, b.f64(0.5)), away, b.f64(0)));
    double limit =
        switch (to.kind()) {
          case TINYINT -> 128.0;
          case SMALLINT -> 32768.0;
          case INTEGER -> 2147483648.0;
          default -> 0x1p63;
        };
    Reg fits = b.and(b.ge(rounded, b.f64(-limit)), b.lt(rounded, b.f64(limit)));
    KernelLogic.trap(lane, b.not(fits), value.present(), TrapCodes.OUT_OF_RANGE);
    return new LaneValue(b.convert(rounded, KernelExpression.register(to)), value.present());
  }
}
