package io.gpdb.exec.emulated.compiled;

import io.gpdb.exec.emulated.interpreted.F32Loops;
import io.gpdb.exec.emulated.interpreted.F64Loops;

/**
 * Single operations that generated code calls. The branch-free forms are those that the JIT
 * compiler turns into vector instructions.
 */
final class LaneCode {
  private LaneCode() {}

  // Comparisons without branches: 1 where they hold, else 0

  static int eq(int a, int b) {
    return 1 - (((a - b) | (b - a)) >>> 31);
  }

  static int ne(int a, int b) {
    return ((a - b) | (b - a)) >>> 31;
  }

  static int lt(int a, int b) {
    return (int) (((long) a - b) >>> 63);
  }

  static int eq(long a, long b) {
    return 1 - (int) (((a - b) | (b - a)) >>> 63);
  }

  static int ne(long a, long b) {
    return (int) (((a - b) | (b - a)) >>> 63);
  }

  static int lt(long a, long b) {
    return (int) (((a & ~b) | (~(a ^ b) & (a - b))) >>> 63);
  }

  // Comparisons of floats, in SQL's total order

  static int eq(float a, float b) {
    return F32Loops.equal(a, b) ? 1 : 0;
  }

  static int lt(float a, float b) {
    return F32Loops.less(a, b) ? 1 : 0;
  }

  static int eq(double a, double b) {
    return F64Loops.equal(a, b) ? 1 : 0;
  }

  static int lt(double a, double b) {
    return F64Loops.less(a, b) ? 1 : 0;
  }

  static float min(float a, float b) {
    return F32Loops.less(b, a) ? b : a;
  }

  static float max(float a, float b) {
    return F32Loops.less(a, b) ? b : a;
  }

  static double min(double a, double b) {
    return F64Loops.less(b, a) ? b : a;
  }

  static double max(double a, double b) {
    return F64Loops.less(a, b) ? b : a;
  }

  static double trunc(double a) {
    return a < 0 ? Math.ceil(a) : Math.floor(a);
  }

  // 1 where the operation leaves its type, else 0

  static int addOverflows(int a, int b) {
    int sum = a + b;
    return ((a ^ sum) & (b ^ sum)) >>> 31;
  }

  static int subOverflows(int a, int b) {
    return ((a ^ b) & (a ^ (a - b))) >>> 31;
  }

  static int mulOverflows(int a, int b) {
    long product = (long) a * b;
    return lt(0L, product ^ (int) product) | lt(product ^ (int) product, 0L);
  }

  static int addOverflows(long a, long b) {
    long sum = a + b;
    return (int) (((a ^ sum) & (b ^ sum)) >>> 63);
  }

  static int subOverflows(long a, long b) {
    return (int) (((a ^ b) & (a ^ (a - b))) >>> 63);
  }

  static int mulOverflows(long a, long b) {
    return Math.multiplyHigh(a, b) != (a * b) >> 63 ? 1 : 0;
  }

  static int ult(int a, int b) {
    return Integer.compareUnsigned(a, b) < 0 ? 1 : 0;
  }

  static int ult(long a, long b) {
    return Long.compareUnsigned(a, b) < 0 ? 1 : 0;
  }

  // a where p is 1, b where it is 0

  static int select(int a, int b, int p) {
    return b ^ ((a ^ b) & -p);
  }

  static long select(long a, long b, int p) {
    return b ^ ((a ^ b) & -(long) p);
  }

  static float select(float a, float b, int p) {
    return p != 0 ? a : b;
  }

  static double select(double a, double b, int p) {
    return p != 0 ? a : b;
  }
}
