package io.gpdb.exec.emulated.compiled;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Op.UnaryOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;

/** Emits the operations that compute a register from registers. */
final class ComputeEmitter {
  private static final ClassDesc INTEGER = ClassDesc.of("java.lang.Integer");
  private static final ClassDesc LONG = ClassDesc.of("java.lang.Long");

  private final CodeBuilder code;
  private final ValueEmitter values;
  private final Registers registers;
  private final KernelFacts facts;

  /** Whether comparisons and selections must not branch. */
  private final boolean branchFree;

  ComputeEmitter(ValueEmitter values, Registers registers, KernelFacts facts, boolean branchFree) {
    this.code = values.code;
    this.values = values;
    this.registers = registers;
    this.facts = facts;
    this.branchFree = branchFree;
  }

  /** Pushes what the operation computes; DIV and REM may trap. */
  void push(Op op) {
    switch (op) {
      case Op.Const o -> values.constant(o.dst().type(), o.bits());
      case Op.Move o -> registers.load(o.a());
      case Op.Unary o -> unary(o);
      case Op.Binary o -> binary(o);
      case Op.Overflow o -> {
        registers.load(o.a());
        registers.load(o.b());
        String name =
            switch (o.op()) {
              case ADD -> "addOverflows";
              case SUB -> "subOverflows";
              case MUL -> "mulOverflows";
            };
        values.lane(name, CD_int, o.a().type());
      }
      case Op.Compare o -> compare(o.op(), o.a(), o.b());
      case Op.Select o -> select(o);
      case Op.Convert o -> {
        registers.load(o.a());
        values.convert(o.a().type(), o.dst().type());
      }
      default -> throw new IllegalArgumentException("not a computation: " + op);
    }
  }

  private void unary(Op.Unary op) {
    registers.load(op.a());
    UnaryOp kind = op.op();
    switch (op.a().type()) {
      case PRED -> code.loadConstant(1).ixor();
      case I32 -> {
        switch (kind) {
          case NEG -> code.ineg();
          case NOT -> code.loadConstant(-1).ixor();
          case ABS -> values.call(ValueEmitter.MATH, "abs", CD_int, CD_int);
          case POPC -> values.call(INTEGER, "bitCount", CD_int, CD_int);
          case CLZ -> values.call(INTEGER, "numberOfLeadingZeros", CD_int, CD_int);
          case BITCAST -> values.call(ValueEmitter.FLOAT, "intBitsToFloat", CD_float, CD_int);
          case SQRT, FLOOR, CEIL, ROUND_EVEN, TRUNC -> throw unknown(op);
        }
      }
      case I64 -> {
        switch (kind) {
          case NEG -> code.lneg();
          case NOT -> code.loadConstant(-1L).lxor();
          case ABS -> values.call(ValueEmitter.MATH, "abs", CD_long, CD_long);
          case POPC -> {
            values.call(LONG, "bitCount", CD_int, CD_long);
            code.i2l();
          }
          case CLZ -> {
            values.call(LONG, "numberOfLeadingZeros", CD_int, CD_long);
            code.i2l();
          }
          case BITCAST -> values.call(ValueEmitter.DOUBLE, "longBitsToDouble", CD_double, CD_long);
          case SQRT, FLOOR, CEIL, ROUND_EVEN, TRUNC -> throw unknown(op);
        }
      }
      case F32 -> {
        switch (kind) {
          case NEG -> code.fneg();
          case ABS -> values.call(ValueEmitter.MATH, "abs", CD_float, CD_float);
          case BITCAST -> values.call(ValueEmitter.FLOAT, "floatToIntBits", CD_int, CD_float);
          case SQRT, FLOOR, CEIL, ROUND_EVEN, TRUNC -> {
            code.f2d();
            round(op);
            code.d2f();
          }
          case NOT, POPC, CLZ -> throw unknown(op);
        }
      }
      case F64 -> {
        switch (kind) {
          case NEG -> code.dneg();
          case ABS -> values.call(ValueEmitter.MATH, "abs", CD_double, CD_double);
          case BITCAST -> values.call(ValueEmitter.DOUBLE, "doubleToLongBits", CD_long, CD_double);
          case SQRT, FLOOR, CEIL, ROUND_EVEN, TRUNC -> round(op);
          case NOT, POPC, CLZ -> throw unknown(op);
        }
      }
    }
  }

  private void round(Op.Unary op) {
    switch (op.op()) {
      case SQRT -> values.call(ValueEmitter.MATH, "sqrt", CD_double, CD_double);
      case FLOOR -> values.call(ValueEmitter.MATH, "floor", CD_double, CD_double);
      case CEIL -> values.call(ValueEmitter.MATH, "ceil", CD_double, CD_double);
      case ROUND_EVEN -> values.call(ValueEmitter.MATH, "rint", CD_double, CD_double);
      case TRUNC -> values.call(ValueEmitter.LANE_CODE, "trunc", CD_double, CD_double);
      case NEG, NOT, ABS, POPC, CLZ, BITCAST -> throw unknown(op);
    }
  }

  private static IllegalArgumentException unknown(Op op) {
    return new IllegalArgumentException("unknown operation " + op);
  }

  private void binary(Op.Binary op) {
    Type type = op.a().type();
    if (KernelFacts.divides(op)) {
      checkDivisor(op.b());
    }
    registers.load(op.a());
    if (type == Type.I32 && op.op() == BinaryOp.MULHI) {
      code.i2l();
      registers.load(op.b());
      code.i2l().lmul().loadConstant(32).lshr().l2i();
      return;
    }
    registers.load(op.b());
    switch (type) {
      case I32, PRED -> values.combineI32(op.op());
      case I64 -> values.combineI64(op.op());
      case F32 -> {
        switch (op.op()) {
          case ADD -> code.fadd();
          case SUB -> code.fsub();
          case MUL -> code.fmul();
          case DIV -> code.fdiv();
          case MIN -> values.lane("min", CD_float, type);
          case MAX -> values.lane("max", CD_float, type);
          case REM, MULHI, AND, OR, XOR, SHL, SHR, USHR -> throw unknown(op);
        }
      }
      case F64 -> {
        switch (op.op()) {
          case ADD -> code.dadd();
          case SUB -> code.dsub();
          case MUL -> code.dmul();
          case DIV -> code.ddiv();
          case MIN -> values.lane("min", CD_double, type);
          case MAX -> values.lane("max", CD_double, type);
          case REM, MULHI, AND, OR, XOR, SHL, SHR, USHR -> throw unknown(op);
        }
      }
    }
  }

  private void checkDivisor(Reg divisor) {
    Op.Const constant = facts.constant(divisor);
    if (constant != null && constant.bits() != 0) {
      return;
    }
    registers.load(divisor);
    if (divisor.type() == Type.I64) {
      code.lconst_0().lcmp();
    }
    code.ifeq(registers.divideByZero());
  }

  private void compare(CompareOp op, Reg a, Reg b) {
    Type type = a.type();
    boolean swapped = op == CompareOp.GT || op == CompareOp.LE;
    registers.load(swapped ? b : a);
    registers.load(swapped ? a : b);
    boolean isInteger = type == Type.I32 || type == Type.I64 || type == Type.PRED;
    switch (op) {
      case ULT -> values.lane("ult", CD_int, type);
      case UGE -> {
        values.lane("ult", CD_int, type);
        code.loadConstant(1).ixor();
      }
      case EQ, NE, LT, GT, LE, GE -> {
        if (isInteger && !branchFree) {
          branchingCompare(op, type);
        } else {
          branchFreeCompare(op, type);
        }
      }
    }
  }

  private void branchFreeCompare(CompareOp op, Type type) {
    boolean equality = op == CompareOp.EQ || op == CompareOp.NE;
    values.lane(equality ? "eq" : "lt", CD_int, type);
    if (op == CompareOp.NE || op == CompareOp.LE || op == CompareOp.GE) {
      code.loadConstant(1).ixor();
    }
  }

  /** The operands of GT and LE are swapped on the stack. */
  private void branchingCompare(CompareOp op, Type type) {
    Label holds = code.newLabel();
    Label end = code.newLabel();
    if (type == Type.I64) {
      code.lcmp();
      switch (op) {
        case EQ -> code.ifeq(holds);
        case NE -> code.ifne(holds);
        case LT, GT -> code.iflt(holds);
        case LE, GE -> code.ifge(holds);
        case ULT, UGE -> throw new IllegalArgumentException("unsigned");
      }
    } else {
      switch (op) {
        case EQ -> code.if_icmpeq(holds);
        case NE -> code.if_icmpne(holds);
        case LT, GT -> code.if_icmplt(holds);
        case LE, GE -> code.if_icmpge(holds);
        case ULT, UGE -> throw new IllegalArgumentException("unsigned");
      }
    }
    code.iconst_0().goto_(end).labelBinding(holds).iconst_1().labelBinding(end);
  }

  private void select(Op.Select op) {
    if (branchFree) {
      registers.load(op.a());
      registers.load(op.b());
      registers.load(op.p());
      values.selectOnStack(op.dst().type());
      return;
    }
    Label otherwise = code.newLabel();
    Label end = code.newLabel();
    registers.load(op.p());
    code.ifeq(otherwise);
    registers.load(op.a());
    code.goto_(end).labelBinding(otherwise);
    registers.load(op.b());
    code.labelBinding(end);
  }
}
