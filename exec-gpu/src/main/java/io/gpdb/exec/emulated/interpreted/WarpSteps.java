package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.LaneMask;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.ShuffleKind;

/** Steps in which the lanes of each warp exchange predicates and values. */
public final class WarpSteps {
  private static final int WARP = Op.WARP_LANES;

  private WarpSteps() {}

  static BlockStep ballot(Op.Ballot op) {
    int p = op.p().id();
    int dst = op.dst().id();
    return (s, mask) -> ballot(s.i32[p], s.i32[dst], mask);
  }

  public static void ballot(int[] p, int[] d, LaneMask mask) {
    int[] on = mask.on;
    for (int start = mask.lo & -WARP; start < mask.hi; start += WARP) {
      int bits = 0;
      for (int i = 0; i < WARP; i++) {
        bits |= (p[start + i] & on[start + i]) << i;
      }
      for (int i = start; i < start + WARP; i++) {
        d[i] = on[i] != 0 ? bits : d[i];
      }
    }
  }

  static BlockStep rank(int p, int dst, int groupLanes) {
    return (s, mask) -> rank(s.i32[p], s.i32[dst], groupLanes, mask);
  }

  /** d = active lanes of the group below this one whose p holds. */
  static void rank(int[] p, int[] d, int groupLanes, LaneMask mask) {
    int rank = 0;
    for (int lo = mask.lo; lo < mask.hi; lo += ReduceSteps.PART) {
      rank = rank(p, mask.on, d, groupLanes, lo, Math.min(lo + ReduceSteps.PART, mask.hi), rank);
    }
  }

  /** Lanes [lo, hi), the first of which has that rank unless it begins a group. */
  private static int rank(int[] p, int[] on, int[] d, int groupLanes, int lo, int hi, int first) {
    int rank = first;
    for (int i = lo; i < hi; i++) {
      rank = i % groupLanes == 0 ? 0 : rank;
      if (on[i] != 0) {
        int holds = p[i];
        d[i] = rank;
        rank += holds;
      }
    }
    return rank;
  }

  static BlockStep shuffle(Op.Shuffle op) {
    int lane = op.lane().id();
    int a = op.a().id();
    int dst = op.dst().id();
    ShuffleKind kind = op.kind();
    return switch (op.a().type()) {
      case I32 ->
          (s, mask) -> {
            System.arraycopy(s.i32[a], mask.lo, s.scratchI32, mask.lo, mask.hi - mask.lo);
            shuffle(kind, s.scratchI32, s.i32[lane], s.i32[dst], mask);
          };
      case I64 ->
          (s, mask) -> {
            System.arraycopy(s.i64[a], mask.lo, s.scratchI64, mask.lo, mask.hi - mask.lo);
            shuffle(kind, s.scratchI64, s.i32[lane], s.i64[dst], mask);
          };
      case F32 ->
          (s, mask) -> {
            System.arraycopy(s.f32[a], mask.lo, s.scratchF32, mask.lo, mask.hi - mask.lo);
            shuffle(kind, s.scratchF32, s.i32[lane], s.f32[dst], mask);
          };
      case F64 ->
          (s, mask) -> {
            System.arraycopy(s.f64[a], mask.lo, s.scratchF64, mask.lo, mask.hi - mask.lo);
            shuffle(kind, s.scratchF64, s.i32[lane], s.f64[dst], mask);
          };
      case PRED -> throw new IllegalArgumentException("no shuffle of predicates");
    };
  }

  /** The lane that lane {@code i} reads; itself where the source is outside or not active. */
  private static int source(ShuffleKind kind, int i, int selector, int[] on) {
    int own = i & (WARP - 1);
    long source =
        switch (kind) {
          case IDX -> selector;
          case UP -> (long) own - selector;
          case DOWN -> (long) own + selector;
          case XOR -> own ^ selector;
        };
    if (source < 0 || source >= WARP) {
      return i;
    }
    int from = i - own + (int) source;
    return on[from] != 0 ? from : i;
  }

  public static void shuffle(ShuffleKind kind, int[] a, int[] selector, int[] d, LaneMask mask) {
    for (int i = mask.lo; i < mask.hi; i++) {
      if (mask.on[i] != 0) {
        d[i] = a[source(kind, i, selector[i], mask.on)];
      }
    }
  }

  public static void shuffle(ShuffleKind kind, long[] a, int[] selector, long[] d, LaneMask mask) {
    for (int i = mask.lo; i < mask.hi; i++) {
      if (mask.on[i] != 0) {
        d[i] = a[source(kind, i, selector[i], mask.on)];
      }
    }
  }

  public static void shuffle(
      ShuffleKind kind, float[] a, int[] selector, float[] d, LaneMask mask) {
    for (int i = mask.lo; i < mask.hi; i++) {
      if (mask.on[i] != 0) {
        d[i] = a[source(kind, i, selector[i], mask.on)];
      }
    }
  }

  public static void shuffle(
      ShuffleKind kind, double[] a, int[] selector, double[] d, LaneMask mask) {
    for (int i = mask.lo; i < mask.hi; i++) {
      if (mask.on[i] != 0) {
        d[i] = a[source(kind, i, selector[i], mask.on)];
      }
    }
  }
}
