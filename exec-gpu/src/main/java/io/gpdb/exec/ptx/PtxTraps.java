package io.gpdb.exec.ptx;

import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Type;

/**
 * How lanes trap: the smallest key (the detail's 48 bits over the code's 16, biased to be unsigned)
 * is kept by an atomic minimum in the trap word, and the lane's {@code %alive} falls. A lane that
 * is not alive walks on with the others, so that barriers and warp operations stay legal, but loads
 * nothing, stores nothing and counts in no collective.
 *
 * <p>What a lane has trapped with is in registers until the entry ends: an atomic operation behind
 * each check would keep a load from being issued before what was loaded earlier is there, and a
 * lane would wait for one value after the other.
 */
final class PtxTraps {
  /** The hidden parameter: the address of the trap word, a signed 64-bit number. */
  static final String PARAMETER = "traps";

  private static final int CODE_BITS = 64 - Op.TRAP_DETAIL_BITS;
  private static final int CODE_BIAS = 1 << (CODE_BITS - 1);

  /** Why an operation traps by itself; the detail is the lane. */
  enum Cause {
    OUT_OF_RANGE(Op.OUT_OF_RANGE),
    DIVIDE_BY_ZERO(Op.DIVIDE_BY_ZERO);

    private final int biasedCode;

    Cause(int code) {
      biasedCode = code + CODE_BIAS;
    }
  }

  /** The biased code of the operation that has ended the lane; 0 where none has. */
  private static final String CAUSE = "%cause";

  /** The key of the {@link Op.Trap} that has ended the lane; the trap word's preset otherwise. */
  private static final String KEY = "%trapKey";

  private static final String NO_KEY = PtxText.literal(Type.I64, Long.MAX_VALUE);

  private final PtxText out;

  PtxTraps(PtxText out) {
    this.out = out;
  }

  static String declarations() {
    return "  .reg .b32 " + CAUSE + ";\n  .reg .b64 " + KEY + ";\n";
  }

  /** At the entry's start. */
  void begin() {
    out.emit("setp.eq.u32 #, 0, 0", PtxText.ALIVE);
    out.emit("mov.u32 #, 0", CAUSE);
    out.emit("mov.b64 #, #", KEY, NO_KEY);
  }

  /** At the entry's end; {@code global} is the lane's GLOBAL position, 64 bits. */
  void end(String global) {
    String address = out.temporary(Type.I64);
    out.emit("ld.param.b64 #, [#]", address, PARAMETER);
    out.emit("cvta.to.global.u64 #, #", address, address);
    String happened = out.temporary(Type.PRED);
    String code = out.temporary(Type.I64);
    String key = out.temporary(Type.I64);
    out.emit("setp.ne.u32 #, #, 0", happened, CAUSE);
    out.emit("cvt.u64.u32 #, #", code, CAUSE);
    out.emit("shl.b64 #, #, #", key, global, CODE_BITS);
    out.emit("or.b64 #, #, #", key, key, code);
    out.emit("@# red.global.min.s64 [#], #", happened, address, key);
    String trapped = out.temporary(Type.PRED);
    out.emit("setp.ne.s64 #, #, #", trapped, KEY, NO_KEY);
    out.emit("@# red.global.min.s64 [#], #", trapped, address, KEY);
  }

  /** The lane traps unless the {@code setp.….and} on a and b holds. */
  void require(String setpAnd, Object a, Object b, Cause cause) {
    String good = out.temporary(Type.PRED);
    String bad = out.temporary(Type.PRED);
    out.emit("# #|#, #, #, #", setpAnd, good, bad, a, b, PtxText.ALIVE);
    out.emit("@# mov.u32 #, #", bad, CAUSE, cause.biasedCode);
    out.emit("mov.pred #, #", PtxText.ALIVE, good);
  }

  void trap(Op.Trap op) {
    String traps = out.temporary(Type.PRED);
    String key = out.temporary(Type.I64);
    boolean wide = op.detail().type() == Type.I64;
    out.emit("and.pred #, #, #", traps, op.p(), PtxText.ALIVE);
    out.emit(wide ? "mov.b64 #, #" : "cvt.s64.s32 #, #", key, op.detail());
    out.emit("shl.b64 #, #, #", key, key, CODE_BITS);
    out.emit("or.b64 #, #, #", key, key, op.code() + CODE_BIAS);
    out.emit("@# mov.b64 #, #", traps, KEY, key);
    String stays = out.temporary(Type.PRED);
    out.emit("not.pred #, #", stays, traps);
    out.emit("and.pred #, #, #", PtxText.ALIVE, PtxText.ALIVE, stays);
  }
}
