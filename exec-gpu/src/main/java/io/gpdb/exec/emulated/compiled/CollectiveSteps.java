package io.gpdb.exec.emulated.compiled;

import io.gpdb.exec.emulated.common.LaneMask;
import io.gpdb.exec.emulated.common.LaneMath;
import io.gpdb.exec.emulated.interpreted.ReduceSteps;
import io.gpdb.exec.emulated.interpreted.ReduceTrees;
import io.gpdb.exec.emulated.interpreted.WarpSteps;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Reductions;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;

/** Steps of compiled kernels on arrays over the lanes, which exchange values between lanes. */
final class CollectiveSteps {
  private CollectiveSteps() {}

  static FrameStep of(KernelFacts facts, Op op) {
    return switch (op) {
      case Op.Ballot o -> f -> WarpSteps.ballot(f.i32[o.p().id()], f.i32[o.dst().id()], f.mask);
      case Op.Shuffle o -> f -> shuffle(o, f);
      case Op.WarpReduce o -> f -> warpReduce(o, f);
      case Op.BlockReduce o -> f -> blockReduce(facts, o, f);
      default -> throw new IllegalArgumentException("not a collective: " + op);
    };
  }

  private static void shuffle(Op.Shuffle op, BlockFrame f) {
    int a = op.a().id();
    int d = op.dst().id();
    int[] selector = f.i32[op.lane().id()];
    switch (op.a().type()) {
      case I32 -> {
        System.arraycopy(f.i32[a], 0, f.scratchI32, 0, f.lanes);
        WarpSteps.shuffle(op.kind(), f.scratchI32, selector, f.i32[d], f.mask);
      }
      case I64 -> {
        System.arraycopy(f.i64[a], 0, f.scratchI64, 0, f.lanes);
        WarpSteps.shuffle(op.kind(), f.scratchI64, selector, f.i64[d], f.mask);
      }
      case F32 -> {
        System.arraycopy(f.f32[a], 0, f.scratchF32, 0, f.lanes);
        WarpSteps.shuffle(op.kind(), f.scratchF32, selector, f.f32[d], f.mask);
      }
      case F64 -> {
        System.arraycopy(f.f64[a], 0, f.scratchF64, 0, f.lanes);
        WarpSteps.shuffle(op.kind(), f.scratchF64, selector, f.f64[d], f.mask);
      }
      case PRED -> throw new IllegalArgumentException("no shuffle of predicates");
    }
  }

  private static void warpReduce(Op.WarpReduce op, BlockFrame f) {
    int a = op.a().id();
    int d = op.dst().id();
    long identity = Reductions.identity(op.op(), op.a().type());
    switch (op.a().type()) {
      case I32 ->
          ReduceSteps.reduce(
              op.op(), f.i32[a], f.i32[d], f.scratchI32, (int) identity, true, f.mask);
      case I64 ->
          ReduceSteps.reduce(op.op(), f.i64[a], f.i64[d], f.scratchI64, identity, true, f.mask);
      case F32 ->
          ReduceSteps.reduce(
              op.op(), f.f32[a], f.f32[d], f.scratchF32, LaneMath.f32(identity), true, f.mask);
      case F64 ->
          ReduceSteps.reduce(
              op.op(), f.f64[a], f.f64[d], f.scratchF64, LaneMath.f64(identity), true, f.mask);
      case PRED -> throw new IllegalArgumentException("no reduction of predicates");
    }
  }

  /** A reduction of floats; those of whole numbers are part of their region. */
  private static void blockReduce(KernelFacts facts, Op.BlockReduce op, BlockFrame f) {
    Reg dst = op.dst();
    long identity = Reductions.identity(op.op(), dst.type());
    LaneMask mask = f.mask;
    long bits;
    if (dst.type() == Type.F32) {
      float none = LaneMath.f32(identity);
      float[] a = f.f32[op.a().id()];
      for (int i = 0; i < f.lanes; i++) {
        f.scratchF32[i] = mask.on[i] != 0 ? a[i] : none;
      }
      bits = LaneMath.bits(ReduceTrees.block(op.op(), f.scratchF32, none));
    } else {
      double none = LaneMath.f64(identity);
      double[] a = f.f64[op.a().id()];
      for (int i = 0; i < f.lanes; i++) {
        f.scratchF64[i] = mask.on[i] != 0 ? a[i] : none;
      }
      bits = LaneMath.bits(ReduceTrees.block(op.op(), f.scratchF64, none));
    }
    if (facts.isScalar(dst)) {
      f.uniform[dst.id()] = bits;
    } else {
      FillSteps.fill(f, dst, bits);
    }
  }
}
