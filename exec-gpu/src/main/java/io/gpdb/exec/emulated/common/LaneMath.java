package io.gpdb.exec.emulated.common;

import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Op.OverflowOp;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Op.UnaryOp;
import io.gpdb.exec.ir.Type;

/**
 * The arithmetic of the kernel language on single values, as its definition says it. Values are raw
 * bits: i32 and f32 sign-extended from 32 bits, predicates 0 or 1.
 */
public final class LaneMath {
  private LaneMath() {}

  public static float f32(long bits) {
    return Float.intBitsToFloat((int) bits);
  }

  public static double f64(long bits) {
    return Double.longBitsToDouble(bits);
  }

  public static long bits(float value) {
    return Float.floatToRawIntBits(value);
  }

  public static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  /** The bits with every NaN made the canonical one; integers unchanged. */
  public static long canonical(Type type, long bits) {
    return switch (type) {
      case F32 -> Float.floatToIntBits(f32(bits));
      case F64 -> Double.doubleToLongBits(f64(bits));
      case I32, I64, PRED -> bits;
    };
  }

  public static long unary(UnaryOp op, Type type, long a) {
    return switch (type) {
      case I32 -> unaryI32(op, (int) a);
      case I64 -> unaryI64(op, a);
      case F32 -> unaryF32(op, a);
      case F64 -> unaryF64(op, a);
      case PRED ->
          switch (op) {
            case NOT -> a ^ 1;
            case NEG, ABS, SQRT, FLOOR, CEIL, ROUND_EVEN, TRUNC, POPC, CLZ, BITCAST ->
                throw unknown(op, type);
          };
    };
  }

  private static long unaryI32(UnaryOp op, int a) {
    return switch (op) {
      case NEG -> -a;
      case NOT -> ~a;
      case ABS -> a < 0 ? -a : a;
      case POPC -> Integer.bitCount(a);
      case CLZ -> Integer.numberOfLeadingZeros(a);
      case BITCAST -> a;
      case SQRT, FLOOR, CEIL, ROUND_EVEN, TRUNC -> throw unknown(op, Type.I32);
    };
  }

  private static long unaryI64(UnaryOp op, long a) {
    return switch (op) {
      case NEG -> -a;
      case NOT -> ~a;
      case ABS -> a < 0 ? -a : a;
      case POPC -> Long.bitCount(a);
      case CLZ -> Long.numberOfLeadingZeros(a);
      case BITCAST -> a;
      case SQRT, FLOOR, CEIL, ROUND_EVEN, TRUNC -> throw unknown(op, Type.I64);
    };
  }

  private static long unaryF32(UnaryOp op, long a) {
    double value = f32(a);
    return switch (op) {
      case NEG -> (int) a ^ Integer.MIN_VALUE;
      case ABS -> (int) a & Integer.MAX_VALUE;
      case SQRT -> bits((float) Math.sqrt(value));
      case FLOOR -> bits((float) Math.floor(value));
      case CEIL -> bits((float) Math.ceil(value));
      case ROUND_EVEN -> bits((float) Math.rint(value));
      case TRUNC -> bits((float) (value < 0 ? Math.ceil(value) : Math.floor(value)));
      case BITCAST -> canonical(Type.F32, a);
      case NOT, POPC, CLZ -> throw unknown(op, Type.F32);
    };
  }

  private static long unaryF64(UnaryOp op, long a) {
    double value = f64(a);
    return switch (op) {
      case NEG -> a ^ Long.MIN_VALUE;
      case ABS -> a & Long.MAX_VALUE;
      case SQRT -> bits(Math.sqrt(value));
      case FLOOR -> bits(Math.floor(value));
      case CEIL -> bits(Math.ceil(value));
      case ROUND_EVEN -> bits(Math.rint(value));
      case TRUNC -> bits(value < 0 ? Math.ceil(value) : Math.floor(value));
      case BITCAST -> canonical(Type.F64, a);
      case NOT, POPC, CLZ -> throw unknown(op, Type.F64);
    };
  }

  /** DIV and REM of integers need b != 0. */
  public static long binary(BinaryOp op, Type type, long a, long b) {
    return switch (type) {
      case I32 -> binaryI32(op, (int) a, (int) b);
      case I64 -> binaryI64(op, a, b);
      case F32 -> binaryF32(op, a, b);
      case F64 -> binaryF64(op, a, b);
      case PRED ->
          switch (op) {
            case AND -> a & b;
            case OR -> a | b;
            case XOR -> a ^ b;
            case ADD, SUB, MUL, DIV, REM, MULHI, MIN, MAX, SHL, SHR, USHR ->
                throw unknown(op, type);
          };
    };
  }

  private static long binaryI32(BinaryOp op, int a, int b) {
    return switch (op) {
      case ADD -> a + b;
      case SUB -> a - b;
      case MUL -> (int) ((long) a * b);
      case DIV -> a / b;
      case REM -> a % b;
      case MULHI -> ((long) a * b) >> 32;
      case MIN -> b < a ? b : a;
      case MAX -> b > a ? b : a;
      case AND -> a & b;
      case OR -> a | b;
      case XOR -> a ^ b;
      case SHL -> a << b;
      case SHR -> a >> b;
      case USHR -> a >>> b;
    };
  }

  private static long binaryI64(BinaryOp op, long a, long b) {
    return switch (op) {
      case ADD -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> a / b;
      case REM -> a % b;
      case MULHI -> Math.multiplyHigh(a, b);
      case MIN -> b < a ? b : a;
      case MAX -> b > a ? b : a;
      case AND -> a & b;
      case OR -> a | b;
      case XOR -> a ^ b;
      case SHL -> a << b;
      case SHR -> a >> b;
      case USHR -> a >>> b;
    };
  }

  private static long binaryF32(BinaryOp op, long a, long b) {
    return switch (op) {
      case ADD -> bits(f32(a) + f32(b));
      case SUB -> bits(f32(a) - f32(b));
      case MUL -> bits(f32(a) * f32(b));
      case DIV -> bits(f32(a) / f32(b));
      case MIN -> compare(CompareOp.LT, Type.F32, b, a) ? b : a;
      case MAX -> compare(CompareOp.GT, Type.F32, b, a) ? b : a;
      case REM, MULHI, AND, OR, XOR, SHL, SHR, USHR -> throw unknown(op, Type.F32);
    };
  }

  private static long binaryF64(BinaryOp op, long a, long b) {
    return switch (op) {
      case ADD -> bits(f64(a) + f64(b));
      case SUB -> bits(f64(a) - f64(b));
      case MUL -> bits(f64(a) * f64(b));
      case DIV -> bits(f64(a) / f64(b));
      case MIN -> compare(CompareOp.LT, Type.F64, b, a) ? b : a;
      case MAX -> compare(CompareOp.GT, Type.F64, b, a) ? b : a;
      case REM, MULHI, AND, OR, XOR, SHL, SHR, USHR -> throw unknown(op, Type.F64);
    };
  }

  /** One step of a reduction, {@code a} from the lower lane. */
  public static long reduce(ReduceOp op, Type type, long a, long b) {
    BinaryOp step =
        switch (op) {
          case ADD -> BinaryOp.ADD;
          case MIN -> BinaryOp.MIN;
          case MAX -> BinaryOp.MAX;
          case AND -> BinaryOp.AND;
          case OR -> BinaryOp.OR;
        };
    return binary(step, type, a, b);
  }

  public static boolean compare(CompareOp op, Type type, long a, long b) {
    return switch (op) {
      case ULT -> compareUnsigned(type, a, b) < 0;
      case UGE -> compareUnsigned(type, a, b) >= 0;
      case EQ -> order(type, a, b) == 0;
      case NE -> order(type, a, b) != 0;
      case LT -> order(type, a, b) < 0;
      case LE -> order(type, a, b) <= 0;
      case GT -> order(type, a, b) > 0;
      case GE -> order(type, a, b) >= 0;
    };
  }

  private static int compareUnsigned(Type type, long a, long b) {
    return type == Type.I32
        ? Integer.compareUnsigned((int) a, (int) b)
        : Long.compareUnsigned(a, b);
  }

  /** Negative, 0 or positive; floats in SQL's total order. */
  private static int order(Type type, long a, long b) {
    return switch (type) {
      case I32, I64, PRED -> Long.compare(a, b);
      case F32 -> totalOrder(f32(a), f32(b));
      case F64 -> totalOrder(f64(a), f64(b));
    };
  }

  private static int totalOrder(double a, double b) {
    if (Double.isNaN(a) || Double.isNaN(b)) {
      return Boolean.compare(Double.isNaN(a), Double.isNaN(b));
    }
    return a < b ? -1 : a > b ? 1 : 0;
  }

  public static boolean overflows(OverflowOp op, Type type, long a, long b) {
    try {
      long ignored =
          switch (op) {
            case ADD -> type == Type.I32 ? Math.addExact((int) a, (int) b) : Math.addExact(a, b);
            case SUB ->
                type == Type.I32 ? Math.subtractExact((int) a, (int) b) : Math.subtractExact(a, b);
            case MUL ->
                type == Type.I32 ? Math.multiplyExact((int) a, (int) b) : Math.multiplyExact(a, b);
          };
      return false;
    } catch (ArithmeticException outOfRange) {
      return true;
    }
  }

  public static long convert(Type from, Type to, long a) {
    return switch (from) {
      case I32, I64, PRED ->
          switch (to) {
            case I32 -> (int) a;
            case I64 -> a;
            case F32 -> bits((float) a);
            case F64 -> bits((double) a);
            case PRED -> throw new IllegalArgumentException("no conversion to pred");
          };
      case F32, F64 -> {
        double value = from == Type.F32 ? f32(a) : f64(a);
        yield switch (to) {
          case I32 -> (int) value;
          case I64 -> (long) value;
          case F32 -> bits((float) value);
          case F64 -> bits(value);
          case PRED -> throw new IllegalArgumentException("no conversion to pred");
        };
      }
    };
  }

  private static IllegalArgumentException unknown(Enum<?> op, Type type) {
    return new IllegalArgumentException("no " + op + " on " + type.text());
  }
}
