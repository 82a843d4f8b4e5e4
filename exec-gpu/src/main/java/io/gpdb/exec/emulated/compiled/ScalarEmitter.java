package io.gpdb.exec.emulated.compiled;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.gpdb.exec.emulated.common.ElementCode;
import io.gpdb.exec.emulated.common.OperationCode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Ops;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Objects;

/** Emits operations that a block does once, on scalar registers. Local 0 is the frame. */
final class ScalarEmitter implements Registers {
  private final CodeBuilder code;
  private final KernelFacts facts;
  private final ValueEmitter values;
  private final FrameValues frame;
  private final ComputeEmitter computations;
  private final Label divideByZero;
  private final Label outOfRange;
  private boolean usesDivideByZero;
  private boolean usesOutOfRange;

  ScalarEmitter(CodeBuilder code, KernelFacts facts) {
    this.code = code;
    this.facts = facts;
    this.values = new ValueEmitter(code);
    this.frame = new FrameValues(values, facts);
    this.computations = new ComputeEmitter(values, this, facts, false);
    divideByZero = code.newLabel();
    outOfRange = code.newLabel();
  }

  @Override
  public Label divideByZero() {
    usesDivideByZero = true;
    return divideByZero;
  }

  @Override
  public void load(Reg register) {
    frame.push(register);
  }

  @Override
  public void store(Reg register) {
    values.toBits(register.type());
    int value = code.allocateLocal(TypeKind.LONG);
    code.lstore(value);
    code.aload(0).getfield(ValueEmitter.FRAME, "uniform", CD_long.arrayType());
    code.loadConstant(register.id()).lload(value).lastore();
  }

  void emit(List<Op> ops) {
    for (Op op : ops) {
      switch (op) {
        case Op.Scalar o -> {
          frame.pushScalar(o.index(), o.dst().type());
          store(o.dst());
        }
        case Op.Special o -> {
          frame.pushSpecial(o.kind());
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
          computations.push(op);
          store(Objects.requireNonNull(Ops.write(op)));
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
      code.invokevirtual(ValueEmitter.FRAME, "trapAll", MethodTypeDesc.of(CD_void, CD_int))
          .return_();
    }
  }

  private int checkedIndex(Reg index, Runnable pushLength) {
    usesOutOfRange = true;
    load(index);
    if (index.type() != Type.I64) {
      code.i2l();
    }
    int at = code.allocateLocal(TypeKind.LONG);
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
              code.aload(0).getfield(ValueEmitter.FRAME, "elements", CD_long.arrayType());
              code.loadConstant(op.buffer()).laload();
            });
    code.aload(0).getfield(ValueEmitter.FRAME, "buffers", ValueEmitter.SEGMENT.arrayType());
    code.loadConstant(op.buffer()).aaload();
    values.layout(element, false);
    code.lload(at).loadConstant(ElementCode.shift(element)).lshl();
    values.loadElement(element);
  }

  private void loadShared(Op.LoadShared op) {
    Element element = facts.kernel.shared().get(op.array()).element();
    int size = facts.kernel.shared().get(op.array()).size();
    int at = checkedIndex(op.index(), () -> code.loadConstant((long) size));
    ClassDesc array = OperationCode.javaType(element.register()).arrayType();
    code.aload(0).getfield(ValueEmitter.FRAME, "shared", CD_Object.arrayType());
    code.loadConstant(op.array()).aaload().checkcast(array);
    code.lload(at).l2i();
    switch (element.register()) {
      case I32, PRED -> code.iaload();
      case I64 -> code.laload();
      case F32 -> code.faload();
      case F64 -> code.daload();
    }
  }
}
