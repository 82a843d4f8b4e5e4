package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;

/**
 * Steps that compute one register from others, lane by lane, without traps. They compute all lanes
 * of the mask's range; where an inactive lane in the range must keep its value, into a scratch
 * array first.
 */
final class LaneSteps {
  private LaneSteps() {}

  /** Computes lanes [lo, hi) of a register, whose array is {@code d}. */
  interface Lanes {
    void run(BlockState state, Object d, int lo, int hi);
  }

  static BlockStep of(Reg dst, boolean overwrite, Lanes lanes) {
    int id = dst.id();
    Type type = dst.type();
    return (state, mask) -> {
      Object d = state.registers[id];
      if (overwrite || mask.isContiguous()) {
        lanes.run(state, d, mask.lo, mask.hi);
      } else {
        Object scratch = state.scratch(type);
        lanes.run(state, scratch, mask.lo, mask.hi);
        mask.blend(type, scratch, d);
      }
    };
  }
}
