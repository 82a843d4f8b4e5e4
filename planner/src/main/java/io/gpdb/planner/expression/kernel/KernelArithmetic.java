package io.gpdb.planner.expression.kernel;

import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.BinaryOp;
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
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Arithmetic in kernels: integers and decimals checked, floats as IEEE has them. */
public final class KernelArithmetic {
  private KernelArithmetic() {}

  private static KernelExpression operand(ExpressionCompiler in, RexCall call, int index)
      throws NotCovered {
    boolean numbers =
        isNumeric(call) && call.getOperands().stream().allMatch(KernelArithmetic::isNumeric);
    if (!numbers) {
      throw new NotCovered(call.getOperator().getName());
    }
    KernelExpression operand = in.operand(call, index);
    if (operand.type().kind().isString() || RexValues.spec(call.getType()).kind().isString()) {
      throw new NotCovered(call.getOperator().getName() + " of wide decimals");
    }
    return operand;
  }

  private static boolean isNumeric(RexNode node) {
    return SqlTypeName.NUMERIC_TYPES.contains(node.getType().getSqlTypeName());
  }

  public static KernelExpression sum(ExpressionCompiler in, RexCall call) throws NotCovered {
    return KernelTimes.isOf(call)
        ? KernelTimes.sum(in, call)
        : sum(in, call, BinaryOp.ADD, OverflowOp.ADD);
  }

  public static KernelExpression difference(ExpressionCompiler in, RexCall call) throws NotCovered {
    return KernelTimes.isOf(call)
        ? KernelTimes.difference(in, call)
        : sum(in, call, BinaryOp.SUB, OverflowOp.SUB);
  }

  public static KernelExpression quotient(ExpressionCompiler in, RexCall call) throws NotCovered {
    return quotient(in, call, BinaryOp.DIV);
  }

  public static KernelExpression remainder(ExpressionCompiler in, RexCall call) throws NotCovered {
    return quotient(in, call, BinaryOp.REM);
  }

  public static KernelExpression floor(ExpressionCompiler in, RexCall call) throws NotCovered {
    return rounded(in, call, UnaryOp.FLOOR);
  }

  public static KernelExpression ceil(ExpressionCompiler in, RexCall call) throws NotCovered {
    return rounded(in, call, UnaryOp.CEIL);
  }

  private static KernelExpression sum(
      ExpressionCompiler in, RexCall call, BinaryOp op, OverflowOp overflow) throws NotCovered {
    KernelExpression left = operand(in, call, 0);
    KernelExpression right = operand(in, call, 1);
    SqlTypeSpec derived = RexValues.spec(call.getType());
    SqlTypeSpec exact = derived.kind() == Kind.DECIMAL ? sumType(derived, left, right) : null;
    SqlTypeSpec type = exact == null ? workType(derived) : exact;
    KernelCasts.Conversion leftCast = KernelCasts.conversion(left.type(), type);
    KernelCasts.Conversion rightCast = KernelCasts.conversion(right.type(), type);
    return KernelExpression.number(
        type,
        lane -> {
          LaneValue x = left.program().emit(lane);
          LaneValue y = right.program().emit(lane);
          // A NULL on one side keeps the cast of the other from raising.
          Reg present = KernelLogic.both(lane.builder(), x, y);
          LaneValue a = leftCast.emit(lane, new LaneValue(x.value(), present));
          LaneValue b = rightCast.emit(lane, new LaneValue(y.value(), present));
          return exact == null
              ? KernelSums.checked(lane, type, op, overflow, a, b)
              : new LaneValue(lane.builder().binary(op, a.value(), b.value()), present);
        });
  }

  /** A type that has all sums and differences of two operands; null where 18 digits are too few. */
  private static @Nullable SqlTypeSpec sumType(
      SqlTypeSpec derived, KernelExpression left, KernelExpression right) {
    int scale = derived.scale();
    int whole = 1 + Math.max(wholeDigits(left), wholeDigits(right));
    return scale < Math.max(left.type().scale(), right.type().scale())
        ? null
        : ofDigits(whole + scale, scale);
  }

  /** The same of products. */
  private static @Nullable SqlTypeSpec productType(KernelExpression left, KernelExpression right) {
    int scale = left.type().scale() + right.type().scale();
    return ofDigits(wholeDigits(left) + wholeDigits(right) + scale, scale);
  }

  private static int wholeDigits(KernelExpression operand) {
    return DecimalTypes.wholeDigits(operand.type());
  }

  private static @Nullable SqlTypeSpec ofDigits(int digits, int scale) {
    return digits > SqlTypeSpec.NARROW_DIGITS_MAX ? null : SqlTypeSpec.decimal(digits, scale);
  }

  /** A DECIMAL result may use all 18 digits whatever precision Calcite derives. */
  private static SqlTypeSpec workType(SqlTypeSpec type) {
    return type.kind() == Kind.DECIMAL
        ? SqlTypeSpec.decimal(SqlTypeSpec.NARROW_DIGITS_MAX, type.scale())
        : type;
  }

  public static KernelExpression product(ExpressionCompiler in, RexCall call) throws NotCovered {
    if (KernelTimes.isOf(call)) {
      return KernelTimes.product(in, call);
    }
    SqlTypeSpec type = workType(RexValues.spec(call.getType()));
    KernelExpression left = operand(in, call, 0);
    KernelExpression right = operand(in, call, 1);
    if (type.kind() == Kind.DECIMAL) {
      if (left.type().scale() + right.type().scale() != type.scale()
          || KernelSums.isFloat(left.type())
          || KernelSums.isFloat(right.type())) {
        throw new NotCovered("DECIMAL product that has to be rounded");
      }
      LaneProgram a = unscaled(left);
      LaneProgram b = unscaled(right);
      SqlTypeSpec exact = productType(left, right);
      if (exact != null) {
        return KernelExpression.number(
            exact,
            lane -> {
              LaneValue x = a.emit(lane);
              LaneValue y = b.emit(lane);
              Reg present = KernelLogic.both(lane.builder(), x, y);
              return new LaneValue(lane.builder().mul(x.value(), y.value()), present);
            });
      }
      return KernelExpression.number(
          type,
          lane ->
              KernelSums.checked(
                  lane, type, BinaryOp.MUL, OverflowOp.MUL, a.emit(lane), b.emit(lane)));
    }
    LaneProgram a = KernelCasts.cast(left, type);
    LaneProgram b = KernelCasts.cast(right, type);
    return KernelExpression.number(
        type,
        lane ->
            KernelSums.checked(
                lane, type, BinaryOp.MUL, OverflowOp.MUL, a.emit(lane), b.emit(lane)));
  }

  /** An exact number's 64-bit digits without regard to its scale. */
  private static LaneProgram unscaled(KernelExpression operand) {
    LaneProgram program = operand.program();
    return lane -> {
      LaneValue value = program.emit(lane);
      return value.type() == Type.I64
          ? value
          : new LaneValue(lane.builder().convert(value.value(), Type.I64), value.present());
    };
  }

  private static KernelExpression quotient(ExpressionCompiler in, RexCall call, BinaryOp op)
      throws NotCovered {
    SqlTypeSpec type = RexValues.spec(call.getType());
    KernelExpression left = operand(in, call, 0);
    KernelExpression right = operand(in, call, 1);
    if (type.kind() == Kind.DECIMAL && op == BinaryOp.DIV) {
      return decimalQuotient(call, workType(type), left, right);
    }
    if (type.kind() == Kind.DECIMAL
        || left.type().kind() == Kind.DECIMAL
        || right.type().kind() == Kind.DECIMAL) {
      throw new NotCovered("DECIMAL " + call.getOperator().getName());
    }
    // MOD has its second operand's type: both sides are brought to the wider of the two first.
    SqlTypeSpec work =
        KernelSums.isFloat(type) ? type : KernelCasts.common(left.type(), right.type());
    LaneProgram a = KernelCasts.cast(left, work);
    LaneProgram c = KernelCasts.cast(right, work);
    return KernelExpression.number(
        type,
        lane -> {
          LaneValue x = a.emit(lane);
          LaneValue y = c.emit(lane);
          LaneValue result = divided(lane, op, x, y);
          return new LaneValue(
              KernelSums.isFloat(type)
                  ? result.value()
                  : KernelCasts.ranged(lane, result.value(), result, type),
              result.present());
        });
  }

  /**
   * The dividend's digits, with so many zeros that whole numbers divide to the quotient's digits,
   * by the divisor's; half up. It has no more than 18 digits with the zeros: 64 bits hold it.
   */
  private static KernelExpression decimalQuotient(
      RexCall call, SqlTypeSpec type, KernelExpression left, KernelExpression right)
      throws NotCovered {
    SqlTypeSpec dividend = RexValues.spec(call.getOperands().getFirst().getType());
    int zeros = type.scale() + right.type().scale() - left.type().scale();
    int digits = DecimalTypes.wholeDigits(dividend) + dividend.scale() + zeros;
    if (zeros < 0
        || digits > SqlTypeSpec.NARROW_DIGITS_MAX
        || KernelSums.isFloat(left.type())
        || KernelSums.isFloat(right.type())) {
      throw new NotCovered("DECIMAL quotient beyond 64 bits");
    }
    LaneProgram a = unscaled(left);
    LaneProgram c = unscaled(right);
    long factor = KernelCasts.power(zeros);
    return KernelExpression.number(
        type,
        lane -> {
          KernelBuilder b = lane.builder();
          LaneValue x = a.emit(lane);
          LaneValue y = c.emit(lane);
          Reg present = KernelLogic.both(b, x, y);
          Reg byZero = b.eq(y.value(), b.i64(0));
          KernelLogic.trap(lane, byZero, present, TrapCodes.DIVISION_BY_ZERO);
          // The value under a NULL may be 0.
          Reg divisor = b.select(byZero, b.i64(1), y.value());
          Reg rounded = KernelCasts.dividedHalfUp(b, b.mul(x.value(), b.i64(factor)), divisor);
          LaneValue result = new LaneValue(rounded, present);
          return new LaneValue(KernelCasts.ranged(lane, rounded, result, type), present);
        });
  }

  private static LaneValue divided(Lane lane, BinaryOp op, LaneValue x, LaneValue y) {
    KernelBuilder b = lane.builder();
    Reg present = KernelLogic.both(b, x, y);
    Type register = x.type();
    boolean floating = register == Type.F32 || register == Type.F64;
    Reg zero = floating ? b.constant(register, 0) : b.integer(register, 0);
    Reg byZero = b.eq(y.value(), zero);
    KernelLogic.trap(lane, byZero, present, TrapCodes.DIVISION_BY_ZERO);
    if (floating) {
      return new LaneValue(b.binary(op, x.value(), y.value()), present);
    }
    // The value under a NULL may be 0, and MIN / -1 does not fit: both lanes divide by 1.
    Reg minusOne = b.eq(y.value(), -1);
    Reg safe = b.select(b.or(byZero, minusOne), b.integer(register, 1), y.value());
    Reg plain = b.binary(op, x.value(), safe);
    if (op == BinaryOp.REM) {
      return new LaneValue(plain, present);
    }
    Reg least = b.eq(x.value(), register == Type.I32 ? Integer.MIN_VALUE : Long.MIN_VALUE);
    KernelLogic.trap(lane, b.and(minusOne, least), present, TrapCodes.OUT_OF_RANGE);
    return new LaneValue(b.select(minusOne, b.neg(x.value()), plain), present);
  }

  public static KernelExpression negated(ExpressionCompiler in, RexCall call) throws NotCovered {
    if (KernelTimes.isOf(call)) {
      return KernelTimes.negated(in, call);
    }
    SqlTypeSpec type = workType(RexValues.spec(call.getType()));
    LaneProgram operand = KernelCasts.cast(operand(in, call, 0), type);
    return KernelExpression.number(
        type,
        lane -> {
          LaneValue value = operand.emit(lane);
          if (KernelSums.isFloat(type)) {
            return new LaneValue(lane.builder().neg(value.value()), value.present());
          }
          Reg zero = lane.builder().integer(value.type(), 0);
          return KernelSums.checked(
              lane, type, BinaryOp.SUB, OverflowOp.SUB, LaneValue.of(zero), value);
        });
  }

  public static KernelExpression absolute(ExpressionCompiler in, RexCall call) throws NotCovered {
    SqlTypeSpec type = workType(RexValues.spec(call.getType()));
    LaneProgram operand = KernelCasts.cast(operand(in, call, 0), type);
    return KernelExpression.number(
        type,
        lane -> {
          KernelBuilder b = lane.builder();
          LaneValue value = operand.emit(lane);
          if (!KernelSums.isFloat(type)) {
            long least =
                switch (type.kind()) {
                  case TINYINT -> Byte.MIN_VALUE;
                  case SMALLINT -> Short.MIN_VALUE;
                  default -> value.type() == Type.I32 ? Integer.MIN_VALUE : Long.MIN_VALUE;
                };
            KernelLogic.trap(
                lane, b.eq(value.value(), least), value.present(), TrapCodes.OUT_OF_RANGE);
          }
          return new LaneValue(b.unary(UnaryOp.ABS, value.value()), value.present());
        });
  }

  public static KernelExpression root(ExpressionCompiler in, RexCall call) throws NotCovered {
    LaneProgram operand = KernelCasts.cast(operand(in, call, 0), SqlTypeSpec.DOUBLE);
    return KernelExpression.number(
        SqlTypeSpec.DOUBLE,
        lane -> {
          LaneValue value = operand.emit(lane);
          return new LaneValue(lane.builder().unary(UnaryOp.SQRT, value.value()), value.present());
        });
  }

  private static KernelExpression rounded(ExpressionCompiler in, RexCall call, UnaryOp op)
      throws NotCovered {
    KernelExpression operand = operand(in, call, 0);
    if (!KernelSums.isFloat(operand.type())) {
      if (operand.type().kind() == Kind.DECIMAL) {
        throw new NotCovered("FLOOR or CEIL of DECIMAL");
      }
      return operand;
    }
    return KernelExpression.number(
        operand.type(),
        lane -> {
          LaneValue value = operand.program().emit(lane);
          return new LaneValue(lane.builder().unary(op, value.value()), value.present());
        });
  }
}
