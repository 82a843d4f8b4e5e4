package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.LaneMath;
import io.gpdb.exec.emulated.common.RegisterUse;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.SpecialKind;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.util.Arrays;

/** Chooses the loop of each operation that computes a register lane by lane. */
final class LaneStepCompiler {
  private final RegisterUse use;

  LaneStepCompiler(RegisterUse use) {
    this.use = use;
  }

  private BlockStep step(Reg dst, LaneSteps.Lanes lanes) {
    return LaneSteps.of(dst, use.mayOverwriteInactive(dst.id()), lanes);
  }

  BlockStep constant(Reg dst, long bits) {
    return step(dst, (s, d, lo, hi) -> fill(dst.type(), d, bits, lo, hi));
  }

  BlockStep scalar(Reg dst, int index) {
    return step(dst, (s, d, lo, hi) -> fill(dst.type(), d, s.scalars[index], lo, hi));
  }

  private static void fill(Type type, Object d, long bits, int lo, int hi) {
    switch (type) {
      case I32, PRED -> Arrays.fill((int[]) d, lo, hi, (int) bits);
      case I64 -> Arrays.fill((long[]) d, lo, hi, bits);
      case F32 -> Arrays.fill((float[]) d, lo, hi, LaneMath.f32(bits));
      case F64 -> Arrays.fill((double[]) d, lo, hi, LaneMath.f64(bits));
    }
  }

  BlockStep special(Reg dst, SpecialKind kind) {
    if (dst.type() == Type.I64) {
      return step(dst, (s, d, lo, hi) -> count((long[]) d, (long) s.block * s.lanes, lo, hi));
    }
    return step(
        dst,
        switch (kind) {
          case LANE -> (s, d, lo, hi) -> warpPositions((int[]) d, lo, hi);
          case WARP -> (s, d, lo, hi) -> warps((int[]) d, lo, hi);
          case THREAD -> (s, d, lo, hi) -> count((int[]) d, 0, lo, hi);
          case BLOCK -> (s, d, lo, hi) -> Arrays.fill((int[]) d, lo, hi, s.block);
          case BLOCK_SIZE -> (s, d, lo, hi) -> Arrays.fill((int[]) d, lo, hi, s.lanes);
          case GRID_SIZE -> (s, d, lo, hi) -> Arrays.fill((int[]) d, lo, hi, s.gridSize);
          case GLOBAL -> (s, d, lo, hi) -> count((int[]) d, s.firstGlobal(), lo, hi);
        });
  }

  private static void count(int[] d, int first, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = first + i;
    }
  }

  private static void count(long[] d, long first, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = first + i;
    }
  }

  private static void warpPositions(int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = i & (Op.WARP_LANES - 1);
    }
  }

  private static void warps(int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = i / Op.WARP_LANES;
    }
  }

  BlockStep move(Op.Move op) {
    return step(op.dst(), LaneLoops.convert(op.a(), op.dst().type()));
  }

  BlockStep unary(Op.Unary op) {
    return step(op.dst(), LaneLoops.unary(op.op(), op.a(), op.dst().type()));
  }

  /** Integer DIV and REM are 0 for lanes with b = 0, which have trapped. */
  BlockStep binary(Op.Binary op) {
    return step(op.dst(), LaneLoops.binary(op.op(), op.a(), op.b()));
  }

  BlockStep overflow(Op.Overflow op) {
    return step(op.dst(), LaneLoops.overflow(op.op(), op.a(), op.b()));
  }

  BlockStep compare(Op.Compare op) {
    return step(op.dst(), LaneLoops.compare(op.op(), op.a(), op.b()));
  }

  BlockStep select(Op.Select op) {
    return step(op.dst(), LaneLoops.select(op.a(), op.b(), op.p()));
  }

  BlockStep convert(Op.Convert op) {
    if (op.dst().type() == Type.PRED) {
      throw new IllegalArgumentException("no conversion to pred");
    }
    return step(op.dst(), LaneLoops.convert(op.a(), op.dst().type()));
  }
}
