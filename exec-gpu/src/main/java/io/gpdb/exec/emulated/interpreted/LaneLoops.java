package io.gpdb.exec.emulated.interpreted;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.emulated.common.GeneratedClass;
import io.gpdb.exec.emulated.common.OperationCode;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Op.OverflowOp;
import io.gpdb.exec.ir.Op.UnaryOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Loops over the lanes of a block, each of one operation on registers of one type. A loop is
 * generated when a kernel first needs it, and serves all kernels of the process. Each is a class of
 * its own, so that HotSpot profiles and compiles it alone and can make vector instructions of it.
 * The bytecode of an operation is written by {@link OperationCode}, as in compiled kernels.
 */
final class LaneLoops {
  private static final ClassDesc SELF =
      ClassDesc.of(LaneLoops.class.getPackageName(), "GeneratedLoop");
  private static final ClassDesc PARENT = ClassDesc.ofDescriptor(Loop.class.descriptorString());
  private static final ClassDesc STATE = ClassDesc.of(BlockState.class.getName());
  private static final MethodTypeDesc RUN =
      MethodTypeDesc.of(CD_void, STATE, CD_Object, CD_int, CD_int);
  private static final int STATE_LOCAL = 1;
  private static final int RESULT = 2;
  private static final int LO = 3;
  private static final int HI = 4;

  /** The fields of {@link Loop}, in the order of the operands. */
  private static final String[] OPERANDS = {"a", "b", "p"};

  /** Constructors. */
  private static final ConcurrentHashMap<Key, MethodHandle> LOOPS = new ConcurrentHashMap<>();

  private static final Function<Key, MethodHandle> GENERATE = LaneLoops::generate;

  private LaneLoops() {}

  /** {@code d[i] = op(a[i], b[i], p[i])} for i from lo to hi. */
  abstract static class Loop implements LaneSteps.Lanes {
    final int a; // registers; those that the operation does not have are not read
    final int b;
    final int p;

    Loop(int a, int b, int p) {
      this.a = a;
      this.b = b;
      this.p = p;
    }
  }

  private enum Other {
    CONVERT,
    SELECT
  }

  private record Key(Enum<?> op, Type type, Type result) {
    int operands() {
      return op instanceof UnaryOp || op == Other.CONVERT ? 1 : op == Other.SELECT ? 3 : 2;
    }

    Type operand(int k) {
      return k == 2 ? Type.PRED : type;
    }

    void write(OperationCode code) {
      if (op instanceof UnaryOp unary) {
        code.unary(unary, type);
      } else if (op instanceof BinaryOp binary) {
        boolean divides = binary == BinaryOp.DIV || binary == BinaryOp.REM;
        if (divides && (type == Type.I32 || type == Type.I64)) {
          code.divideOrZero(binary, type);
        } else {
          code.binary(binary, type);
        }
      } else if (op instanceof CompareOp compare) {
        code.compare(compare, type);
      } else if (op instanceof OverflowOp overflow) {
        code.overflow(overflow, type);
      } else if (op == Other.CONVERT) {
        code.convert(type, result);
      } else {
        code.select(type);
      }
    }
  }

  private static LaneSteps.Lanes loop(Key key, Reg a, Reg b, Reg p) {
    MethodHandle constructor = LOOPS.computeIfAbsent(key, GENERATE);
    return (Loop) GeneratedClass.make(constructor, a.id(), b.id(), p.id());
  }

  static LaneSteps.Lanes unary(UnaryOp op, Reg a, Type result) {
    return loop(new Key(op, a.type(), result), a, a, a);
  }

  /** Integer DIV and REM are 0 where b is 0. */
  static LaneSteps.Lanes binary(BinaryOp op, Reg a, Reg b) {
    return loop(new Key(op, a.type(), a.type()), a, b, b);
  }

  static LaneSteps.Lanes overflow(OverflowOp op, Reg a, Reg b) {
    return loop(new Key(op, a.type(), Type.PRED), a, b, b);
  }

  static LaneSteps.Lanes compare(CompareOp op, Reg a, Reg b) {
    return switch (op) {
      case GT -> compare(CompareOp.LT, b, a);
      case LE -> compare(CompareOp.GE, b, a);
      case EQ, NE, LT, GE, ULT, UGE -> loop(new Key(op, a.type(), Type.PRED), a, b, b);
    };
  }

  /** Copies where the types are equal. */
  static LaneSteps.Lanes convert(Reg a, Type to) {
    return loop(new Key(Other.CONVERT, a.type(), to), a, a, a);
  }

  /** a where p is 1, b where it is 0. */
  static LaneSteps.Lanes select(Reg a, Reg b, Reg p) {
    return loop(new Key(Other.SELECT, a.type(), a.type()), a, b, p);
  }

  private static MethodHandle generate(Key key) {
    byte[] bytes =
        GeneratedClass.bytes(
            SELF,
            Loop.class,
            OPERANDS.length,
            builder ->
                builder.withMethodBody("run", RUN, ClassFile.ACC_PUBLIC, code -> write(code, key)));
    return GeneratedClass.define(MethodHandles.lookup(), bytes, OPERANDS.length);
  }

  private static void write(CodeBuilder code, Key key) {
    code.aload(RESULT).checkcast(arrayOf(key.result)).astore(RESULT);
    int[] operands = new int[key.operands()];
    for (int k = 0; k < operands.length; k++) {
      operands[k] = code.allocateLocal(TypeKind.REFERENCE);
      code.aload(STATE_LOCAL).getfield(STATE, "registers", CD_Object.arrayType());
      code.aload(0).getfield(PARENT, OPERANDS[k], CD_int).aaload();
      code.checkcast(arrayOf(key.operand(k))).astore(operands[k]);
    }
    int lane = code.allocateLocal(TypeKind.INT);
    Label turn = code.newLabel();
    Label end = code.newLabel();
    code.iload(LO).istore(lane);
    code.labelBinding(turn).iload(lane).iload(HI).if_icmpge(end);
    code.aload(RESULT).iload(lane);
    for (int k = 0; k < operands.length; k++) {
      code.aload(operands[k]).iload(lane).arrayLoad(OperationCode.kind(key.operand(k)));
    }
    key.write(new OperationCode(code));
    code.arrayStore(OperationCode.kind(key.result));
    code.iinc(lane, 1).goto_(turn).labelBinding(end).return_();
  }

  private static ClassDesc arrayOf(Type type) {
    return OperationCode.javaType(type).arrayType();
  }
}
