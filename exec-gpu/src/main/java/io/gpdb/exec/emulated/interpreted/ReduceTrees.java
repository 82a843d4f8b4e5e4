package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.LaneCode;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.ReduceOp;

/**
 * Reductions of lanes' values. Floats go by the language's fixed tree; whole numbers, where order
 * does not count, in lane order. Each operation has a loop of its own: of a loop for all HotSpot
 * compiles what it has seen, and throws it away when another operation comes.
 */
public final class ReduceTrees {
  private static final int WARP = Op.WARP_LANES;

  private ReduceTrees() {}

  static int reduce(ReduceOp op, int[] a, int lo, int hi, int identity) {
    int result = identity;
    for (int start = lo; start < hi; start += ReduceSteps.PART) {
      int end = Math.min(start + ReduceSteps.PART, hi);
      result =
          switch (op) {
            case ADD -> sum(a, start, end, result);
            case MIN -> least(a, start, end, result);
            case MAX -> greatest(a, start, end, result);
            case AND -> and(a, start, end, result);
            case OR -> or(a, start, end, result);
          };
    }
    return result;
  }

  private static int sum(int[] a, int lo, int hi, int first) {
    int result = first;
    for (int i = lo; i < hi; i++) {
      result += a[i];
    }
    return result;
  }

  private static int least(int[] a, int lo, int hi, int first) {
    int result = first;
    for (int i = lo; i < hi; i++) {
      result = Math.min(result, a[i]);
    }
    return result;
  }

  private static int greatest(int[] a, int lo, int hi, int first) {
    int result = first;
    for (int i = lo; i < hi; i++) {
      result = Math.max(result, a[i]);
    }
    return result;
  }

  private static int and(int[] a, int lo, int hi, int first) {
    int result = first;
    for (int i = lo; i < hi; i++) {
      result &= a[i];
    }
    return result;
  }

  private static int or(int[] a, int lo, int hi, int first) {
    int result = first;
    for (int i = lo; i < hi; i++) {
      result |= a[i];
    }
    return result;
  }

  static long reduce(ReduceOp op, long[] a, int lo, int hi, long identity) {
    long result = identity;
    for (int start = lo; start < hi; start += ReduceSteps.PART) {
      int end = Math.min(start + ReduceSteps.PART, hi);
      result =
          switch (op) {
            case ADD -> sum(a, start, end, result);
            case MIN -> least(a, start, end, result);
            case MAX -> greatest(a, start, end, result);
            case AND -> and(a, start, end, result);
            case OR -> or(a, start, end, result);
          };
    }
    return result;
  }

  private static long sum(long[] a, int lo, int hi, long first) {
    long result = first;
    for (int i = lo; i < hi; i++) {
      result += a[i];
    }
    return result;
  }

  private static long least(long[] a, int lo, int hi, long first) {
    long result = first;
    for (int i = lo; i < hi; i++) {
      result = Math.min(result, a[i]);
    }
    return result;
  }

  private static long greatest(long[] a, int lo, int hi, long first) {
    long result = first;
    for (int i = lo; i < hi; i++) {
      result = Math.max(result, a[i]);
    }
    return result;
  }

  private static long and(long[] a, int lo, int hi, long first) {
    long result = first;
    for (int i = lo; i < hi; i++) {
      result &= a[i];
    }
    return result;
  }

  private static long or(long[] a, int lo, int hi, long first) {
    long result = first;
    for (int i = lo; i < hi; i++) {
      result |= a[i];
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
