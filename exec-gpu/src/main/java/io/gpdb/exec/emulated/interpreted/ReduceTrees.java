package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.LaneCode;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.ReduceOp;

/**
 * Reductions of lanes' values. Floats go by the language's fixed tree; whole numbers, where order
 * does not count, in lane order.
 */
public final class ReduceTrees {
  private static final int WARP = Op.WARP_LANES;

  private ReduceTrees() {}

  static int reduce(ReduceOp op, int[] a, int lo, int hi, int identity) {
    int result = identity;
    for (int start = lo; start < hi; start += ReduceSteps.PART) {
      result = part(op, a, start, Math.min(start + ReduceSteps.PART, hi), result);
    }
    return result;
  }

  private static int part(ReduceOp op, int[] a, int lo, int hi, int first) {
    int result = first;
    switch (op) {
      case ADD -> {
        for (int i = lo; i < hi; i++) {
          result += a[i];
        }
      }
      case MIN -> {
        for (int i = lo; i < hi; i++) {
          result = Math.min(result, a[i]);
        }
      }
      case MAX -> {
        for (int i = lo; i < hi; i++) {
          result = Math.max(result, a[i]);
        }
      }
      case AND -> {
        for (int i = lo; i < hi; i++) {
          result &= a[i];
        }
      }
      case OR -> {
        for (int i = lo; i < hi; i++) {
          result |= a[i];
        }
      }
    }
    return result;
  }

  static long reduce(ReduceOp op, long[] a, int lo, int hi, long identity) {
    long result = identity;
    for (int start = lo; start < hi; start += ReduceSteps.PART) {
      result = part(op, a, start, Math.min(start + ReduceSteps.PART, hi), result);
    }
    return result;
  }

  private static long part(ReduceOp op, long[] a, int lo, int hi, long first) {
    long result = first;
    switch (op) {
      case ADD -> {
        for (int i = lo; i < hi; i++) {
          result += a[i];
        }
      }
      case MIN -> {
        for (int i = lo; i < hi; i++) {
          result = Math.min(result, a[i]);
        }
      }
      case MAX -> {
        for (int i = lo; i < hi; i++) {
          result = Math.max(result, a[i]);
        }
      }
      case AND -> {
        for (int i = lo; i < hi; i++) {
          result &= a[i];
        }
      }
      case OR -> {
        for (int i = lo; i < hi; i++) {
          result |= a[i];
        }
      }
    }
    return result;
  }

  /** Reduces the 32 values from {@code start} into {@code a[start]}; changes those behind it. */
  static void warp(ReduceOp op, float[] a, int start) {
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
      for (int i = start; i < start + distance; i++) {
        a[i] = combine(op, a[i], a[i + distance]);
      }
    }
  }

  static void warp(ReduceOp op, double[] a, int start) {
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
      for (int i = start; i < start + distance; i++) {
        a[i] = combine(op, a[i], a[i + distance]);
      }
    }
  }

  private static float combine(ReduceOp op, float a, float b) {
    return switch (op) {
      case ADD -> a + b;
      case MIN -> LaneCode.less(b, a) ? b : a;
      case MAX -> LaneCode.less(a, b) ? b : a;
      case AND, OR -> throw new IllegalArgumentException("no " + op + " on f32");
    };
  }

  private static double combine(ReduceOp op, double a, double b) {
    return switch (op) {
      case ADD -> a + b;
      case MIN -> LaneCode.less(b, a) ? b : a;
      case MAX -> LaneCode.less(a, b) ? b : a;
      case AND, OR -> throw new IllegalArgumentException("no " + op + " on f64");
    };
  }

  /** The block's result from all lanes' values; changes them. */
  public static float block(ReduceOp op, float[] a, float identity) {
    float[] warps = new float[WARP];
    for (int warp = 0; warp < WARP; warp++) {
      if (warp * WARP < a.length) {
        warp(op, a, warp * WARP);
        warps[warp] = a[warp * WARP];
      } else {
        warps[warp] = identity;
      }
    }
    warp(op, warps, 0);
    return warps[0];
  }

  public static double block(ReduceOp op, double[] a, double identity) {
    double[] warps = new double[WARP];
    for (int warp = 0; warp < WARP; warp++) {
      if (warp * WARP < a.length) {
        warp(op, a, warp * WARP);
        warps[warp] = a[warp * WARP];
      } else {
        warps[warp] = identity;
      }
    }
    warp(op, warps, 0);
    return warps[0];
  }
}
