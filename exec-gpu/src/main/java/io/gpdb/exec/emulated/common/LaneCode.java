package io.gpdb.exec.emulated.common;

/**
 * Single operations that generated code calls. The branch-free forms are those that the JIT
 * compiler turns into vector instructions.
 */
public final class LaneCode {
  private LaneCode() {}

  // Comparisons without branches: 1 where they hold, else 0

  public static int eq(int a, int b) {
    return 1 - (((a - b) | (b - a)) >>> 31);
  }

  public static int ne(int a, int b) {
    return ((a - b) | (b - a)) >>> 31;
  }

  public static int lt(int a, int b) {
    return (int) (((long) a - b) >>> 63);
  }

  public static int eq(long a, long b) {
    return 1 - (int) (((a - b) | (b - a)) >>> 63);
  }

  public static int ne(long a, long b) {
    return (int) (((a - b) | (b - a)) >>> 63);
  }

  public static int lt(long a, long b) {
    return (int) (((a & ~b) | (~(a ^ b) & (a - b))) >>> 63);
  }

  // Comparisons of floats, in SQL's total order: NaN above all, -0.0 equal to 0.0

  public static boolean less(float a, float b) {
    return a < b || (Float.isNaN(b) && !Float.isNaN(a));
  }

  public static boolean equal(float a, float b) {
    return a == b || (Float.isNaN(a) && Float.isNaN(b));
  }

  public static boolean less(double a, double b) {
    return a < b || (Double.isNaN(b) && !Double.isNaN(a));
  }

  public static boolean equal(double a, double b) {
    return a == b || (Double.isNaN(a) && Double.isNaN(b));
  }

  public static int eq(float a, float b) {
    return equal(a, b) ? 1 : 0;
  }

  public static int ne(float a, float b) {
    return equal(a, b) ? 0 : 1;
  }

  public static int lt(float a, float b) {
    return less(a, b) ? 1 : 0;
  }

  public static int eq(double a, double b) {
    return equal(a, b) ? 1 : 0;
  }

  public static int ne(double a, double b) {
    return equal(a, b) ? 0 : 1;
  }

  public static int lt(double a, double b) {
    return less(a, b) ? 1 : 0;
  }

  public static float min(float a, float b) {
    return less(b, a) ? b : a;
  }

  public static float max(float a, float b) {
    return less(a, b) ? b : a;
  }

  public static double min(double a, double b) {
    return less(b, a) ? b : a;
  }

  public static double max(double a, double b) {
    return less(a, b) ? b : a;
  }

  public static double trunc(double a) {
    return a < 0 ? Math.ceil(a) : Math.floor(a);
  }

  public static int mulhi(int a, int b) {
    return (int) (((long) a * b) >> 32);
  }

  // Bits of floats, those of every NaN the canonical ones

  public static int bits(float value) {
    int raw = Float.floatToRawIntBits(value);
    int isNaN = (0x7f800000 - (raw & Integer.MAX_VALUE)) >> 31;
    return (raw & ~isNaN) | (0x7fc00000 & isNaN);
  }

  public static long bits(double value) {
    long raw = Double.doubleToRawLongBits(value);
    long isNaN = (0x7ff0000000000000L - (raw & Long.MAX_VALUE)) >> 63;
    return (raw & ~isNaN) | (0x7ff8000000000000L & isNaN);
  }

  // 1 where the operation leaves its type, else 0

  public static int addOverflows(int a, int b) {
    int sum = a + b;
    return ((a ^ sum) & (b ^ sum)) >>> 31;
  }

  public static int subOverflows(int a, int b) {
    return ((a ^ b) & (a ^ (a - b))) >>> 31;
  }

  public static int mulOverflows(int a, int b) {
    long product = (long) a * b;
    int low = (int) product;
    return ne(product, low);
  }

  public static int addOverflows(long a, long b) {
    long sum = a + b;
    return (int) (((a ^ sum) & (b ^ sum)) >>> 63);
  }

  public static int subOverflows(long a, long b) {
    return (int) (((a ^ b) & (a ^ (a - b))) >>> 63);
  }

  public static int mulOverflows(long a, long b) {
    return Math.multiplyHigh(a, b) != (a * b) >> 63 ? 1 : 0;
  }

  public static int ult(int a, int b) {
    return (int) (((a & 0xffffffffL) - (b & 0xffffffffL)) >>> 63);
  }

  public static int ult(long a, long b) {
    return (int) (((~a & b) | (~(a ^ b) & (a - b))) >>> 63);
  }

  // a where p is 1, b where it is 0

  public static int select(int a, int b, int p) {
    return b ^ ((a ^ b) & -p);
  }

  public static long select(long a, long b, int p) {
    return b ^ ((a ^ b) & -(long) p);
  }

  public static float select(float a, float b, int p) {
    int bits = select(Float.floatToRawIntBits(a), Float.floatToRawIntBits(b), p);
    return Float.intBitsToFloat(bits);
  }

  public static double select(double a, double b, int p) {
    long bits = select(Double.doubleToRawLongBits(a), Double.doubleToRawLongBits(b), p);
    return Double.longBitsToDouble(bits);
  }
}
