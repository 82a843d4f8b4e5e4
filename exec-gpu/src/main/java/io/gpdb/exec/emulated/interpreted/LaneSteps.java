package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.ir.Reg;

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
    return switch (dst.type()) {
      case I32, PRED ->
          (s, mask) -> {
            boolean isDirect = overwrite || mask.isContiguous();
            lanes.run(s, isDirect ? s.i32[id] : s.scratchI32, mask.lo, mask.hi);
            if (!isDirect) {
              mask.blend(s.scratchI32, s.i32[id]);
            }
          };
      case I64 ->
          (s, mask) -> {
            boolean isDirect = overwrite || mask.isContiguous();
            lanes.run(s, isDirect ? s.i64[id] : s.scratchI64, mask.lo, mask.hi);
            if (!isDirect) {
              mask.blend(s.scratchI64, s.i64[id]);
            }
          };
      case F32 ->
          (s, mask) -> {
            boolean isDirect = overwrite || mask.isContiguous();
            lanes.run(s, isDirect ? s.f32[id] : s.scratchF32, mask.lo, mask.hi);
            if (!isDirect) {
              mask.blend(s.scratchF32, s.f32[id]);
            }
          };
      case F64 ->
          (s, mask) -> {
            boolean isDirect = overwrite || mask.isContiguous();
            lanes.run(s, isDirect ? s.f64[id] : s.scratchF64, mask.lo, mask.hi);
            if (!isDirect) {
              mask.blend(s.scratchF64, s.f64[id]);
            }
          };
    };
  }
}
