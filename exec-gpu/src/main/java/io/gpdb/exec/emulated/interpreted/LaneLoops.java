package io.gpdb.exec.emulated.interpreted;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import io.gpdb.exec.emulated.common.GeneratedClass;
import io.gpdb.exec.emulated.common.OperationCode;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Op.OverflowOp;
import io.gpdb.exec.ir.Op.UnaryOp;
import io.gpdb.exec.ir.Type;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
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
  private static final MethodTypeDesc RUN =
      MethodTypeDesc.of(CD_void, CD_Object, CD_Object, CD_Object, CD_Object, CD_int, CD_int);
  private static final int RESULT = 1;
  private static final int FIRST_OPERAND = 2;
  private static final int LO = 5;
  private static final int HI = 6;

  private static final ConcurrentHashMap<Key, Loop> LOOPS = new ConcurrentHashMap<>();
  private static final Function<Key, Loop> GENERATE = LaneLoops::generate;

  private LaneLoops() {}

  /** {@code d[i] = op(a[i], b[i], p[i])} for i from lo to hi. */
  interface Loop {
    /** Registers are arrays of Java's type; those that the operation does not have are ignored. */
    void run(Object d, Object a, Object b, Object p, int lo, int hi);
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

  static Loop unary(UnaryOp op, Type type, Type result) {
    return LOOPS.computeIfAbsent(new Key(op, type, result), GENERATE);
  }

  /** Integer DIV and REM are 0 where b is 0. */
  static Loop binary(BinaryOp op, Type type) {
    return LOOPS.computeIfAbsent(new Key(op, type, type), GENERATE);
  }

  static Loop overflow(OverflowOp op, Type type) {
    return LOOPS.computeIfAbsent(new Key(op, type, Type.PRED), GENERATE);
  }

  /** The operands are to be swapped where {@link OperationCode#isSwapped}. */
  static Loop compare(CompareOp op, Type type) {
    CompareOp unswapped =
        op == CompareOp.GT ? CompareOp.LT : op == CompareOp.LE ? CompareOp.GE : op;
    return LOOPS.computeIfAbsent(new Key(unswapped, type, Type.PRED), GENERATE);
  }

  static Loop convert(Type from, Type to) {
    return LOOPS.computeIfAbsent(new Key(Other.CONVERT, from, to), GENERATE);
  }

  static Loop select(Type type) {
    return LOOPS.computeIfAbsent(new Key(Other.SELECT, type, type), GENERATE);
  }

  private static Loop generate(Key key) {
    byte[] bytes =
        GeneratedClass.bytes(
            SELF,
            Loop.class,
            builder ->
                builder.withMethodBody("run", RUN, ClassFile.ACC_PUBLIC, code -> write(code, key)));
    return (Loop) GeneratedClass.instance(MethodHandles.lookup(), bytes);
  }

  private static void write(CodeBuilder code, Key key) {
    int operands = key.operands();
    cast(code, RESULT, key.result);
    for (int k = 0; k < operands; k++) {
      cast(code, FIRST_OPERAND + k, key.operand(k));
    }
    int lane = code.allocateLocal(TypeKind.INT);
    Label turn = code.newLabel();
    Label end = code.newLabel();
    code.iload(LO).istore(lane);
    code.labelBinding(turn).iload(lane).iload(HI).if_icmpge(end);
    code.aload(RESULT).iload(lane);
    for (int k = 0; k < operands; k++) {
      code.aload(FIRST_OPERAND + k).iload(lane);
      code.arrayLoad(OperationCode.kind(key.operand(k)));
    }
    key.write(new OperationCode(code));
    code.arrayStore(OperationCode.kind(key.result));
    code.iinc(lane, 1).goto_(turn).labelBinding(end).return_();
  }

  private static void cast(CodeBuilder code, int local, Type type) {
    code.aload(local).checkcast(OperationCode.javaType(type).arrayType()).astore(local);
  }
}
