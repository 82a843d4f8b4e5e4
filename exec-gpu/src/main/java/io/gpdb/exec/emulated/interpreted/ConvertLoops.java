package io.gpdb.exec.emulated.interpreted;

/** Loops from registers of one type to registers of another. */
final class ConvertLoops {
  private ConvertLoops() {}

  static void i32ToI64(int[] a, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i];
    }
  }

  static void i32ToF32(int[] a, float[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (float) a[i];
    }
  }

  static void i32ToF64(int[] a, double[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i];
    }
  }

  static void i64ToI32(long[] a, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (int) a[i];
    }
  }

  static void i64ToF32(long[] a, float[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (float) a[i];
    }
  }

  static void i64ToF64(long[] a, double[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (double) a[i];
    }
  }

  static void f32ToI32(float[] a, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (int) a[i];
    }
  }

  static void f32ToI64(float[] a, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (long) a[i];
    }
  }

  static void f32ToF64(float[] a, double[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i];
    }
  }

  static void f64ToI32(double[] a, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (int) a[i];
    }
  }

  static void f64ToI64(double[] a, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (long) a[i];
    }
  }

  static void f64ToF32(double[] a, float[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = (float) a[i];
    }
  }

  static void f32Bits(float[] a, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Float.floatToIntBits(a[i]);
    }
  }

  static void f64Bits(double[] a, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Double.doubleToLongBits(a[i]);
    }
  }

  static void f32OfBits(int[] a, float[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Float.intBitsToFloat(a[i]);
    }
  }

  static void f64OfBits(long[] a, double[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = Double.longBitsToDouble(a[i]);
    }
  }
}
