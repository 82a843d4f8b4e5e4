package io.gpdb.exec.emulated.compiled;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.SpecialKind;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.lang.classfile.CodeBuilder;

/** Reads values from the block's frame that are the same for all lanes. Local 0 is the frame. */
final class FrameValues {
  private final CodeBuilder code;
  private final ValueEmitter values;
  private final KernelFacts facts;

  FrameValues(ValueEmitter values, KernelFacts facts) {
    this.code = values.code;
    this.values = values;
    this.facts = facts;
  }

  /** Pushes a scalar or inline register's value from the frame; not a lane's position. */
  void push(Reg register) {
    Op.Const constant = facts.constant(register);
    SpecialKind special = facts.special(register);
    int launchScalar = facts.launchScalar(register);
    if (constant != null) {
      values.constant(register.type(), constant.bits());
    } else if (special != null) {
      pushSpecial(special);
    } else if (launchScalar >= 0) {
      pushScalar(launchScalar, register.type());
    } else {
      code.aload(0).getfield(ValueEmitter.FRAME, "uniform", CD_long.arrayType());
      code.loadConstant(register.id()).laload();
      values.fromBits(register.type());
    }
  }

  /** Pushes a parameter of the launch. */
  void pushScalar(int index, Type type) {
    code.aload(0).getfield(ValueEmitter.FRAME, "scalars", CD_long.arrayType());
    code.loadConstant(index).laload();
    values.fromBits(type);
  }

  /** Pushes what is one value for the whole block. */
  void pushSpecial(SpecialKind special) {
    switch (special) {
      case BLOCK -> code.aload(0).getfield(ValueEmitter.FRAME, "block", CD_int);
      case GRID_SIZE -> code.aload(0).getfield(ValueEmitter.FRAME, "gridSize", CD_int);
      case BLOCK_SIZE -> code.loadConstant(facts.kernel.blockSize());
      case LANE, WARP, THREAD, GLOBAL ->
          throw new IllegalArgumentException(special + " is not one value");
    }
  }
}
