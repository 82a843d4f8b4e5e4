package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.LaneMath;
import io.gpdb.exec.emulated.common.RegisterUse;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.SpecialKind;
import io.gpdb.exec.ir.Op.UnaryOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.util.Arrays;

/** Chooses the loop of each operation that computes a register lane by lane. */
final class LaneStepCompiler {
  private final RegisterUse use;

  LaneStepCompiler(RegisterUse use) {
    this.use = use;
  }

  private BlockStep i32(Reg dst, LaneSteps.I32 loop) {
    return LaneSteps.i32(dst.id(), use.mayOverwriteInactive(dst.id()), loop);
  }

  private BlockStep i64(Reg dst, LaneSteps.I64 loop) {
    return LaneSteps.i64(dst.id(), use.mayOverwriteInactive(dst.id()), loop);
  }

  private BlockStep f32(Reg dst, LaneSteps.F32 loop) {
    return LaneSteps.f32(dst.id(), use.mayOverwriteInactive(dst.id()), loop);
  }

  private BlockStep f64(Reg dst, LaneSteps.F64 loop) {
    return LaneSteps.f64(dst.id(), use.mayOverwriteInactive(dst.id()), loop);
  }

  BlockStep constant(Reg dst, long bits) {
    return switch (dst.type()) {
      case I32, PRED -> i32(dst, (s, d, lo, hi) -> Arrays.fill(d, lo, hi, (int) bits));
      case I64 -> i64(dst, (s, d, lo, hi) -> Arrays.fill(d, lo, hi, bits));
      case F32 -> f32(dst, (s, d, lo, hi) -> Arrays.fill(d, lo, hi, LaneMath.f32(bits)));
      case F64 -> f64(dst, (s, d, lo, hi) -> Arrays.fill(d, lo, hi, LaneMath.f64(bits)));
    };
  }

  BlockStep scalar(Reg dst, int index) {
    return switch (dst.type()) {
      case I32, PRED -> i32(dst, (s, d, lo, hi) -> Arrays.fill(d, lo, hi, (int) s.scalars[index]));
      case I64 -> i64(dst, (s, d, lo, hi) -> Arrays.fill(d, lo, hi, s.scalars[index]));
      case F32 ->
          f32(dst, (s, d, lo, hi) -> Arrays.fill(d, lo, hi, LaneMath.f32(s.scalars[index])));
      case F64 ->
          f64(dst, (s, d, lo, hi) -> Arrays.fill(d, lo, hi, LaneMath.f64(s.scalars[index])));
    };
  }

  BlockStep special(Reg dst, SpecialKind kind) {
    if (dst.type() == Type.I64) {
      return i64(dst, (s, d, lo, hi) -> count(d, (long) s.block * s.lanes, lo, hi));
    }
    return i32(
        dst,
        switch (kind) {
          case LANE -> (s, d, lo, hi) -> warpPositions(d, lo, hi);
          case WARP -> (s, d, lo, hi) -> warps(d, lo, hi);
          case THREAD -> (s, d, lo, hi) -> count(d, 0, lo, hi);
          case BLOCK -> (s, d, lo, hi) -> Arrays.fill(d, lo, hi, s.block);
          case BLOCK_SIZE -> (s, d, lo, hi) -> Arrays.fill(d, lo, hi, s.lanes);
          case GRID_SIZE -> (s, d, lo, hi) -> Arrays.fill(d, lo, hi, s.gridSize);
          case GLOBAL -> (s, d, lo, hi) -> count(d, s.firstGlobal(), lo, hi);
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
    int a = op.a().id();
    return switch (op.dst().type()) {
      case I32, PRED ->
          i32(op.dst(), (s, d, lo, hi) -> System.arraycopy(s.i32[a], lo, d, lo, hi - lo));
      case I64 -> i64(op.dst(), (s, d, lo, hi) -> System.arraycopy(s.i64[a], lo, d, lo, hi - lo));
      case F32 -> f32(op.dst(), (s, d, lo, hi) -> System.arraycopy(s.f32[a], lo, d, lo, hi - lo));
      case F64 -> f64(op.dst(), (s, d, lo, hi) -> System.arraycopy(s.f64[a], lo, d, lo, hi - lo));
    };
  }

  BlockStep unary(Op.Unary op) {
    int a = op.a().id();
    if (op.op() == UnaryOp.BITCAST) {
      return bitcast(op.dst(), op.a());
    }
    return switch (op.a().type()) {
      case PRED -> i32(op.dst(), (s, d, lo, hi) -> not(s.i32[a], d, lo, hi));
      case I32 -> {
        I32Loops.Unary loop = I32Loops.unary(op.op());
        yield i32(op.dst(), (s, d, lo, hi) -> loop.run(s.i32[a], d, lo, hi));
      }
      case I64 -> {
        I64Loops.Unary loop = I64Loops.unary(op.op());
        yield i64(op.dst(), (s, d, lo, hi) -> loop.run(s.i64[a], d, lo, hi));
      }
      case F32 -> {
        F32Loops.Unary loop = F32Loops.unary(op.op());
        yield f32(op.dst(), (s, d, lo, hi) -> loop.run(s.f32[a], d, lo, hi));
      }
      case F64 -> {
        F64Loops.Unary loop = F64Loops.unary(op.op());
        yield f64(op.dst(), (s, d, lo, hi) -> loop.run(s.f64[a], d, lo, hi));
      }
    };
  }

  private static void not(int[] a, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = a[i] ^ 1;
    }
  }

  private BlockStep bitcast(Reg dst, Reg from) {
    int a = from.id();
    return switch (dst.type()) {
      case I32 -> i32(dst, (s, d, lo, hi) -> ConvertLoops.f32Bits(s.f32[a], d, lo, hi));
      case I64 -> i64(dst, (s, d, lo, hi) -> ConvertLoops.f64Bits(s.f64[a], d, lo, hi));
      case F32 -> f32(dst, (s, d, lo, hi) -> ConvertLoops.f32OfBits(s.i32[a], d, lo, hi));
      case F64 -> f64(dst, (s, d, lo, hi) -> ConvertLoops.f64OfBits(s.i64[a], d, lo, hi));
      case PRED -> throw new IllegalArgumentException("a predicate has no bits to cast");
    };
  }

  /** Integer DIV and REM are 0 for lanes with b = 0, which have trapped. */
  BlockStep binary(Reg dst, BinaryOp op, Reg left, Reg right) {
    int a = left.id();
    int b = right.id();
    return switch (left.type()) {
      case I32, PRED -> {
        I32Loops.Binary loop = I32Loops.binary(op);
        yield i32(dst, (s, d, lo, hi) -> loop.run(s.i32[a], s.i32[b], d, lo, hi));
      }
      case I64 -> {
        I64Loops.Binary loop = I64Loops.binary(op);
        yield i64(dst, (s, d, lo, hi) -> loop.run(s.i64[a], s.i64[b], d, lo, hi));
      }
      case F32 -> {
        F32Loops.Binary loop = F32Loops.binary(op);
        yield f32(dst, (s, d, lo, hi) -> loop.run(s.f32[a], s.f32[b], d, lo, hi));
      }
      case F64 -> {
        F64Loops.Binary loop = F64Loops.binary(op);
        yield f64(dst, (s, d, lo, hi) -> loop.run(s.f64[a], s.f64[b], d, lo, hi));
      }
    };
  }

  BlockStep overflow(Op.Overflow op) {
    int a = op.a().id();
    int b = op.b().id();
    if (op.a().type() == Type.I32) {
      I32Loops.Relation loop = I32Loops.overflow(op.op());
      return i32(op.dst(), (s, d, lo, hi) -> loop.run(s.i32[a], s.i32[b], d, lo, hi));
    }
    I64Loops.Relation loop = I64Loops.overflow(op.op());
    return i32(op.dst(), (s, d, lo, hi) -> loop.run(s.i64[a], s.i64[b], d, lo, hi));
  }

  BlockStep compare(Op.Compare op) {
    int a = op.a().id();
    int b = op.b().id();
    return switch (op.a().type()) {
      case I32, PRED -> {
        I32Loops.Relation loop = I32Loops.compare(op.op());
        yield i32(op.dst(), (s, d, lo, hi) -> loop.run(s.i32[a], s.i32[b], d, lo, hi));
      }
      case I64 -> {
        I64Loops.Relation loop = I64Loops.compare(op.op());
        yield i32(op.dst(), (s, d, lo, hi) -> loop.run(s.i64[a], s.i64[b], d, lo, hi));
      }
      case F32 -> {
        F32Loops.Relation loop = F32Loops.compare(op.op());
        yield i32(op.dst(), (s, d, lo, hi) -> loop.run(s.f32[a], s.f32[b], d, lo, hi));
      }
      case F64 -> {
        F64Loops.Relation loop = F64Loops.compare(op.op());
        yield i32(op.dst(), (s, d, lo, hi) -> loop.run(s.f64[a], s.f64[b], d, lo, hi));
      }
    };
  }

  BlockStep select(Op.Select op) {
    int p = op.p().id();
    int a = op.a().id();
    int b = op.b().id();
    return switch (op.dst().type()) {
      case I32, PRED ->
          i32(op.dst(), (s, d, lo, hi) -> I32Loops.select(s.i32[p], s.i32[a], s.i32[b], d, lo, hi));
      case I64 ->
          i64(op.dst(), (s, d, lo, hi) -> I64Loops.select(s.i32[p], s.i64[a], s.i64[b], d, lo, hi));
      case F32 ->
          f32(op.dst(), (s, d, lo, hi) -> F32Loops.select(s.i32[p], s.f32[a], s.f32[b], d, lo, hi));
      case F64 ->
          f64(op.dst(), (s, d, lo, hi) -> F64Loops.select(s.i32[p], s.f64[a], s.f64[b], d, lo, hi));
    };
  }

  BlockStep convert(Op.Convert op) {
    int a = op.a().id();
    Type from = op.a().type() == Type.PRED ? Type.I32 : op.a().type();
    return switch (op.dst().type()) {
      case I32 ->
          i32(
              op.dst(),
              switch (from) {
                case I32, PRED -> (s, d, lo, hi) -> System.arraycopy(s.i32[a], lo, d, lo, hi - lo);
                case I64 -> (s, d, lo, hi) -> ConvertLoops.i64ToI32(s.i64[a], d, lo, hi);
                case F32 -> (s, d, lo, hi) -> ConvertLoops.f32ToI32(s.f32[a], d, lo, hi);
                case F64 -> (s, d, lo, hi) -> ConvertLoops.f64ToI32(s.f64[a], d, lo, hi);
              });
      case I64 ->
          i64(
              op.dst(),
              switch (from) {
                case F32 -> (s, d, lo, hi) -> ConvertLoops.f32ToI64(s.f32[a], d, lo, hi);
                case F64 -> (s, d, lo, hi) -> ConvertLoops.f64ToI64(s.f64[a], d, lo, hi);
                case I32, I64, PRED -> (s, d, lo, hi) -> ConvertLoops.i32ToI64(s.i32[a], d, lo, hi);
              });
      case F32 ->
          f32(
              op.dst(),
              switch (from) {
                case I64 -> (s, d, lo, hi) -> ConvertLoops.i64ToF32(s.i64[a], d, lo, hi);
                case F64 -> (s, d, lo, hi) -> ConvertLoops.f64ToF32(s.f64[a], d, lo, hi);
                case I32, F32, PRED -> (s, d, lo, hi) -> ConvertLoops.i32ToF32(s.i32[a], d, lo, hi);
              });
      case F64 ->
          f64(
              op.dst(),
              switch (from) {
                case I64 -> (s, d, lo, hi) -> ConvertLoops.i64ToF64(s.i64[a], d, lo, hi);
                case F32 -> (s, d, lo, hi) -> ConvertLoops.f32ToF64(s.f32[a], d, lo, hi);
                case I32, F64, PRED -> (s, d, lo, hi) -> ConvertLoops.i32ToF64(s.i32[a], d, lo, hi);
              });
      case PRED -> throw new IllegalArgumentException("no conversion to pred");
    };
  }
}
