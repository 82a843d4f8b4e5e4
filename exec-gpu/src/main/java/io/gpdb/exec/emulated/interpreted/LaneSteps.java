package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.BlockState;

/**
 * Steps that compute one register from others, lane by lane, without traps. They compute all lanes
 * of the mask's range; where an inactive lane in the range must keep its value, into a scratch
 * array first.
 */
final class LaneSteps {
  private LaneSteps() {}

  /** Computes lanes [lo, hi) of an i32 or predicate register. */
  interface I32 {
    void run(BlockState state, int[] d, int lo, int hi);
  }

  /** Computes lanes [lo, hi) of an i64 register. */
  interface I64 {
    void run(BlockState state, long[] d, int lo, int hi);
  }

  /** Computes lanes [lo, hi) of an f32 register. */
  interface F32 {
    void run(BlockState state, float[] d, int lo, int hi);
  }

  /** Computes lanes [lo, hi) of an f64 register. */
  interface F64 {
    void run(BlockState state, double[] d, int lo, int hi);
  }

  static BlockStep i32(int dst, boolean overwrite, I32 loop) {
    return (state, mask) -> {
      if (overwrite || mask.isContiguous()) {
        loop.run(state, state.i32[dst], mask.lo, mask.hi);
      } else {
        loop.run(state, state.scratchI32, mask.lo, mask.hi);
        mask.blend(state.scratchI32, state.i32[dst]);
      }
    };
  }

  static BlockStep i64(int dst, boolean overwrite, I64 loop) {
    return (state, mask) -> {
      if (overwrite || mask.isContiguous()) {
        loop.run(state, state.i64[dst], mask.lo, mask.hi);
      } else {
        loop.run(state, state.scratchI64, mask.lo, mask.hi);
        mask.blend(state.scratchI64, state.i64[dst]);
      }
    };
  }

  static BlockStep f32(int dst, boolean overwrite, F32 loop) {
    return (state, mask) -> {
      if (overwrite || mask.isContiguous()) {
        loop.run(state, state.f32[dst], mask.lo, mask.hi);
      } else {
        loop.run(state, state.scratchF32, mask.lo, mask.hi);
        mask.blend(state.scratchF32, state.f32[dst]);
      }
    };
  }

  static BlockStep f64(int dst, boolean overwrite, F64 loop) {
    return (state, mask) -> {
      if (overwrite || mask.isContiguous()) {
        loop.run(state, state.f64[dst], mask.lo, mask.hi);
      } else {
        loop.run(state, state.scratchF64, mask.lo, mask.hi);
        mask.blend(state.scratchF64, state.f64[dst]);
      }
    };
  }
}
