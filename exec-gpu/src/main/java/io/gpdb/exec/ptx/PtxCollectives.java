package io.gpdb.exec.ptx;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Reductions;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;

/**
 * Operations in which lanes exchange values. {@code mask} is the set of lanes of the warp that come
 * to the operation together, dead ones included; a lane is active when it is in it and alive.
 */
final class PtxCollectives {
  /** Every lane of the warp. */
  static final String FULL = "0xffffffff";

  static final String LANE = "%lane";

  private final Kernel kernel;
  private final PtxText out;
  private final PtxArithmetic arithmetic;
  private final PtxShared shared;

  PtxCollectives(Kernel kernel, PtxText out, PtxArithmetic arithmetic, PtxShared shared) {
    this.kernel = kernel;
    this.out = out;
    this.arithmetic = arithmetic;
    this.shared = shared;
  }

  void ballot(Object dst, Object p, String mask) {
    String counted = out.temporary(Type.PRED);
    out.emit("and.pred #, #, #", counted, p, PtxText.ALIVE);
    out.emit("vote.sync.ballot.b32 #, #, #", dst, counted, mask);
  }

  void warpRank(Op.WarpRank op, String mask) {
    String holds = out.temporary(Type.I32);
    ballot(holds, op.p(), mask);
    rankIn(op.dst(), holds);
  }

  private void rankIn(Object dst, String ballot) {
    String below = out.temporary(Type.I32);
    out.emit("mov.u32 #, %lanemask_lt", below);
    out.emit("and.b32 #, #, #", below, below, ballot);
    out.emit("popc.b32 #, #", dst, below);
  }

  void shuffle(Op.Shuffle op, String mask) {
    String wideLane = out.temporary(Type.I64);
    String source = out.temporary(Type.I64);
    out.emit("cvt.s64.s32 #, #", wideLane, op.lane());
    switch (op.kind()) {
      case IDX -> out.emit("mov.b64 #, #", source, wideLane);
      case UP, DOWN, XOR -> {
        String own = out.temporary(Type.I64);
        out.emit("cvt.s64.s32 #, #", own, LANE);
        String word =
            switch (op.kind()) {
              case UP -> "sub.s64";
              case DOWN -> "add.s64";
              case IDX, XOR -> "xor.b64";
            };
        out.emit("# #, #, #", word, source, own, wideLane);
      }
    }
    String inWarp = out.temporary(Type.PRED);
    String from = out.temporary(Type.I32);
    String active = out.temporary(Type.I32);
    out.emit("setp.lt.u64 #, #, 32", inWarp, source);
    out.emit("cvt.u32.u64 #, #", from, source);
    out.emit("selp.b32 #, #, #, #", from, from, LANE, inWarp);
    out.emit("vote.sync.ballot.b32 #, #, #", active, PtxText.ALIVE, mask);
    out.emit("shr.u32 #, #, #", active, active, from);
    out.emit("and.b32 #, #, 1", active, active);
    out.emit("setp.ne.s32 #, #, 0", inWarp, active);
    out.emit("selp.b32 #, #, #, #", from, from, LANE, inWarp);
    exchange(op.a().type(), op.dst(), op.a(), "idx", from, mask);
  }

  /** One {@code shfl.sync}, as two of 32 bits for wide types. */
  private void exchange(Type type, Object dst, Object a, String kind, Object lane, String mask) {
    String instruction = "shfl.sync." + kind + ".b32 #, #, #, 31, #";
    String low = out.temporary(Type.I32);
    if (!PtxText.isWide(type)) {
      out.emit("mov.b32 #, #", low, a);
      out.emit(instruction, low, low, lane, mask);
      out.emit("mov.b32 #, #", dst, low);
      return;
    }
    String high = out.temporary(Type.I32);
    out.emit("mov.b64 {#, #}, #", low, high, a);
    out.emit(instruction, low, low, lane, mask);
    out.emit(instruction, high, high, lane, mask);
    out.emit("mov.b64 #, {#, #}", dst, low, high);
  }

  void warpReduce(Op.WarpReduce op, String mask) {
    Type type = op.a().type();
    String value = orIdentity(op.op(), op.a());
    if (type == Type.I32) {
      reduceIntegers(op.op(), value, mask);
    } else if (mask.equals(FULL)) {
      tree(op.op(), type, value);
    } else {
      gatheredTree(op.op(), type, value, mask);
    }
    out.emit("mov.# #, #", PtxText.bits(type), op.dst(), value);
  }

  /** The operand in lanes alive, the identity in the others. */
  private String orIdentity(ReduceOp op, Reg a) {
    String value = out.temporary(a.type());
    String identity = identity(op, a.type());
    String t = PtxText.bits(a.type());
    out.emit("selp.# #, #, #, #", t, value, a, identity, PtxText.ALIVE);
    return value;
  }

  private String identity(ReduceOp op, Type type) {
    String identity = out.temporary(type);
    String literal = PtxText.literal(type, Reductions.identity(op, type));
    out.emit("mov.# #, #", PtxText.bits(type), identity, literal);
    return identity;
  }

  private void reduceIntegers(ReduceOp op, String value, String mask) {
    String word =
        switch (op) {
          case ADD -> "add.s32";
          case MIN -> "min.s32";
          case MAX -> "max.s32";
          case AND -> "and.b32";
          case OR -> "or.b32";
        };
    out.emit("redux.sync.# #, #, #", word, value, value, mask);
  }

  /** Lane i with i+16, 8, 4, 2, 1, then lane 0's to all; the whole warp takes part. */
  private void tree(ReduceOp op, Type type, String value) {
    String other = out.temporary(type);
    for (int distance = Op.WARP_LANES / 2; distance > 0; distance /= 2) {
      exchange(type, other, value, "down", distance, FULL);
      step(op, type, value, value, other);
    }
    exchange(type, value, value, "idx", 0, FULL);
  }

  /**
   * The same tree where lanes are missing: an absent lane cannot carry the partial result of its
   * position, so every lane fetches all values and works out the tree by itself.
   */
  private void gatheredTree(ReduceOp op, Type type, String value, String mask) {
    String[] values = new String[Op.WARP_LANES];
    String identity = identity(op, type);
    for (int lane = 0; lane < Op.WARP_LANES; lane++) {
      values[lane] = out.temporary(type);
      String present = out.temporary(Type.I32);
      out.emit("bfe.s32 #, #, #, 1", present, mask, lane);
      exchange(type, values[lane], value, "idx", lane, mask);
      choose(type, values[lane], present, identity);
    }
    for (int distance = Op.WARP_LANES / 2; distance > 0; distance /= 2) {
      for (int lane = 0; lane < distance; lane++) {
        step(op, type, values[lane], values[lane], values[lane + distance]);
      }
    }
    out.emit("mov.# #, #", PtxText.bits(type), value, values[0]);
  }

  /** Keeps the value where {@code present} is all ones; ptxas runs short of predicates here. */
  private void choose(Type type, String value, String present, String otherwise) {
    String low = out.temporary(Type.I32);
    String otherLow = out.temporary(Type.I32);
    String select = "lop3.b32 #, #, #, #, 0xCA";
    if (!PtxText.isWide(type)) {
      out.emit("mov.b32 #, #", low, value);
      out.emit("mov.b32 #, #", otherLow, otherwise);
      out.emit(select, low, present, low, otherLow);
      out.emit("mov.b32 #, #", value, low);
      return;
    }
    String high = out.temporary(Type.I32);
    String otherHigh = out.temporary(Type.I32);
    out.emit("mov.b64 {#, #}, #", low, high, value);
    out.emit("mov.b64 {#, #}, #", otherLow, otherHigh, otherwise);
    out.emit(select, low, present, low, otherLow);
    out.emit(select, high, present, high, otherHigh);
    out.emit("mov.b64 #, {#, #}", value, low, high);
  }

  private void step(ReduceOp op, Type type, String dst, String a, String b) {
    switch (op) {
      case ADD -> {
        String word = PtxText.isFloat(type) ? "add.rn" : "add";
        out.emit("#.# #, #, #", word, PtxText.signed(type), dst, a, b);
      }
      case MIN -> arithmetic.minOrMax(BinaryOp.MIN, type, dst, a, b);
      case MAX -> arithmetic.minOrMax(BinaryOp.MAX, type, dst, a, b);
      case AND -> out.emit("and.# #, #, #", PtxText.bits(type), dst, a, b);
      case OR -> out.emit("or.# #, #, #", PtxText.bits(type), dst, a, b);
    }
  }

  // Block operations: each warp leaves one word in shared memory, every warp reads all of them

  void blockRank(Op.BlockRank op) {
    String holds = out.temporary(Type.I32);
    String count = out.temporary(Type.I32);
    ballot(holds, op.p(), FULL);
    out.emit("popc.b32 #, #", count, holds);
    passWords(Type.I32, count, "0");
    String lower = out.temporary(Type.PRED);
    String warp = warp();
    out.emit("setp.lt.s32 #, #, #", lower, LANE, warp);
    out.emit("selp.b32 #, #, 0, #", count, count, lower);
    out.emit("redux.sync.add.s32 #, #, #", count, count, FULL);
    String rank = out.temporary(Type.I32);
    rankIn(rank, holds);
    out.emit("add.s32 #, #, #", op.dst(), rank, count);
  }

  void blockReduce(Op.BlockReduce op) {
    Type type = op.a().type();
    String value = orIdentity(op.op(), op.a());
    reduceFullWarp(op.op(), type, value);
    passWords(type, value, identity(op.op(), type));
    reduceFullWarp(op.op(), type, value);
    out.emit("mov.# #, #", PtxText.bits(type), op.dst(), value);
  }

  private void reduceFullWarp(ReduceOp op, Type type, String value) {
    if (type == Type.I32) {
      reduceIntegers(op, value, FULL);
    } else {
      tree(op, type, value);
    }
  }

  private String warp() {
    String warp = out.temporary(Type.I32);
    out.emit("mov.u32 #, %tid.x", warp);
    out.emit("shr.u32 #, #, 5", warp, warp);
    return warp;
  }

  /**
   * {@code value} of lane 0 of warp w is passed to lane w of every warp, {@code absent} to the
   * rest.
   */
  private void passWords(Type type, String value, String absent) {
    String t = PtxText.bits(type);
    String address = out.temporary(Type.I32);
    String first = out.temporary(Type.PRED);
    String exists = out.temporary(Type.PRED);
    out.emit("mad.lo.s32 #, #, 8, #", address, warp(), PtxShared.BASE);
    out.emit("setp.eq.s32 #, #, 0", first, LANE);
    out.emit("@# st.shared.# [#+#], #", first, t, address, shared.warpWords(), value);
    out.emit("barrier.sync 0");
    out.emit("mad.lo.s32 #, #, 8, #", address, LANE, PtxShared.BASE);
    out.emit("setp.lt.s32 #, #, #", exists, LANE, kernel.blockSize() / Op.WARP_LANES);
    out.emit("mov.# #, #", t, value, absent);
    out.emit("@# ld.shared.# #, [#+#]", exists, t, value, address, shared.warpWords());
    out.emit("barrier.sync 0");
  }
}
