package io.gpdb.exec.emulated.compiled;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.gpdb.exec.emulated.common.ElementCode;
import io.gpdb.exec.emulated.common.LaneMath;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Op.UnaryOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * Emits bytecode for operations on registers. Where registers live, and what a trap does, is the
 * subclass's. Predicates are ints 0 or 1.
 */
abstract class CodeEmitter {
  static final ClassDesc LANE_CODE = ClassDesc.of(LaneCode.class.getName());
  static final ClassDesc FRAME = ClassDesc.of(BlockFrame.class.getName());
  static final ClassDesc SEGMENT = ClassDesc.of("java.lang.foreign.MemorySegment");
  static final ClassDesc LAYOUT = ElementCode.LAYOUT;
  private static final ClassDesc MATH = ClassDesc.of("java.lang.Math");
  private static final ClassDesc INTEGER = ClassDesc.of("java.lang.Integer");
  private static final ClassDesc LONG = ClassDesc.of("java.lang.Long");
  private static final ClassDesc FLOAT = ClassDesc.of("java.lang.Float");
  private static final ClassDesc DOUBLE = ClassDesc.of("java.lang.Double");

  final CodeBuilder code;
  final KernelFacts facts;

  /** Whether comparisons and selections must not branch. */
  boolean branchFree;

  CodeEmitter(CodeBuilder code, KernelFacts facts) {
    this.code = code;
    this.facts = facts;
  }

  /** Pushes the register's value. */
  abstract void load(Reg register);

  /** Pops the register's new value. */
  abstract void store(Reg register);

  /** Where a lane goes whose divisor is 0. */
  abstract Label divideByZero();

  static ClassDesc javaType(Type type) {
    return switch (type) {
      case I32, PRED -> CD_int;
      case I64 -> CD_long;
      case F32 -> CD_float;
      case F64 -> CD_double;
    };
  }

  void constant(Type type, long bits) {
    switch (type) {
      case I32, PRED -> code.loadConstant((int) bits);
      case I64 -> code.loadConstant(bits);
      case F32 -> code.loadConstant(LaneMath.f32(bits));
      case F64 -> code.loadConstant(LaneMath.f64(bits));
    }
  }

  void call(ClassDesc owner, String name, ClassDesc result, ClassDesc... parameters) {
    code.invokestatic(owner, name, MethodTypeDesc.of(result, parameters));
  }

  /** Calls a LaneCode operation on two values of the type. */
  private void lane(String name, ClassDesc result, Type type) {
    call(LANE_CODE, name, result, javaType(type), javaType(type));
  }

  /** Emits an operation that computes a register from registers; DIV and REM may trap. */
  void compute(Op op) {
    switch (op) {
      case Op.Const o -> constant(o.dst().type(), o.bits());
      case Op.Move o -> load(o.a());
      case Op.Unary o -> unary(o);
      case Op.Binary o -> binary(o);
      case Op.Overflow o -> {
        load(o.a());
        load(o.b());
        String name =
            switch (o.op()) {
              case ADD -> "addOverflows";
              case SUB -> "subOverflows";
              case MUL -> "mulOverflows";
            };
        lane(name, CD_int, o.a().type());
      }
      case Op.Compare o -> compare(o.op(), o.a(), o.b());
      case Op.Select o -> select(o);
      case Op.Convert o -> {
        load(o.a());
        convert(o.a().type(), o.dst().type());
      }
      default -> throw new IllegalArgumentException("not a computation: " + op);
    }
  }

  private void unary(Op.Unary op) {
    load(op.a());
    UnaryOp kind = op.op();
    switch (op.a().type()) {
      case PRED -> code.loadConstant(1).ixor();
      case I32 -> {
        switch (kind) {
          case NEG -> code.ineg();
          case NOT -> code.loadConstant(-1).ixor();
          case ABS -> call(MATH, "abs", CD_int, CD_int);
          case POPC -> call(INTEGER, "bitCount", CD_int, CD_int);
          case CLZ -> call(INTEGER, "numberOfLeadingZeros", CD_int, CD_int);
          case BITCAST -> call(FLOAT, "intBitsToFloat", CD_float, CD_int);
          case SQRT, FLOOR, CEIL, ROUND_EVEN, TRUNC -> throw unknown(op);
        }
      }
      case I64 -> {
        switch (kind) {
          case NEG -> code.lneg();
          case NOT -> code.loadConstant(-1L).lxor();
          case ABS -> call(MATH, "abs", CD_long, CD_long);
          case POPC -> {
            call(LONG, "bitCount", CD_int, CD_long);
            code.i2l();
          }
          case CLZ -> {
            call(LONG, "numberOfLeadingZeros", CD_int, CD_long);
            code.i2l();
          }
          case BITCAST -> call(DOUBLE, "longBitsToDouble", CD_double, CD_long);
          case SQRT, FLOOR, CEIL, ROUND_EVEN, TRUNC -> throw unknown(op);
        }
      }
      case F32 -> {
        switch (kind) {
          case NEG -> code.fneg();
          case ABS -> call(MATH, "abs", CD_float, CD_float);
          case BITCAST -> call(FLOAT, "floatToIntBits", CD_int, CD_float);
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
          case ABS -> call(MATH, "abs", CD_double, CD_double);
          case BITCAST -> call(DOUBLE, "doubleToLongBits", CD_long, CD_double);
          case SQRT, FLOOR, CEIL, ROUND_EVEN, TRUNC -> round(op);
          case NOT, POPC, CLZ -> throw unknown(op);
        }
      }
    }
  }

  private void round(Op.Unary op) {
    switch (op.op()) {
      case SQRT -> call(MATH, "sqrt", CD_double, CD_double);
      case FLOOR -> call(MATH, "floor", CD_double, CD_double);
      case CEIL -> call(MATH, "ceil", CD_double, CD_double);
      case ROUND_EVEN -> call(MATH, "rint", CD_double, CD_double);
      case TRUNC -> call(LANE_CODE, "trunc", CD_double, CD_double);
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
    load(op.a());
    if (type == Type.I32 && op.op() == BinaryOp.MULHI) {
      code.i2l();
      load(op.b());
      code.i2l().lmul().loadConstant(32).lshr().l2i();
      return;
    }
    load(op.b());
    switch (type) {
      case I32, PRED -> combineI32(op.op());
      case I64 -> combineI64(op.op());
      case F32 -> {
        switch (op.op()) {
          case ADD -> code.fadd();
          case SUB -> code.fsub();
          case MUL -> code.fmul();
          case DIV -> code.fdiv();
          case MIN -> lane("min", CD_float, type);
          case MAX -> lane("max", CD_float, type);
          case REM, MULHI, AND, OR, XOR, SHL, SHR, USHR -> throw unknown(op);
        }
      }
      case F64 -> {
        switch (op.op()) {
          case ADD -> code.dadd();
          case SUB -> code.dsub();
          case MUL -> code.dmul();
          case DIV -> code.ddiv();
          case MIN -> lane("min", CD_double, type);
          case MAX -> lane("max", CD_double, type);
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
    load(divisor);
    if (divisor.type() == Type.I64) {
      code.lconst_0().lcmp();
    }
    code.ifeq(divideByZero());
  }

  /** Combines the two ints on the stack. */
  void combineI32(BinaryOp op) {
    switch (op) {
      case ADD -> code.iadd();
      case SUB -> code.isub();
      case MUL -> code.imul();
      case DIV -> code.idiv();
      case REM -> code.irem();
      case MIN -> call(MATH, "min", CD_int, CD_int, CD_int);
      case MAX -> call(MATH, "max", CD_int, CD_int, CD_int);
      case AND -> code.iand();
      case OR -> code.ior();
      case XOR -> code.ixor();
      case SHL -> code.ishl();
      case SHR -> code.ishr();
      case USHR -> code.iushr();
      case MULHI -> throw new IllegalArgumentException("MULHI needs longs");
    }
  }

  /** Combines the two longs on the stack. */
  void combineI64(BinaryOp op) {
    switch (op) {
      case ADD -> code.ladd();
      case SUB -> code.lsub();
      case MUL -> code.lmul();
      case DIV -> code.ldiv();
      case REM -> code.lrem();
      case MULHI -> call(MATH, "multiplyHigh", CD_long, CD_long, CD_long);
      case MIN -> call(MATH, "min", CD_long, CD_long, CD_long);
      case MAX -> call(MATH, "max", CD_long, CD_long, CD_long);
      case AND -> code.land();
      case OR -> code.lor();
      case XOR -> code.lxor();
      case SHL -> code.l2i().lshl();
      case SHR -> code.l2i().lshr();
      case USHR -> code.l2i().lushr();
    }
  }

  private void compare(CompareOp op, Reg a, Reg b) {
    Type type = a.type();
    boolean swapped = op == CompareOp.GT || op == CompareOp.LE;
    load(swapped ? b : a);
    load(swapped ? a : b);
    boolean isInteger = type == Type.I32 || type == Type.I64 || type == Type.PRED;
    switch (op) {
      case ULT -> lane("ult", CD_int, type);
      case UGE -> {
        lane("ult", CD_int, type);
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
    lane(equality ? "eq" : "lt", CD_int, type);
    if (op == CompareOp.NE || op == CompareOp.LE || op == CompareOp.GE) {
      code.loadConstant(1).ixor();
    }
  }

  /** The operands of GT and LE stand swapped on the stack. */
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
      load(op.a());
      load(op.b());
      load(op.p());
      selectOnStack(op.dst().type());
      return;
    }
    Label otherwise = code.newLabel();
    Label end = code.newLabel();
    load(op.p());
    code.ifeq(otherwise);
    load(op.a());
    code.goto_(end).labelBinding(otherwise);
    load(op.b());
    code.labelBinding(end);
  }

  /** Pops the value for 1, the value for 0, and the predicate. */
  void selectOnStack(Type type) {
    ClassDesc java = javaType(type);
    call(LANE_CODE, "select", java, java, java, CD_int);
  }

  /** Converts the value on the stack. */
  void convert(Type from, Type to) {
    switch (from) {
      case I32, PRED -> {
        switch (to) {
          case I64 -> code.i2l();
          case F32 -> code.i2f();
          case F64 -> code.i2d();
          case I32, PRED -> {}
        }
      }
      case I64 -> {
        switch (to) {
          case I32, PRED -> code.l2i();
          case F32 -> code.l2f();
          case F64 -> code.l2d();
          case I64 -> {}
        }
      }
      case F32 -> {
        switch (to) {
          case I32, PRED -> code.f2i();
          case I64 -> code.f2l();
          case F64 -> code.f2d();
          case F32 -> {}
        }
      }
      case F64 -> {
        switch (to) {
          case I32, PRED -> code.d2i();
          case I64 -> code.d2l();
          case F32 -> code.d2f();
          case F64 -> {}
        }
      }
    }
  }

  /** From raw bits as a long on the stack to a value. */
  void fromBits(Type type) {
    switch (type) {
      case I32, PRED -> code.l2i();
      case I64 -> {}
      case F32 -> {
        code.l2i();
        call(FLOAT, "intBitsToFloat", CD_float, CD_int);
      }
      case F64 -> call(DOUBLE, "longBitsToDouble", CD_double, CD_long);
    }
  }

  /** From a value on the stack to raw bits as a long. */
  void toBits(Type type) {
    switch (type) {
      case I32, PRED -> code.i2l();
      case I64 -> {}
      case F32 -> {
        call(FLOAT, "floatToRawIntBits", CD_int, CD_float);
        code.i2l();
      }
      case F64 -> call(DOUBLE, "doubleToRawLongBits", CD_long, CD_double);
    }
  }

  // Memory: segment and offset are on the stack

  /** Pops segment and byte offset, pushes the element's register value. */
  void loadElement(Element element) {
    ClassDesc layout = ElementCode.layoutType(element);
    ClassDesc value = ElementCode.memoryType(element);
    code.invokeinterface(SEGMENT, "get", MethodTypeDesc.of(value, layout, CD_long));
  }

  /** Pushes the layout constant that {@link #loadElement} and {@link #storeElement} need. */
  void layout(Element element, boolean asBits) {
    Element described = asBits ? ElementCode.bits(element) : element;
    code.getstatic(LAYOUT, ElementCode.layoutField(described), ElementCode.layoutType(described));
  }

  /** Pops segment, layout, offset and a memory value, see {@link #toMemory}. */
  void storeElement(Element element) {
    Element stored = ElementCode.bits(element);
    code.invokeinterface(
        SEGMENT,
        "set",
        MethodTypeDesc.of(
            java.lang.constant.ConstantDescs.CD_void,
            ElementCode.layoutType(stored),
            CD_long,
            ElementCode.memoryType(stored)));
  }

  /** From a register value on the stack to what is stored; a NaN becomes canonical. */
  void toMemory(Element element) {
    switch (element) {
      case I8 -> code.i2b();
      case I16 -> code.i2s();
      case I32, I64 -> {}
      case F32 -> call(FLOAT, "floatToIntBits", CD_int, CD_float);
      case F64 -> call(DOUBLE, "doubleToLongBits", CD_long, CD_double);
    }
  }
}
