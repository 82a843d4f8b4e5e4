package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.LaneMath;
import io.gpdb.exec.emulated.common.OperationCode;
import io.gpdb.exec.emulated.common.RegisterUse;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.BinaryOp;
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

  private BlockStep unary(Reg dst, LaneLoops.Loop loop, Reg operand) {
    return binary(dst, loop, operand, operand);
  }

  private BlockStep binary(Reg dst, LaneLoops.Loop loop, Reg left, Reg right) {
    int a = left.id();
    int b = right.id();
    return step(
        dst,
        (s, d, lo, hi) -> {
          Object[] registers = s.registers;
          loop.run(d, registers[a], registers[b], d, lo, hi);
        });
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
    return copy(op.dst(), op.a());
  }

  private BlockStep copy(Reg dst, Reg from) {
    int a = from.id();
    return step(dst, (s, d, lo, hi) -> System.arraycopy(s.registers[a], lo, d, lo, hi - lo));
  }

  BlockStep unary(Op.Unary op) {
    return unary(op.dst(), LaneLoops.unary(op.op(), op.a().type(), op.dst().type()), op.a());
  }

  /** Integer DIV and REM are 0 for lanes with b = 0, which have trapped. */
  BlockStep binary(Reg dst, BinaryOp op, Reg left, Reg right) {
    return binary(dst, LaneLoops.binary(op, left.type()), left, right);
  }

  BlockStep overflow(Op.Overflow op) {
    return binary(op.dst(), LaneLoops.overflow(op.op(), op.a().type()), op.a(), op.b());
  }

  BlockStep compare(Op.Compare op) {
    LaneLoops.Loop loop = LaneLoops.compare(op.op(), op.a().type());
    return OperationCode.isSwapped(op.op())
        ? binary(op.dst(), loop, op.b(), op.a())
        : binary(op.dst(), loop, op.a(), op.b());
  }

  BlockStep select(Op.Select op) {
    LaneLoops.Loop loop = LaneLoops.select(op.dst().type());
    int a = op.a().id();
    int b = op.b().id();
    int p = op.p().id();
    return step(
        op.dst(),
        (s, d, lo, hi) -> {
          Object[] registers = s.registers;
          loop.run(d, registers[a], registers[b], registers[p], lo, hi);
        });
  }

  BlockStep convert(Op.Convert op) {
    if (op.dst().type() == Type.PRED) {
      throw new IllegalArgumentException("no conversion to pred");
    }
    return op.dst().type() == op.a().type()
        ? copy(op.dst(), op.a())
        : unary(op.dst(), LaneLoops.convert(op.a().type(), op.dst().type()), op.a());
  }
}
