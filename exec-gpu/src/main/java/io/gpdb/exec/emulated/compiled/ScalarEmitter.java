package io.gpdb.exec.emulated.compiled;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.gpdb.exec.emulated.common.ElementCode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.SpecialKind;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/** Emits operations that a block does once, on scalar registers. Local 0 is the frame. */
final class ScalarEmitter extends CodeEmitter {
  private final Label divideByZero;
  private final Label outOfRange;
  private boolean usesDivideByZero;
  private boolean usesOutOfRange;

  ScalarEmitter(CodeBuilder code, KernelFacts facts) {
    super(code, facts);
    divideByZero = code.newLabel();
    outOfRange = code.newLabel();
  }

  @Override
  Label divideByZero() {
    usesDivideByZero = true;
    return divideByZero;
  }

  @Override
  void load(Reg register) {
    pushScalar(this, register);
  }

  /** Pushes a scalar or inline register's value from the frame; not a lane's position. */
  static void pushScalar(CodeEmitter emitter, Reg register) {
    CodeBuilder code = emitter.code;
    Op.Const constant = emitter.facts.constant(register);
    SpecialKind special = emitter.facts.special(register);
    int launchScalar = emitter.facts.launchScalar(register);
    if (constant != null) {
      emitter.constant(register.type(), constant.bits());
    } else if (special != null) {
      switch (special) {
        case BLOCK -> code.aload(0).getfield(FRAME, "block", CD_int);
        case GRID_SIZE -> code.aload(0).getfield(FRAME, "gridSize", CD_int);
        case BLOCK_SIZE -> code.loadConstant(emitter.facts.kernel.blockSize());
        case LANE, WARP, THREAD, GLOBAL ->
            throw new IllegalArgumentException(special + " is not one value");
      }
    } else if (launchScalar >= 0) {
      code.aload(0).getfield(FRAME, "scalars", CD_long.arrayType());
      code.loadConstant(launchScalar).laload();
      emitter.fromBits(register.type());
    } else {
      code.aload(0).getfield(FRAME, "uniform", CD_long.arrayType());
      code.loadConstant(register.id()).laload();
      emitter.fromBits(register.type());
    }
  }

  @Override
  void store(Reg register) {
    toBits(register.type());
    int value = code.allocateLocal(java.lang.classfile.TypeKind.LONG);
    code.lstore(value);
    code.aload(0).getfield(FRAME, "uniform", CD_long.arrayType());
    code.loadConstant(register.id()).lload(value).lastore();
  }

  void emit(List<Op> ops) {
    for (Op op : ops) {
      switch (op) {
        case Op.Scalar o -> {
          code.aload(0).getfield(FRAME, "scalars", CD_long.arrayType());
          code.loadConstant(o.index()).laload();
          fromBits(o.dst().type());
          store(o.dst());
        }
        case Op.Special o -> {
          switch (o.kind()) {
            case BLOCK -> code.aload(0).getfield(FRAME, "block", CD_int);
            case GRID_SIZE -> code.aload(0).getfield(FRAME, "gridSize", CD_int);
            case BLOCK_SIZE -> code.loadConstant(facts.kernel.blockSize());
            case LANE, WARP, THREAD, GLOBAL ->
                throw new IllegalArgumentException(o.kind() + " is not one value");
          }
          store(o.dst());
        }
        case Op.Load o -> {
          loadBuffer(o);
          store(o.dst());
        }
        case Op.LoadShared o -> {
          loadShared(o);
          store(o.dst());
        }
        default -> {
          compute(op);
          store(Ops.dst(op));
        }
      }
    }
    code.return_();
    endLane(usesDivideByZero, divideByZero, Op.DIVIDE_BY_ZERO);
    endLane(usesOutOfRange, outOfRange, Op.OUT_OF_RANGE);
  }

  private void endLane(boolean used, Label label, int trapCode) {
    if (used) {
      code.labelBinding(label).aload(0).loadConstant(trapCode);
      code.invokevirtual(FRAME, "trapAll", MethodTypeDesc.of(CD_void, CD_int)).return_();
    }
  }

  private int checkedIndex(Reg index, Runnable pushLength) {
    usesOutOfRange = true;
    load(index);
    if (index.type() != Type.I64) {
      code.i2l();
    }
    int at = code.allocateLocal(java.lang.classfile.TypeKind.LONG);
    code.lstore(at);
    code.lload(at).lconst_0().lcmp().iflt(outOfRange);
    code.lload(at);
    pushLength.run();
    code.lcmp().ifge(outOfRange);
    return at;
  }

  private void loadBuffer(Op.Load op) {
    Element element = facts.kernel.buffers().get(op.buffer()).element();
    int at =
        checkedIndex(
            op.index(),
            () -> {
              code.aload(0).getfield(FRAME, "elements", CD_long.arrayType());
              code.loadConstant(op.buffer()).laload();
            });
    code.aload(0).getfield(FRAME, "buffers", SEGMENT.arrayType());
    code.loadConstant(op.buffer()).aaload();
    layout(element, false);
    code.lload(at).loadConstant(ElementCode.shift(element)).lshl();
    loadElement(element);
  }

  private void loadShared(Op.LoadShared op) {
    Element element = facts.kernel.shared().get(op.array()).element();
    int size = facts.kernel.shared().get(op.array()).size();
    int at = checkedIndex(op.index(), () -> code.loadConstant((long) size));
    ClassDesc array = javaType(element.register()).arrayType();
    code.aload(0).getfield(FRAME, "shared", java.lang.constant.ConstantDescs.CD_Object.arrayType());
    code.loadConstant(op.array()).aaload().checkcast(array);
    code.lload(at).l2i();
    switch (element.register()) {
      case I32, PRED -> code.iaload();
      case I64 -> code.laload();
      case F32 -> code.faload();
      case F64 -> code.daload();
    }
  }

  /** The register that a computation writes. */
  private static final class Ops {
    static Reg dst(Op op) {
      return java.util.Objects.requireNonNull(io.gpdb.exec.ir.Ops.write(op));
    }
  }
}
