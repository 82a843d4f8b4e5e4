package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Op.UnaryOp;

/**
 * Loops over f64 registers, one operation each. Comparisons are in SQL's total order: NaN above
 * all.
 */
public final class F64Loops {
  private F64Loops() {}

  /** d = a op b. */
  interface Binary {
    void run(double[] a, double[] b, double[] d, int lo, int hi);
  }

  /** d = op a. */
  interface Unary {
    void run(double[] a, double[] d, int lo, int hi);
  }

  /** d = whether a and b relate so. */
  interface Relation {
    void run(double[] a, double[] b, int[] d, int lo, int hi);
  }

  static Binary binary(BinaryOp op) {
    return switch (op) {
      case ADD -> F64Loops::add;
      case SUB -> F64Loops::sub;
      case MUL -> F64Loops::mul;
      case DIV -> F64Loops::div;
      case MIN -> F64Loops::min;
      case MAX -> F64Loops::max;
      case REM, MULHI, AND, OR, XOR, SHL, SHR, USHR ->
          throw new IllegalArgumentException("no " + op + " on f64");
    };
  }

  static Unary unary(UnaryOp op) {
    return switch (op) {
      case NEG -> F64Loops::neg;
      case ABS -> F64Loops::abs;
      case SQRT -> F64Loops::sqrt;
      case FLOOR -> F64Loops::floor;
      case CEIL -> F64Loops::ceil;
      case ROUND_EVEN -> F64Loops::roundEven;
      case TRUNC -> F64Loops::trunc;
      case NOT, POPC, CLZ, BITCAST -> throw new IllegalArgumentException("no " + op + " on f64");
    };
  }

  static Relation compare(CompareOp op) {
    return switch (op) {
      case EQ -> F64Loops::eq;
      case NE -> F64Loops::ne;
      case LT -> F64Loops::lt;
      case LE -> F64Loops::le;
      case GT -> F64Loops::gt;
      case GE -> F64Loops::ge;
      case ULT, UGE -> throw new IllegalArgumentException("no " + op + " on f64");
    };
  }

  /** Whether a is ordered below b; -0.0 equals 0.0. */
  public static boolean less(double a, double b) {
    return a < b || (Double.isNaN(b) && !Double.isNaN(a));
  }

  public static boolean equal(double a, double b) {
    return a == b || (Double.isNaN(a) && Double.isNaN(b));
  }

  static void add(double[] a, double[] b, double[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] + b[i];
    }
  }

  static void sub(double[] a, double[] b, double[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] - b[i];
    }
  }

  static void mul(double[] a, double[] b, double[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] * b[i];
    }
  }

  static void div(double[] a, double[] b, double[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] / b[i];
    }
  }

  static void min(double[] a, double[] b, double[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = less(b[i], a[i]) ? b[i] : a[i];
    }
  }

  static void max(double[] a, double[] b, double[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = less(a[i], b[i]) ? b[i] : a[i];
    }
  }

  static void neg(double[] a, double[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = -a[i];
    }
  }

  static void abs(double[] a, double[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Math.abs(a[i]);
    }
  }

  static void sqrt(double[] a, double[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Math.sqrt(a[i]);
    }
  }

  static void floor(double[] a, double[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Math.floor(a[i]);
    }
  }

  static void ceil(double[] a, double[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Math.ceil(a[i]);
    }
  }

  static void roundEven(double[] a, double[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Math.rint(a[i]);
    }
  }

  static void trunc(double[] a, double[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (a[i] < 0 ? Math.ceil(a[i]) : Math.floor(a[i]));
    }
  }

  static void eq(double[] a, double[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = equal(a[i], b[i]) ? 1 : 0;
    }
  }

  static void ne(double[] a, double[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = equal(a[i], b[i]) ? 0 : 1;
    }
  }

  static void lt(double[] a, double[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = less(a[i], b[i]) ? 1 : 0;
    }
  }

  static void le(double[] a, double[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = less(b[i], a[i]) ? 0 : 1;
    }
  }

  static void gt(double[] a, double[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = less(b[i], a[i]) ? 1 : 0;
    }
  }

  static void ge(double[] a, double[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = less(a[i], b[i]) ? 0 : 1;
    }
  }

  /** d = p ? a : b. */
  static void select(int[] p, double[] a, double[] b, double[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = p[i] != 0 ? a[i] : b[i];
    }
  }
}
