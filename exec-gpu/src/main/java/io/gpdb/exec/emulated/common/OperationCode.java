package io.gpdb.exec.emulated.common;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Op.OverflowOp;
import io.gpdb.exec.ir.Op.UnaryOp;
import io.gpdb.exec.ir.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Arrays;

/**
 * Emits the bytecode of single operations: each pops its operands, the last one first, and pushes
 * its result. Predicates are ints 0 or 1.
 */
public final class OperationCode {
  private static final ClassDesc LANE_CODE = ClassDesc.of(LaneCode.class.getName());
  private static final ClassDesc MATH = ClassDesc.of("java.lang.Math");
  private static final ClassDesc INTEGER = ClassDesc.of("java.lang.Integer");
  private static final ClassDesc LONG = ClassDesc.of("java.lang.Long");
  private static final ClassDesc FLOAT = ClassDesc.of("java.lang.Float");
  private static final ClassDesc DOUBLE = ClassDesc.of("java.lang.Double");

  private final CodeBuilder code;

  public OperationCode(CodeBuilder code) {
    this.code = code;
  }

  public static ClassDesc javaType(Type type) {
    return switch (type) {
      case I32, PRED -> CD_int;
      case I64 -> CD_long;
      case F32 -> CD_float;
      case F64 -> CD_double;
    };
  }

  public static TypeKind kind(Type type) {
    return switch (type) {
      case I32, PRED -> TypeKind.INT;
      case I64 -> TypeKind.LONG;
      case F32 -> TypeKind.FLOAT;
      case F64 -> TypeKind.DOUBLE;
    };
  }

  private void call(ClassDesc owner, String name, ClassDesc result, ClassDesc... parameters) {
    code.invokestatic(owner, name, MethodTypeDesc.of(result, parameters));
  }

  /** Calls a function of {@link LaneCode} with two values of the type. */
  private void lane(String name, ClassDesc result, Type type) {
    call(LANE_CODE, name, result, javaType(type), javaType(type));
  }

  /** Calls a function of Math on values of the type. */
  private void math(String name, Type type, int operands) {
    ClassDesc[] parameters = new ClassDesc[operands];
    Arrays.fill(parameters, javaType(type));
    call(MATH, name, javaType(type), parameters);
  }

  public void unary(UnaryOp op, Type type) {
    switch (type) {
      case PRED -> {
        if (op != UnaryOp.NOT) {
          throw unknown(op, type);
        }
        code.loadConstant(1).ixor();
      }
      case I32 -> {
        switch (op) {
          case NEG -> code.ineg();
          case NOT -> code.loadConstant(-1).ixor();
          case ABS -> math("abs", type, 1);
          case POPC -> call(INTEGER, "bitCount", CD_int, CD_int);
          case CLZ -> call(INTEGER, "numberOfLeadingZeros", CD_int, CD_int);
          case BITCAST -> call(FLOAT, "intBitsToFloat", CD_float, CD_int);
          case SQRT, FLOOR, CEIL, ROUND_EVEN, TRUNC -> throw unknown(op, type);
        }
      }
      case I64 -> {
        switch (op) {
          case NEG -> code.lneg();
          case NOT -> code.loadConstant(-1L).lxor();
          case ABS -> math("abs", type, 1);
          case POPC -> {
            call(LONG, "bitCount", CD_int, CD_long);
            code.i2l();
          }
          case CLZ -> {
            call(LONG, "numberOfLeadingZeros", CD_int, CD_long);
            code.i2l();
          }
          case BITCAST -> call(DOUBLE, "longBitsToDouble", CD_double, CD_long);
          case SQRT, FLOOR, CEIL, ROUND_EVEN, TRUNC -> throw unknown(op, type);
        }
      }
      case F32 -> {
        switch (op) {
          case NEG -> code.fneg();
          case ABS -> math("abs", type, 1);
          case BITCAST -> call(LANE_CODE, "bits", CD_int, CD_float);
          case SQRT, FLOOR, CEIL, ROUND_EVEN, TRUNC -> {
            code.f2d();
            round(op);
            code.d2f();
          }
          case NOT, POPC, CLZ -> throw unknown(op, type);
        }
      }
      case F64 -> {
        switch (op) {
          case NEG -> code.dneg();
          case ABS -> math("abs", type, 1);
          case BITCAST -> call(LANE_CODE, "bits", CD_long, CD_double);
          case SQRT, FLOOR, CEIL, ROUND_EVEN, TRUNC -> round(op);
          case NOT, POPC, CLZ -> throw unknown(op, type);
        }
      }
    }
  }

  private void round(UnaryOp op) {
    switch (op) {
      case SQRT -> math("sqrt", Type.F64, 1);
      case FLOOR -> math("floor", Type.F64, 1);
      case CEIL -> math("ceil", Type.F64, 1);
      case ROUND_EVEN -> math("rint", Type.F64, 1);
      case TRUNC -> call(LANE_CODE, "trunc", CD_double, CD_double);
      case NEG, NOT, ABS, POPC, CLZ, BITCAST -> throw unknown(op, Type.F64);
    }
  }

  /** DIV and REM of integers need a divisor other than 0. */
  public void binary(BinaryOp op, Type type) {
    switch (type) {
      case I32, PRED -> {
        switch (op) {
          case ADD -> code.iadd();
          case SUB -> code.isub();
          case MUL -> code.imul();
          case DIV -> code.idiv();
          case REM -> code.irem();
          case MULHI -> lane("mulhi", CD_int, type);
          case MIN -> math("min", type, 2);
          case MAX -> math("max", type, 2);
          case AND -> code.iand();
          case OR -> code.ior();
          case XOR -> code.ixor();
          case SHL -> code.ishl();
          case SHR -> code.ishr();
          case USHR -> code.iushr();
        }
      }
      case I64 -> {
        switch (op) {
          case ADD -> code.ladd();
          case SUB -> code.lsub();
          case MUL -> code.lmul();
          case DIV -> code.ldiv();
          case REM -> code.lrem();
          case MULHI -> math("multiplyHigh", type, 2);
          case MIN -> math("min", type, 2);
          case MAX -> math("max", type, 2);
          case AND -> code.land();
          case OR -> code.lor();
          case XOR -> code.lxor();
          case SHL -> code.l2i().lshl();
          case SHR -> code.l2i().lshr();
          case USHR -> code.l2i().lushr();
        }
      }
      case F32 -> {
        switch (op) {
          case ADD -> code.fadd();
          case SUB -> code.fsub();
          case MUL -> code.fmul();
          case DIV -> code.fdiv();
          case MIN -> lane("min", CD_float, type);
          case MAX -> lane("max", CD_float, type);
          case REM, MULHI, AND, OR, XOR, SHL, SHR, USHR -> throw unknown(op, type);
        }
      }
      case F64 -> {
        switch (op) {
          case ADD -> code.dadd();
          case SUB -> code.dsub();
          case MUL -> code.dmul();
          case DIV -> code.ddiv();
          case MIN -> lane("min", CD_double, type);
          case MAX -> lane("max", CD_double, type);
          case REM, MULHI, AND, OR, XOR, SHL, SHR, USHR -> throw unknown(op, type);
        }
      }
    }
  }

  /** DIV or REM of integers; 0 where the divisor is 0. */
  public void divideOrZero(BinaryOp op, Type type) {
    Label divides = code.newLabel();
    Label end = code.newLabel();
    if (type == Type.I64) {
      code.dup2().lconst_0().lcmp().ifne(divides).pop2().pop2().lconst_0();
    } else {
      code.dup().ifne(divides).pop2().iconst_0();
    }
    code.goto_(end).labelBinding(divides);
    binary(op, type);
    code.labelBinding(end);
  }

  public void overflow(OverflowOp op, Type type) {
    String name =
        switch (op) {
          case ADD -> "addOverflows";
          case SUB -> "subOverflows";
          case MUL -> "mulOverflows";
        };
    lane(name, CD_int, type);
  }

  /** Whether a comparison takes its operands in reverse order: GT is LT, LE is GE. */
  public static boolean isSwapped(CompareOp op) {
    return op == CompareOp.GT || op == CompareOp.LE;
  }

  /** Compares without branches; the operands are swapped where {@link #isSwapped}. */
  public void compare(CompareOp op, Type type) {
    switch (op) {
      case EQ -> lane("eq", CD_int, type);
      case NE -> lane("ne", CD_int, type);
      case LT, GE, GT, LE -> lane("lt", CD_int, type);
      case ULT, UGE -> lane("ult", CD_int, type);
    }
    if (op == CompareOp.LE || op == CompareOp.GE || op == CompareOp.UGE) {
      code.loadConstant(1).ixor();
    }
  }

  /** Compares by branches where that is shorter, else as {@link #compare} does. */
  public void compareBranching(CompareOp op, Type type) {
    boolean isFloat = type == Type.F32 || type == Type.F64;
    if (isFloat || op == CompareOp.ULT || op == CompareOp.UGE) {
      compare(op, type);
      return;
    }
    Label holds = code.newLabel();
    Label end = code.newLabel();
    if (type == Type.I64) {
      code.lcmp();
      switch (op) {
        case EQ -> code.ifeq(holds);
        case NE -> code.ifne(holds);
        case LT, GT -> code.iflt(holds);
        case LE, GE -> code.ifge(holds);
        case ULT, UGE -> throw unknown(op, type);
      }
    } else {
      switch (op) {
        case EQ -> code.if_icmpeq(holds);
        case NE -> code.if_icmpne(holds);
        case LT, GT -> code.if_icmplt(holds);
        case LE, GE -> code.if_icmpge(holds);
        case ULT, UGE -> throw unknown(op, type);
      }
    }
    code.iconst_0().goto_(end).labelBinding(holds).iconst_1().labelBinding(end);
  }

  /** Pops the value for 1, the value for 0, and the predicate. */
  public void select(Type type) {
    ClassDesc java = javaType(type);
    call(LANE_CODE, "select", java, java, java, CD_int);
  }

  public void convert(Type from, Type to) {
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

  private static IllegalArgumentException unknown(Enum<?> op, Type type) {
    return new IllegalArgumentException("no " + op + " on " + type.text());
  }
}
