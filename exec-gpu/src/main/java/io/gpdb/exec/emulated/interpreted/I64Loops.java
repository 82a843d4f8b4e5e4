package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Op.OverflowOp;
import io.gpdb.exec.ir.Op.UnaryOp;

/**
 * Loops over i64 registers, one operation each; predicates are 0 or 1. DIV and REM are 0 where b is
 * 0.
 */
final class I64Loops {
  private I64Loops() {}

  /** d = a op b. */
  interface Binary {
    void run(long[] a, long[] b, long[] d, int lo, int hi);
  }

  /** d = op a. */
  interface Unary {
    void run(long[] a, long[] d, int lo, int hi);
  }

  /** d = whether a and b relate so. */
  interface Relation {
    void run(long[] a, long[] b, int[] d, int lo, int hi);
  }

  static Binary binary(BinaryOp op) {
    return switch (op) {
      case ADD -> I64Loops::add;
      case SUB -> I64Loops::sub;
      case MUL -> I64Loops::mul;
      case DIV -> I64Loops::div;
      case REM -> I64Loops::rem;
      case MULHI -> I64Loops::mulhi;
      case MIN -> I64Loops::min;
      case MAX -> I64Loops::max;
      case AND -> I64Loops::and;
      case OR -> I64Loops::or;
      case XOR -> I64Loops::xor;
      case SHL -> I64Loops::shl;
      case SHR -> I64Loops::shr;
      case USHR -> I64Loops::ushr;
    };
  }

  static Unary unary(UnaryOp op) {
    return switch (op) {
      case NEG -> I64Loops::neg;
      case NOT -> I64Loops::not;
      case ABS -> I64Loops::abs;
      case POPC -> I64Loops::popc;
      case CLZ -> I64Loops::clz;
      case SQRT, FLOOR, CEIL, ROUND_EVEN, TRUNC, BITCAST ->
          throw new IllegalArgumentException("no " + op + " on i64");
    };
  }

  static Relation compare(CompareOp op) {
    return switch (op) {
      case EQ -> I64Loops::eq;
      case NE -> I64Loops::ne;
      case LT -> I64Loops::lt;
      case LE -> I64Loops::le;
      case GT -> I64Loops::gt;
      case GE -> I64Loops::ge;
      case ULT -> I64Loops::ult;
      case UGE -> I64Loops::uge;
    };
  }

  static Relation overflow(OverflowOp op) {
    return switch (op) {
      case ADD -> I64Loops::addOverflows;
      case SUB -> I64Loops::subOverflows;
      case MUL -> I64Loops::mulOverflows;
    };
  }

  static void add(long[] a, long[] b, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] + b[i];
    }
  }

  static void sub(long[] a, long[] b, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] - b[i];
    }
  }

  static void mul(long[] a, long[] b, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] * b[i];
    }
  }

  static void div(long[] a, long[] b, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = b[i] == 0 ? 0 : a[i] / b[i];
    }
  }

  static void rem(long[] a, long[] b, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = b[i] == 0 ? 0 : a[i] % b[i];
    }
  }

  static void mulhi(long[] a, long[] b, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Math.multiplyHigh(a[i], b[i]);
    }
  }

  static void min(long[] a, long[] b, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Math.min(a[i], b[i]);
    }
  }

  static void max(long[] a, long[] b, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Math.max(a[i], b[i]);
    }
  }

  static void and(long[] a, long[] b, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] & b[i];
    }
  }

  static void or(long[] a, long[] b, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] | b[i];
    }
  }

  static void xor(long[] a, long[] b, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] ^ b[i];
    }
  }

  static void shl(long[] a, long[] b, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] << b[i];
    }
  }

  static void shr(long[] a, long[] b, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] >> b[i];
    }
  }

  static void ushr(long[] a, long[] b, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] >>> b[i];
    }
  }

  static void neg(long[] a, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = -a[i];
    }
  }

  static void not(long[] a, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = ~a[i];
    }
  }

  static void abs(long[] a, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Math.abs(a[i]);
    }
  }

  static void popc(long[] a, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Long.bitCount(a[i]);
    }
  }

  static void clz(long[] a, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Long.numberOfLeadingZeros(a[i]);
    }
  }

  static void eq(long[] a, long[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] == b[i] ? 1 : 0;
    }
  }

  static void ne(long[] a, long[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] != b[i] ? 1 : 0;
    }
  }

  static void lt(long[] a, long[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] < b[i] ? 1 : 0;
    }
  }

  static void le(long[] a, long[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] <= b[i] ? 1 : 0;
    }
  }

  static void gt(long[] a, long[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] > b[i] ? 1 : 0;
    }
  }

  static void ge(long[] a, long[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] >= b[i] ? 1 : 0;
    }
  }

  static void ult(long[] a, long[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Long.compareUnsigned(a[i], b[i]) < 0 ? 1 : 0;
    }
  }

  static void uge(long[] a, long[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Long.compareUnsigned(a[i], b[i]) >= 0 ? 1 : 0;
    }
  }

  static void addOverflows(long[] a, long[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (int) (((a[i] ^ (a[i] + b[i])) & (b[i] ^ (a[i] + b[i]))) >>> 63);
    }
  }

  static void subOverflows(long[] a, long[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (int) (((a[i] ^ b[i]) & (a[i] ^ (a[i] - b[i]))) >>> 63);
    }
  }

  static void mulOverflows(long[] a, long[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Math.multiplyHigh(a[i], b[i]) != (a[i] * b[i]) >> 63 ? 1 : 0;
    }
  }

  /** d = p ? a : b. */
  static void select(int[] p, long[] a, long[] b, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = b[i] ^ ((a[i] ^ b[i]) & -(long) p[i]);
    }
  }
}
