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
    Arrays.fill(t, 0, mask.lo, identity);
    for (int i = mask.lo; i < mask.hi; i++) {
      t[i] = mask.on[i] != 0 ? a[i] : identity;
    }
    Arrays.fill(t, mask.hi, t.length, identity);
    int group = perWarp ? WARP : t.length;
    for (int start = mask.lo / group * group; start < mask.hi; start += group) {
      int result = ReduceTrees.reduce(op, t, start, start + group, identity);
      for (int i = Math.max(start, mask.lo); i < Math.min(start + group, mask.hi); i++) {
        d[i] = mask.on[i] != 0 ? result : d[i];
      }
    }
  }

  public static void reduce(
      ReduceOp op, long[] a, long[] d, long[] t, long identity, boolean perWarp, LaneMask mask) {
    Arrays.fill(t, 0, mask.lo, identity);
    for (int i = mask.lo; i < mask.hi; i++) {
      t[i] = mask.on[i] != 0 ? a[i] : identity;
    }
    Arrays.fill(t, mask.hi, t.length, identity);
    int group = perWarp ? WARP : t.length;
    for (int start = mask.lo / group * group; start < mask.hi; start += group) {
      long result = ReduceTrees.reduce(op, t, start, start + group, identity);
      for (int i = Math.max(start, mask.lo); i < Math.min(start + group, mask.hi); i++) {
        d[i] = mask.on[i] != 0 ? result : d[i];
      }
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
    Arrays.fill(t, 0, mask.lo, identity);
    for (int i = mask.lo; i < mask.hi; i++) {
      t[i] = mask.on[i] != 0 ? a[i] : identity;
    }
    Arrays.fill(t, mask.hi, t.length, identity);
    float whole = perWarp ? 0 : ReduceTrees.block(op, t, identity);
    for (int start = mask.lo / WARP * WARP; start < mask.hi; start += WARP) {
      if (perWarp) {
        ReduceTrees.warp(op, t, start);
      }
      float result = perWarp ? t[start] : whole;
      for (int i = Math.max(start, mask.lo); i < Math.min(start + WARP, mask.hi); i++) {
        d[i] = mask.on[i] != 0 ? result : d[i];
      }
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
    Arrays.fill(t, 0, mask.lo, identity);
    for (int i = mask.lo; i < mask.hi; i++) {
      t[i] = mask.on[i] != 0 ? a[i] : identity;
    }
    Arrays.fill(t, mask.hi, t.length, identity);
    double whole = perWarp ? 0 : ReduceTrees.block(op, t, identity);
    for (int start = mask.lo / WARP * WARP; start < mask.hi; start += WARP) {
      if (perWarp) {
        ReduceTrees.warp(op, t, start);
      }
      double result = perWarp ? t[start] : whole;
      for (int i = Math.max(start, mask.lo); i < Math.min(start + WARP, mask.hi); i++) {
        d[i] = mask.on[i] != 0 ? result : d[i];
      }
    }
  }
}
