package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Op.UnaryOp;

/**
 * Loops over f32 registers, one operation each. Comparisons are in SQL's total order: NaN above
 * all.
 */
public final class F32Loops {
  private F32Loops() {}

  /** d = a op b. */
  interface Binary {
    void run(float[] a, float[] b, float[] d, int lo, int hi);
  }

  /** d = op a. */
  interface Unary {
    void run(float[] a, float[] d, int lo, int hi);
  }

  /** d = whether a and b relate so. */
  interface Relation {
    void run(float[] a, float[] b, int[] d, int lo, int hi);
  }

  static Binary binary(BinaryOp op) {
    return switch (op) {
      case ADD -> F32Loops::add;
      case SUB -> F32Loops::sub;
      case MUL -> F32Loops::mul;
      case DIV -> F32Loops::div;
      case MIN -> F32Loops::min;
      case MAX -> F32Loops::max;
      case REM, MULHI, AND, OR, XOR, SHL, SHR, USHR ->
          throw new IllegalArgumentException("no " + op + " on f32");
    };
  }

  static Unary unary(UnaryOp op) {
    return switch (op) {
      case NEG -> F32Loops::neg;
      case ABS -> F32Loops::abs;
      case SQRT -> F32Loops::sqrt;
      case FLOOR -> F32Loops::floor;
      case CEIL -> F32Loops::ceil;
      case ROUND_EVEN -> F32Loops::roundEven;
      case TRUNC -> F32Loops::trunc;
      case NOT, POPC, CLZ, BITCAST -> throw new IllegalArgumentException("no " + op + " on f32");
    };
  }

  static Relation compare(CompareOp op) {
    return switch (op) {
      case EQ -> F32Loops::eq;
      case NE -> F32Loops::ne;
      case LT -> F32Loops::lt;
      case LE -> F32Loops::le;
      case GT -> F32Loops::gt;
      case GE -> F32Loops::ge;
      case ULT, UGE -> throw new IllegalArgumentException("no " + op + " on f32");
    };
  }

  /** Whether a is ordered below b; -0.0 equals 0.0. */
  public static boolean less(float a, float b) {
    return a < b || (Float.isNaN(b) && !Float.isNaN(a));
  }

  public static boolean equal(float a, float b) {
    return a == b || (Float.isNaN(a) && Float.isNaN(b));
  }

  static void add(float[] a, float[] b, float[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] + b[i];
    }
  }

  static void sub(float[] a, float[] b, float[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] - b[i];
    }
  }

  static void mul(float[] a, float[] b, float[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] * b[i];
    }
  }

  static void div(float[] a, float[] b, float[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] / b[i];
    }
  }

  static void min(float[] a, float[] b, float[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = less(b[i], a[i]) ? b[i] : a[i];
    }
  }

  static void max(float[] a, float[] b, float[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = less(a[i], b[i]) ? b[i] : a[i];
    }
  }

  static void neg(float[] a, float[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = -a[i];
    }
  }

  static void abs(float[] a, float[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Math.abs(a[i]);
    }
  }

  static void sqrt(float[] a, float[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (float) Math.sqrt(a[i]);
    }
  }

  static void floor(float[] a, float[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (float) Math.floor(a[i]);
    }
  }

  static void ceil(float[] a, float[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (float) Math.ceil(a[i]);
    }
  }

  static void roundEven(float[] a, float[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (float) Math.rint(a[i]);
    }
  }

  static void trunc(float[] a, float[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (float) (a[i] < 0 ? Math.ceil(a[i]) : Math.floor(a[i]));
    }
  }

  static void eq(float[] a, float[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = equal(a[i], b[i]) ? 1 : 0;
    }
  }

  static void ne(float[] a, float[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = equal(a[i], b[i]) ? 0 : 1;
    }
  }

  static void lt(float[] a, float[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = less(a[i], b[i]) ? 1 : 0;
    }
  }

  static void le(float[] a, float[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = less(b[i], a[i]) ? 0 : 1;
    }
  }

  static void gt(float[] a, float[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = less(b[i], a[i]) ? 1 : 0;
    }
  }

  static void ge(float[] a, float[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = less(a[i], b[i]) ? 0 : 1;
    }
  }

  /** d = p ? a : b. */
  static void select(int[] p, float[] a, float[] b, float[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = p[i] != 0 ? a[i] : b[i];
    }
  }
}
