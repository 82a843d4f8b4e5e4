package io.gpdb.exec.emulated.compiled;

import io.gpdb.exec.emulated.common.LaneMath;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.SpecialKind;
import io.gpdb.exec.ir.Reg;
import java.util.Arrays;

/** Fills arrays over the lanes for registers that have no place of their own in them. */
final class FillSteps {
  private FillSteps() {}

  /** The raw bits of a scalar register, or of one that holds one value per launch or block. */
  static long value(KernelFacts facts, BlockFrame frame, Reg register) {
    Op.Const constant = facts.constant(register);
    if (constant != null) {
      return constant.bits();
    }
    int launchScalar = facts.launchScalar(register);
    if (launchScalar >= 0) {
      return frame.scalars[launchScalar];
    }
    return switch (facts.special(register)) {
      case BLOCK -> frame.block;
      case BLOCK_SIZE -> frame.lanes;
      case GRID_SIZE -> frame.gridSize;
      case LANE, WARP, THREAD, GLOBAL ->
          throw new IllegalArgumentException(register.text() + " is a lane's position");
      case null -> frame.uniform[register.id()];
    };
  }

  /** Fills the array of a register that is not computed by a region. */
  static FrameStep of(KernelFacts facts, Reg register) {
    SpecialKind position = facts.special(register);
    return switch (position) {
      case LANE, WARP, THREAD, GLOBAL -> frame -> fillPositions(frame, register, position);
      case BLOCK, BLOCK_SIZE, GRID_SIZE ->
          frame -> fill(frame, register, value(facts, frame, register));
      case null -> frame -> fill(frame, register, value(facts, frame, register));
    };
  }

  static void fill(BlockFrame frame, Reg register, long bits) {
    int id = register.id();
    switch (register.type()) {
      case I32, PRED -> Arrays.fill(frame.i32[id], (int) bits);
      case I64 -> Arrays.fill(frame.i64[id], bits);
      case F32 -> Arrays.fill(frame.f32[id], LaneMath.f32(bits));
      case F64 -> Arrays.fill(frame.f64[id], LaneMath.f64(bits));
    }
  }

  private static void fillPositions(BlockFrame frame, Reg register, SpecialKind position) {
    for (int lane = 0; lane < frame.lanes; lane++) {
      int value =
          switch (position) {
            case LANE -> lane & (Op.WARP_LANES - 1);
            case WARP -> lane / Op.WARP_LANES;
            case THREAD -> lane;
            case GLOBAL -> frame.firstGlobal + lane;
            case BLOCK, BLOCK_SIZE, GRID_SIZE ->
                throw new IllegalArgumentException(position + " is one value");
          };
      if (frame.i32[register.id()] != null) {
        frame.i32[register.id()][lane] = value;
      } else {
        frame.i64[register.id()][lane] = value;
      }
    }
  }
}
