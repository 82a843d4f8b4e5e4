package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.LaneMask;
import io.gpdb.exec.emulated.common.LaneMath;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Reductions;
import io.gpdb.exec.ir.Reg;
import java.util.Arrays;

/** Steps that reduce values over warps and blocks. */
public final class ReduceSteps {
  private static final int WARP = Op.WARP_LANES;

  /**
   * A loop runs for so many lanes at a time: HotSpot, which counts calls, compiles it before all
   * threads run it. With 64 lanes a call or more it would count 40 000 turns before 600 calls, and
   * compile the loop for the call that is under way, then once more for calls to come.
   */
  static final int PART = 32;

  private ReduceSteps() {}

  static BlockStep warp(Op.WarpReduce op) {
    return step(op.dst(), op.op(), op.a(), true);
  }

  static BlockStep block(Op.BlockReduce op) {
    return step(op.dst(), op.op(), op.a(), false);
  }

  private static BlockStep step(Reg dst, ReduceOp op, Reg from, boolean perWarp) {
    int a = from.id();
    int d = dst.id();
    long identity = Reductions.identity(op, from.type());
    return switch (from.type()) {
      case I32 ->
          (s, mask) -> reduce(op, s.i32[a], s.i32[d], s.scratchI32, (int) identity, perWarp, mask);
      case I64 ->
          (s, mask) -> reduce(op, s.i64[a], s.i64[d], s.scratchI64, identity, perWarp, mask);
      case F32 ->
          (s, mask) ->
              reduce(op, s.f32[a], s.f32[d], s.scratchF32, LaneMath.f32(identity), perWarp, mask);
      case F64 ->
          (s, mask) ->
              reduce(op, s.f64[a], s.f64[d], s.scratchF64, LaneMath.f64(identity), perWarp, mask);
      case PRED -> throw new IllegalArgumentException("no reduction of predicates");
    };
  }

  public static void reduce(
      ReduceOp op, int[] a, int[] d, int[] t, int identity, boolean perWarp, LaneMask mask) {
    int group = perWarp ? WARP : t.length;
    if (mask.count == t.length) {
      reduceAll(op, a, d, identity, group);
      return;
    }
    choose(a, t, identity, mask);
    for (int start = mask.lo / group * group; start < mask.hi; start += group) {
      int result = ReduceTrees.reduce(op, t, start, start + group, identity);
      int end = Math.min(start + group, mask.hi);
      for (int lo = Math.max(start, mask.lo); lo < end; lo += PART) {
        spread(result, mask.on, d, lo, Math.min(lo + PART, end));
      }
    }
  }

  /** Where all lanes are active, as at the end of a block, nothing is copied and chosen. */
  private static void reduceAll(ReduceOp op, int[] a, int[] d, int identity, int group) {
    for (int start = 0; start < a.length; start += group) {
      int result = ReduceTrees.reduce(op, a, start, start + group, identity);
      Arrays.fill(d, start, start + group, result);
    }
  }

  public static void reduce(
      ReduceOp op, long[] a, long[] d, long[] t, long identity, boolean perWarp, LaneMask mask) {
    int group = perWarp ? WARP : t.length;
    if (mask.count == t.length) {
      reduceAll(op, a, d, identity, group);
      return;
    }
    choose(a, t, identity, mask);
    for (int start = mask.lo / group * group; start < mask.hi; start += group) {
      long result = ReduceTrees.reduce(op, t, start, start + group, identity);
      int end = Math.min(start + group, mask.hi);
      for (int lo = Math.max(start, mask.lo); lo < end; lo += PART) {
        spread(result, mask.on, d, lo, Math.min(lo + PART, end));
      }
    }
  }

  /** Where all lanes are active, as at the end of a block, nothing is copied and chosen. */
  private static void reduceAll(ReduceOp op, long[] a, long[] d, long identity, int group) {
    for (int start = 0; start < a.length; start += group) {
      long result = ReduceTrees.reduce(op, a, start, start + group, identity);
      Arrays.fill(d, start, start + group, result);
    }
  }

  public static void reduce(
      ReduceOp op,
      float[] a,
      float[] d,
      float[] t,
      float identity,
      boolean perWarp,
      LaneMask mask) {
    choose(a, t, identity, mask);
    float whole = perWarp ? 0 : ReduceTrees.block(op, t, identity);
    for (int start = mask.lo / WARP * WARP; start < mask.hi; start += WARP) {
      if (perWarp) {
        ReduceTrees.warp(op, t, start);
      }
      float result = perWarp ? t[start] : whole;
      spread(result, mask.on, d, Math.max(start, mask.lo), Math.min(start + WARP, mask.hi));
    }
  }

  public static void reduce(
      ReduceOp op,
      double[] a,
      double[] d,
      double[] t,
      double identity,
      boolean perWarp,
      LaneMask mask) {
    choose(a, t, identity, mask);
    double whole = perWarp ? 0 : ReduceTrees.block(op, t, identity);
    for (int start = mask.lo / WARP * WARP; start < mask.hi; start += WARP) {
      if (perWarp) {
        ReduceTrees.warp(op, t, start);
      }
      double result = perWarp ? t[start] : whole;
      spread(result, mask.on, d, Math.max(start, mask.lo), Math.min(start + WARP, mask.hi));
    }
  }

  /** The active lanes' values; the identity for the others. */
  private static void choose(int[] a, int[] t, int identity, LaneMask mask) {
    Arrays.fill(t, 0, mask.lo, identity);
    for (int lo = mask.lo; lo < mask.hi; lo += PART) {
      choose(a, mask.on, t, lo, Math.min(lo + PART, mask.hi), identity);
    }
    Arrays.fill(t, mask.hi, t.length, identity);
  }

  private static void choose(int[] a, int[] on, int[] t, int lo, int hi, int identity) {
    for (int i = lo; i < hi; i++) {
      t[i] = on[i] != 0 ? a[i] : identity;
    }
  }

  private static void spread(int result, int[] on, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = on[i] != 0 ? result : d[i];
    }
  }

  /** The active lanes' values; the identity for the others. */
  private static void choose(long[] a, long[] t, long identity, LaneMask mask) {
    Arrays.fill(t, 0, mask.lo, identity);
    for (int lo = mask.lo; lo < mask.hi; lo += PART) {
      choose(a, mask.on, t, lo, Math.min(lo + PART, mask.hi), identity);
    }
    Arrays.fill(t, mask.hi, t.length, identity);
  }

  private static void choose(long[] a, int[] on, long[] t, int lo, int hi, long identity) {
    for (int i = lo; i < hi; i++) {
      t[i] = on[i] != 0 ? a[i] : identity;
    }
  }

  private static void spread(long result, int[] on, long[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = on[i] != 0 ? result : d[i];
    }
  }

  /** The active lanes' values; the identity for the others. */
  private static void choose(float[] a, float[] t, float identity, LaneMask mask) {
    if (mask.count == t.length) {
      System.arraycopy(a, 0, t, 0, t.length);
      return;
    }
    Arrays.fill(t, 0, mask.lo, identity);
    for (int lo = mask.lo; lo < mask.hi; lo += PART) {
      choose(a, mask.on, t, lo, Math.min(lo + PART, mask.hi), identity);
    }
    Arrays.fill(t, mask.hi, t.length, identity);
  }

  private static void choose(float[] a, int[] on, float[] t, int lo, int hi, float identity) {
    for (int i = lo; i < hi; i++) {
      t[i] = on[i] != 0 ? a[i] : identity;
    }
  }

  private static void spread(float result, int[] on, float[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = on[i] != 0 ? result : d[i];
    }
  }

  /** The active lanes' values; the identity for the others. */
  private static void choose(double[] a, double[] t, double identity, LaneMask mask) {
    if (mask.count == t.length) {
      System.arraycopy(a, 0, t, 0, t.length);
      return;
    }
    Arrays.fill(t, 0, mask.lo, identity);
    for (int lo = mask.lo; lo < mask.hi; lo += PART) {
      choose(a, mask.on, t, lo, Math.min(lo + PART, mask.hi), identity);
    }
    Arrays.fill(t, mask.hi, t.length, identity);
  }

  private static void choose(double[] a, int[] on, double[] t, int lo, int hi, double identity) {
    for (int i = lo; i < hi; i++) {
      t[i] = on[i] != 0 ? a[i] : identity;
    }
  }

  private static void spread(double result, int[] on, double[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = on[i] != 0 ? result : d[i];
    }
  }
}
