package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Op.OverflowOp;
import io.gpdb.exec.ir.Op.UnaryOp;

/**
 * Loops over i32 registers, one operation each; predicates are 0 or 1. DIV and REM are 0 where b is
 * 0.
 */
final class I32Loops {
  private I32Loops() {}

  /** d = a op b. */
  interface Binary {
    void run(int[] a, int[] b, int[] d, int lo, int hi);
  }

  /** d = op a. */
  interface Unary {
    void run(int[] a, int[] d, int lo, int hi);
  }

  /** d = whether a and b relate so. */
  interface Relation {
    void run(int[] a, int[] b, int[] d, int lo, int hi);
  }

  static Binary binary(BinaryOp op) {
    return switch (op) {
      case ADD -> I32Loops::add;
      case SUB -> I32Loops::sub;
      case MUL -> I32Loops::mul;
      case DIV -> I32Loops::div;
      case REM -> I32Loops::rem;
      case MULHI -> I32Loops::mulhi;
      case MIN -> I32Loops::min;
      case MAX -> I32Loops::max;
      case AND -> I32Loops::and;
      case OR -> I32Loops::or;
      case XOR -> I32Loops::xor;
      case SHL -> I32Loops::shl;
      case SHR -> I32Loops::shr;
      case USHR -> I32Loops::ushr;
    };
  }

  static Unary unary(UnaryOp op) {
    return switch (op) {
      case NEG -> I32Loops::neg;
      case NOT -> I32Loops::not;
      case ABS -> I32Loops::abs;
      case POPC -> I32Loops::popc;
      case CLZ -> I32Loops::clz;
      case SQRT, FLOOR, CEIL, ROUND_EVEN, TRUNC, BITCAST ->
          throw new IllegalArgumentException("no " + op + " on i32");
    };
  }

  static Relation compare(CompareOp op) {
    return switch (op) {
      case EQ -> I32Loops::eq;
      case NE -> I32Loops::ne;
      case LT -> I32Loops::lt;
      case LE -> I32Loops::le;
      case GT -> I32Loops::gt;
      case GE -> I32Loops::ge;
      case ULT -> I32Loops::ult;
      case UGE -> I32Loops::uge;
    };
  }

  static Relation overflow(OverflowOp op) {
    return switch (op) {
      case ADD -> I32Loops::addOverflows;
      case SUB -> I32Loops::subOverflows;
      case MUL -> I32Loops::mulOverflows;
    };
  }

  static void add(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] + b[i];
    }
  }

  static void sub(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] - b[i];
    }
  }

  static void mul(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] * b[i];
    }
  }

  static void div(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = b[i] == 0 ? 0 : a[i] / b[i];
    }
  }

  static void rem(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = b[i] == 0 ? 0 : a[i] % b[i];
    }
  }

  static void mulhi(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (int) (((long) a[i] * b[i]) >> 32);
    }
  }

  static void min(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Math.min(a[i], b[i]);
    }
  }

  static void max(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Math.max(a[i], b[i]);
    }
  }

  static void and(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] & b[i];
    }
  }

  static void or(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] | b[i];
    }
  }

  static void xor(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] ^ b[i];
    }
  }

  static void shl(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] << b[i];
    }
  }

  static void shr(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] >> b[i];
    }
  }

  static void ushr(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] >>> b[i];
    }
  }

  static void neg(int[] a, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = -a[i];
    }
  }

  static void not(int[] a, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = ~a[i];
    }
  }

  static void abs(int[] a, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Math.abs(a[i]);
    }
  }

  static void popc(int[] a, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Integer.bitCount(a[i]);
    }
  }

  static void clz(int[] a, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Integer.numberOfLeadingZeros(a[i]);
    }
  }

  static void eq(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = 1 - (((a[i] - b[i]) | (b[i] - a[i])) >>> 31);
    }
  }

  static void ne(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = ((a[i] - b[i]) | (b[i] - a[i])) >>> 31;
    }
  }

  static void lt(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (int) (((long) a[i] - b[i]) >>> 63);
    }
  }

  static void le(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = 1 - (int) (((long) b[i] - a[i]) >>> 63);
    }
  }

  static void gt(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (int) (((long) b[i] - a[i]) >>> 63);
    }
  }

  static void ge(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = 1 - (int) (((long) a[i] - b[i]) >>> 63);
    }
  }

  static void ult(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Integer.compareUnsigned(a[i], b[i]) < 0 ? 1 : 0;
    }
  }

  static void uge(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Integer.compareUnsigned(a[i], b[i]) >= 0 ? 1 : 0;
    }
  }

  static void addOverflows(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (((a[i] ^ (a[i] + b[i])) & (b[i] ^ (a[i] + b[i]))) >>> 31);
    }
  }

  static void subOverflows(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (((a[i] ^ b[i]) & (a[i] ^ (a[i] - b[i]))) >>> 31);
    }
  }

  static void mulOverflows(int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (long) a[i] * b[i] != (int) ((long) a[i] * b[i]) ? 1 : 0;
    }
  }

  /** d = p ? a : b. */
  static void select(int[] p, int[] a, int[] b, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = b[i] ^ ((a[i] ^ b[i]) & -p[i]);
    }
  }
}
