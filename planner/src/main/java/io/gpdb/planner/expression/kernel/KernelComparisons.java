package io.gpdb.planner.expression.kernel;

import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.sql.type.ExactComparisons;
import io.gpdb.sql.type.SqlTypeSpec;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.sql.SqlKind;

/**
 * Comparisons in kernels: in a type that holds both values, or, of exact numbers that have none, of
 * the one with fewer digits after the point with the other's floor:
 *
 * <pre>
 *   x = y   where  x = floor(y) and y is floor(y)        x &lt;= y  where  x &lt;= floor(y)
 *   x &lt; y   where  x &lt; floor(y), or x = floor(y) and y is not floor(y)
 * </pre>
 */
public final class KernelComparisons {
  private KernelComparisons() {}

  /** Emits whether a comparison holds of two present values. */
  private interface Comparison {
    Reg emit(KernelBuilder b, CompareOp op, Reg x, Reg y);
  }

  public static KernelExpression compile(ExpressionCompiler in, RexCall call) throws NotCovered {
    KernelExpression left = in.operand(call, 0);
    KernelExpression right = in.operand(call, 1);
    if (left.type().kind().isString() || right.type().kind().isString()) {
      throw new NotCovered("comparison of " + left.type() + " and " + right.type());
    }
    if (ExactComparisons.lackCommonType(left.type(), right.type())) {
      int finer = right.type().scale() - left.type().scale();
      long unit = KernelCasts.power(Math.abs(finer));
      Comparison digits = (b, op, x, y) -> digits(b, op, x, y, unit);
      return finer < 0
          ? compile(call.getKind().reverse(), right.program(), left.program(), digits)
          : compile(call.getKind(), left.program(), right.program(), digits);
    }
    SqlTypeSpec common = KernelCasts.common(left.type(), right.type());
    return compile(
        call.getKind(),
        KernelCasts.cast(left, common),
        KernelCasts.cast(right, common),
        KernelComparisons::compare);
  }

  private static KernelExpression compile(
      SqlKind kind, LaneProgram left, LaneProgram right, Comparison comparison) {
    return switch (kind) {
      case EQUALS -> compared(CompareOp.EQ, left, right, comparison);
      case NOT_EQUALS -> compared(CompareOp.NE, left, right, comparison);
      case LESS_THAN -> compared(CompareOp.LT, left, right, comparison);
      case LESS_THAN_OR_EQUAL -> compared(CompareOp.LE, left, right, comparison);
      case GREATER_THAN -> compared(CompareOp.GT, left, right, comparison);
      case GREATER_THAN_OR_EQUAL -> compared(CompareOp.GE, left, right, comparison);
      case IS_DISTINCT_FROM -> distinct(true, left, right, comparison);
      case IS_NOT_DISTINCT_FROM -> distinct(false, left, right, comparison);
      default -> throw new IllegalArgumentException(kind + " is no comparison");
    };
  }

  private static KernelExpression compared(
      CompareOp op, LaneProgram left, LaneProgram right, Comparison comparison) {
    return KernelExpression.bool(
        lane -> {
          LaneValue x = left.emit(lane);
          LaneValue y = right.emit(lane);
          return new LaneValue(
              comparison.emit(lane.builder(), op, x.value(), y.value()),
              KernelLogic.both(lane.builder(), x, y));
        });
  }

  private static KernelExpression distinct(
      boolean differs, LaneProgram left, LaneProgram right, Comparison comparison) {
    return KernelExpression.bool(
        lane -> {
          KernelBuilder b = lane.builder();
          LaneValue x = left.emit(lane);
          LaneValue y = right.emit(lane);
          Reg px = KernelLogic.presence(b, x);
          Reg py = KernelLogic.presence(b, y);
          Reg equal = b.and(b.and(px, py), comparison.emit(b, CompareOp.EQ, x.value(), y.value()));
          Reg same = b.or(equal, b.not(b.or(px, py)));
          return LaneValue.of(differs ? b.not(same) : same);
        });
  }

  /** Predicates compare as 0 and 1. */
  static Reg compare(KernelBuilder b, CompareOp op, Reg x, Reg y) {
    if (x.type() == Type.PRED && op != CompareOp.EQ && op != CompareOp.NE) {
      return b.compare(op, b.convert(x, Type.I32), b.convert(y, Type.I32));
    }
    return b.compare(op, x, y);
  }

  /** Compares x with y / unit, both scaled integers; no step can overflow. */
  private static Reg digits(KernelBuilder b, CompareOp op, Reg coarse, Reg fine, long unit) {
    Reg x = coarse.type() == Type.I64 ? coarse : b.convert(coarse, Type.I64);
    Reg y = fine.type() == Type.I64 ? fine : b.convert(fine, Type.I64);
    if (unit == 1) {
      return b.compare(op, x, y);
    }
    Reg floor = KernelCalendar.floorDiv(b, y, unit);
    Reg whole = b.eq(b.mul(floor, unit), y);
    return switch (op) {
      case EQ -> b.and(b.eq(x, floor), whole);
      case NE -> b.not(b.and(b.eq(x, floor), whole));
      case LE -> b.compare(CompareOp.LE, x, floor);
      case GT -> b.gt(x, floor);
      case LT -> b.or(b.lt(x, floor), b.and(b.eq(x, floor), b.not(whole)));
      case GE -> b.or(b.gt(x, floor), b.and(b.eq(x, floor), whole));
      case ULT, UGE -> throw new IllegalArgumentException(op + " is no comparison of SQL");
    };
  }
}
