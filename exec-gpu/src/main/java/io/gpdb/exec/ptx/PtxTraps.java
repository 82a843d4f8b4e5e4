package io.gpdb.exec.ptx;

import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Type;

/**
 * How lanes trap: the smallest key (the detail's 48 bits over the code's 16, biased to be unsigned)
 * is kept by an atomic minimum in the trap word, and the lane's {@code %alive} falls. A lane that
 * is not alive walks on with the others, so that barriers and warp operations stay legal, but loads
 * nothing, stores nothing and counts in no collective.
 */
final class PtxTraps {
  /** The hidden parameter: the address of the trap word, a signed 64-bit number. */
  static final String PARAMETER = "traps";

  private static final String ADDRESS = "%traps";
  private static final int CODE_BITS = 64 - Op.TRAP_DETAIL_BITS;
  private static final int CODE_BIAS = 1 << (CODE_BITS - 1);

  /** Why an operation traps by itself; the key of the lane is in the register. */
  enum Cause {
    OUT_OF_RANGE(Op.OUT_OF_RANGE, "%keyRange"),
    DIVIDE_BY_ZERO(Op.DIVIDE_BY_ZERO, "%keyZero");

    private final int code;
    private final String key;

    Cause(int code, String key) {
      this.code = code;
      this.key = key;
    }
  }

  private final PtxText out;

  PtxTraps(PtxText out) {
    this.out = out;
  }

  static String declarations() {
    return "  .reg .b64 " + ADDRESS + ", %keyRange, %keyZero;\n";
  }

  /** At the entry's start; {@code global} is the lane's GLOBAL position, 64 bits. */
  void begin(String global) {
    out.emit("setp.eq.u32 #, 0, 0", PtxText.ALIVE);
    out.emit("ld.param.b64 #, [#]", ADDRESS, PARAMETER);
    out.emit("cvta.to.global.u64 #, #", ADDRESS, ADDRESS);
    for (Cause cause : Cause.values()) {
      key(cause.key, global, cause.code);
    }
  }

  private void key(String target, Object detail, int code) {
    out.emit("shl.b64 #, #, #", target, detail, CODE_BITS);
    out.emit("or.b64 #, #, #", target, target, code + CODE_BIAS);
  }

  /** The lane traps unless the {@code setp.….and} on a and b holds. */
  void require(String setpAnd, Object a, Object b, Cause cause) {
    String good = out.temporary(Type.PRED);
    String bad = out.temporary(Type.PRED);
    out.emit("# #|#, #, #, #", setpAnd, good, bad, a, b, PtxText.ALIVE);
    out.emit("@# red.global.min.s64 [#], #", bad, ADDRESS, cause.key);
    out.emit("mov.pred #, #", PtxText.ALIVE, good);
  }

  void trap(Op.Trap op) {
    String traps = out.temporary(Type.PRED);
    String key = out.temporary(Type.I64);
    boolean wide = op.detail().type() == Type.I64;
    out.emit("and.pred #, #, #", traps, op.p(), PtxText.ALIVE);
    out.emit(wide ? "mov.b64 #, #" : "cvt.s64.s32 #, #", key, op.detail());
    key(key, key, op.code());
    out.emit("@# red.global.min.s64 [#], #", traps, ADDRESS, key);
    String stays = out.temporary(Type.PRED);
    out.emit("not.pred #, #", stays, traps);
    out.emit("and.pred #, #, #", PtxText.ALIVE, PtxText.ALIVE, stays);
  }
}
