package io.gpdb.exec.ptx;

import static io.gpdb.exec.ptx.PtxText.isFloat;
import static io.gpdb.exec.ptx.PtxText.signed;

import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.util.Locale;

/** Operations on registers alone. */
final class PtxArithmetic {
  private final PtxText out;
  private final PtxTraps traps;

  PtxArithmetic(PtxText out, PtxTraps traps) {
    this.out = out;
    this.traps = traps;
  }

  void constant(Op.Const op) {
    if (op.dst().type() == Type.PRED) {
      out.emit("setp.eq.u32 #, 1, #", op.dst(), op.bits());
    } else {
      String literal = PtxText.literal(op.dst().type(), op.bits());
      out.emit("mov.# #, #", PtxText.bits(op.dst().type()), op.dst(), literal);
    }
  }

  void move(Object dst, Reg a) {
    out.emit("mov.# #, #", PtxText.bits(a.type()), dst, a);
  }

  // One operand

  void unary(Op.Unary op) {
    Type type = op.a().type();
    String t = signed(type);
    switch (op.op()) {
      case NEG -> out.emit("neg.# #, #", t, op.dst(), op.a());
      case NOT -> out.emit("not.# #, #", PtxText.bits(type), op.dst(), op.a());
      case ABS -> abs(op.dst(), op.a());
      case SQRT -> out.emit("sqrt.rn.# #, #", t, op.dst(), op.a());
      case FLOOR -> out.emit("cvt.rmi.#.# #, #", t, t, op.dst(), op.a());
      case CEIL -> out.emit("cvt.rpi.#.# #, #", t, t, op.dst(), op.a());
      case ROUND_EVEN -> out.emit("cvt.rni.#.# #, #", t, t, op.dst(), op.a());
      case TRUNC -> out.emit("cvt.rzi.#.# #, #", t, t, op.dst(), op.a());
      case POPC -> count("popc", op.dst(), op.a());
      case CLZ -> count("clz", op.dst(), op.a());
      case BITCAST -> bitcast(op.dst(), op.a());
    }
  }

  private void abs(Reg dst, Reg a) {
    String t = signed(a.type());
    if (isFloat(a.type())) {
      out.emit("abs.# #, #", t, dst, a);
      return;
    }
    String negative = out.temporary(Type.PRED);
    String negated = out.temporary(a.type());
    out.emit("setp.lt.# #, #, 0", t, negative, a);
    out.emit("neg.# #, #", t, negated, a);
    out.emit("selp.# #, #, #, #", PtxText.bits(a.type()), dst, negated, a, negative);
  }

  private void count(String instruction, Reg dst, Reg a) {
    if (a.type() == Type.I32) {
      out.emit("#.b32 #, #", instruction, dst, a);
    } else {
      String narrow = out.temporary(Type.I32);
      out.emit("#.b64 #, #", instruction, narrow, a);
      out.emit("cvt.u64.u32 #, #", dst, narrow);
    }
  }

  private void bitcast(Reg dst, Reg a) {
    Object source = isFloat(a.type()) ? canonical(a) : a;
    out.emit("mov.# #, #", PtxText.isWide(a.type()) ? "b64" : "b32", dst, source);
  }

  /** The float with every NaN made the canonical one. */
  String canonical(Reg a) {
    String t = signed(a.type());
    String nan = out.temporary(Type.PRED);
    String result = out.temporary(a.type());
    long bits =
        a.type() == Type.F32
            ? Float.floatToIntBits(Float.NaN)
            : Double.doubleToLongBits(Double.NaN);
    out.emit("setp.nan.# #, #, #", t, nan, a, a);
    out.emit("selp.# #, #, #, #", t, result, PtxText.literal(a.type(), bits), a, nan);
    return result;
  }

  // Two operands

  void binary(Op.Binary op) {
    Type type = op.a().type();
    if (type == Type.PRED) {
      String word = op.op().name().toLowerCase(Locale.ROOT);
      out.emit("#.pred #, #, #", word, op.dst(), op.a(), op.b());
    } else if (op.op() == BinaryOp.MIN || op.op() == BinaryOp.MAX) {
      minOrMax(op.op(), type, op.dst(), op.a(), op.b());
    } else if (isFloat(type)) {
      String word =
          switch (op.op()) {
            case ADD -> "add.rn";
            case SUB -> "sub.rn";
            case MUL -> "mul.rn";
            case DIV -> "div.rn";
            default -> throw new IllegalArgumentException(op.toString());
          };
      out.emit("#.# #, #, #", word, signed(type), op.dst(), op.a(), op.b());
    } else {
      integer(op);
    }
  }

  private void integer(Op.Binary op) {
    String word =
        switch (op.op()) {
          case ADD -> "add.s";
          case SUB -> "sub.s";
          case MUL -> "mul.lo.s";
          case MULHI -> "mul.hi.s";
          case AND -> "and.b";
          case OR -> "or.b";
          case XOR -> "xor.b";
          case SHL -> "shl.b";
          case SHR -> "shr.s";
          case USHR -> "shr.u";
          case DIV -> "div.s";
          case REM -> "rem.s";
          case MIN, MAX -> throw new IllegalArgumentException(op.toString());
        };
    String instruction = word + (PtxText.isWide(op.a().type()) ? "64" : "32");
    switch (op.op()) {
      case SHL, SHR, USHR -> shift(instruction, op);
      case DIV, REM -> divide(instruction, op);
      default -> out.emit("# #, #, #", instruction, op.dst(), op.a(), op.b());
    }
  }

  private void shift(String instruction, Op.Binary op) {
    String count = out.temporary(Type.I32);
    boolean wide = PtxText.isWide(op.a().type());
    out.emit(wide ? "cvt.u32.u64 #, #" : "mov.b32 #, #", count, op.b());
    out.emit("and.b32 #, #, #", count, count, wide ? 63 : 31);
    out.emit("# #, #, #", instruction, op.dst(), op.a(), count);
  }

  /** MIN_VALUE / -1 is not left to the machine: the divisor is 1 then, the quotient negated. */
  private void divide(String instruction, Op.Binary op) {
    Type type = op.a().type();
    String t = signed(type);
    traps.require("setp.ne.and." + t, op.b(), 0, PtxTraps.Cause.DIVIDE_BY_ZERO);
    String minusOne = out.temporary(Type.PRED);
    String divisor = out.temporary(type);
    String result = out.temporary(type);
    out.emit("setp.eq.# #, #, -1", t, minusOne, op.b());
    out.emit("selp.# #, 1, #, #", PtxText.bits(type), divisor, op.b(), minusOne);
    out.emit("# #, #, #", instruction, result, op.a(), divisor);
    if (op.op() == BinaryOp.DIV) {
      String negated = out.temporary(type);
      out.emit("neg.# #, #", t, negated, result);
      out.emit("selp.# #, #, #, #", PtxText.bits(type), op.dst(), negated, result, minusOne);
    } else {
      out.emit("mov.# #, #", PtxText.bits(type), op.dst(), result);
    }
  }

  /** Of equals the first; {@code dst} may be one of the operands. */
  void minOrMax(BinaryOp op, Type type, Object dst, Object a, Object b) {
    if (isFloat(type)) {
      String second = out.temporary(Type.PRED);
      less(type, second, op == BinaryOp.MIN ? b : a, op == BinaryOp.MIN ? a : b);
      out.emit("selp.# #, #, #, #", signed(type), dst, b, a, second);
    } else {
      out.emit("#.# #, #, #", op == BinaryOp.MIN ? "min" : "max", signed(type), dst, a, b);
    }
  }

  /** a < b in the total order: a is a number, and b is greater or NaN. */
  private void less(Type type, Object dst, Object a, Object b) {
    String number = out.temporary(Type.PRED);
    out.emit("setp.num.# #, #, #", signed(type), number, a, a);
    out.emit("setp.ltu.and.# #, #, #, #", signed(type), dst, a, b, number);
  }

  private void equal(Type type, Object dst, Object a, Object b) {
    String nan = out.temporary(Type.PRED);
    out.emit("setp.nan.# #, #, #", signed(type), nan, a, a);
    out.emit("setp.nan.and.# #, #, #, #", signed(type), nan, b, b, nan);
    out.emit("setp.eq.or.# #, #, #, #", signed(type), dst, a, b, nan);
  }

  void compare(Op.Compare op) {
    Type type = op.a().type();
    if (type == Type.PRED) {
      String differ = out.temporary(Type.PRED);
      out.emit("xor.pred #, #, #", differ, op.a(), op.b());
      boolean negate = op.op() == CompareOp.EQ;
      out.emit(negate ? "not.pred #, #" : "mov.pred #, #", op.dst(), differ);
    } else if (isFloat(type)) {
      compareFloats(op);
    } else {
      String word =
          switch (op.op()) {
            case ULT -> "lt.u";
            case UGE -> "ge.u";
            case EQ, NE, LT, LE, GT, GE -> op.op().name().toLowerCase(Locale.ROOT) + ".s";
          };
      String width = PtxText.isWide(type) ? "64" : "32";
      out.emit("setp.## #, #, #", word, width, op.dst(), op.a(), op.b());
    }
  }

  private void compareFloats(Op.Compare op) {
    Type type = op.a().type();
    String holds = out.temporary(Type.PRED);
    boolean negate =
        switch (op.op()) {
          case EQ, NE -> {
            equal(type, holds, op.a(), op.b());
            yield op.op() == CompareOp.NE;
          }
          case LT, GE -> {
            less(type, holds, op.a(), op.b());
            yield op.op() == CompareOp.GE;
          }
          case GT, LE -> {
            less(type, holds, op.b(), op.a());
            yield op.op() == CompareOp.LE;
          }
          case ULT, UGE -> throw new IllegalArgumentException(op.toString());
        };
    out.emit(negate ? "not.pred #, #" : "mov.pred #, #", op.dst(), holds);
  }

  void overflow(Op.Overflow op) {
    Type type = op.a().type();
    if (op.op() == Op.OverflowOp.MUL) {
      overflowOfProduct(op);
      return;
    }
    boolean add = op.op() == Op.OverflowOp.ADD;
    String b = PtxText.bits(type);
    String result = out.temporary(type);
    String one = out.temporary(type);
    String other = out.temporary(type);
    out.emit("#.# #, #, #", add ? "add" : "sub", signed(type), result, op.a(), op.b());
    out.emit("xor.# #, #, #", b, one, op.a(), result);
    out.emit("xor.# #, #, #", b, other, op.b(), add ? result : op.a());
    out.emit("and.# #, #, #", b, one, one, other);
    out.emit("setp.lt.# #, #, 0", signed(type), op.dst(), one);
  }

  private void overflowOfProduct(Op.Overflow op) {
    String high = out.temporary(op.a().type());
    String sign = out.temporary(op.a().type());
    String t = signed(op.a().type());
    out.emit("mul.hi.# #, #, #", t, high, op.a(), op.b());
    out.emit("mul.lo.# #, #, #", t, sign, op.a(), op.b());
    out.emit("shr.# #, #, #", t, sign, sign, PtxText.isWide(op.a().type()) ? 63 : 31);
    out.emit("setp.ne.# #, #, #", t, op.dst(), high, sign);
  }

  void select(Op.Select op) {
    if (op.a().type() != Type.PRED) {
      String t = PtxText.bits(op.a().type());
      out.emit("selp.# #, #, #, #", t, op.dst(), op.a(), op.b(), op.p());
      return;
    }
    String then = out.temporary(Type.PRED);
    String otherwise = out.temporary(Type.PRED);
    out.emit("and.pred #, #, #", then, op.p(), op.a());
    out.emit("not.pred #, #", otherwise, op.p());
    out.emit("and.pred #, #, #", otherwise, otherwise, op.b());
    out.emit("or.pred #, #, #", op.dst(), then, otherwise);
  }

  void convert(Op.Convert op) {
    Type from = op.a().type();
    Type to = op.dst().type();
    if (from == Type.PRED) {
      out.emit("selp.# #, 1, 0, #", PtxText.bits(to), op.dst(), op.a());
    } else if (isFloat(from) && !isFloat(to)) {
      String nan = out.temporary(Type.PRED);
      String saturated = out.temporary(to);
      out.emit("setp.nan.# #, #, #", signed(from), nan, op.a(), op.a());
      out.emit("cvt.rzi.#.# #, #", signed(to), signed(from), saturated, op.a());
      out.emit("selp.# #, 0, #, #", PtxText.bits(to), op.dst(), saturated, nan);
    } else {
      boolean exact = !isFloat(to) || from == Type.F32;
      String rounding = exact ? "" : "rn.";
      out.emit("cvt.##.# #, #", rounding, signed(to), signed(from), op.dst(), op.a());
    }
  }
}
