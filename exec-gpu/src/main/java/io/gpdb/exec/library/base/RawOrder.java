package io.gpdb.exec.library.base;

import io.gpdb.exec.ir.Type;

/** The order of raw bits as kernels compare them: NaN is the greatest, -0.0 equals 0.0. */
public final class RawOrder {
  private RawOrder() {}

  public static int compare(Type type, long a, long b) {
    return switch (type) {
      case I32, I64, PRED -> Long.compare(a, b);
      case F32 -> compare(Float.intBitsToFloat((int) a), Float.intBitsToFloat((int) b));
      case F64 -> compare(Double.longBitsToDouble(a), Double.longBitsToDouble(b));
    };
  }

  private static int compare(double a, double b) {
    return Double.compare(a + 0.0, b + 0.0);
  }
}
