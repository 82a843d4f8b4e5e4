package io.gpdb.exec.emulated.compiled;

import io.gpdb.exec.emulated.common.OperationCode;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;

/** Emits the operations that compute a register from registers. */
final class ComputeEmitter {
  private final CodeBuilder code;
  private final ValueEmitter values;
  private final OperationCode operations;
  private final Registers registers;
  private final KernelFacts facts;

  /** Whether comparisons and selections must not branch. */
  private final boolean branchFree;

  ComputeEmitter(ValueEmitter values, Registers registers, KernelFacts facts, boolean branchFree) {
    this.code = values.code;
    this.values = values;
    this.operations = values.operations;
    this.registers = registers;
    this.facts = facts;
    this.branchFree = branchFree;
  }

  /** Pushes what the operation computes; DIV and REM may trap. */
  void push(Op op) {
    switch (op) {
      case Op.Const o -> values.constant(o.dst().type(), o.bits());
      case Op.Move o -> registers.load(o.a());
      case Op.Unary o -> {
        registers.load(o.a());
        operations.unary(o.op(), o.a().type());
      }
      case Op.Binary o -> {
        if (KernelFacts.divides(o)) {
          checkDivisor(o.b());
        }
        load(o.a(), o.b());
        operations.binary(o.op(), o.a().type());
      }
      case Op.Overflow o -> {
        load(o.a(), o.b());
        operations.overflow(o.op(), o.a().type());
      }
      case Op.Compare o -> compare(o);
      case Op.Select o -> select(o);
      case Op.Convert o -> {
        registers.load(o.a());
        operations.convert(o.a().type(), o.dst().type());
      }
      default -> throw new IllegalArgumentException("not a computation: " + op);
    }
  }

  private void load(Reg a, Reg b) {
    registers.load(a);
    registers.load(b);
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

  private void compare(Op.Compare op) {
    if (OperationCode.isSwapped(op.op())) {
      load(op.b(), op.a());
    } else {
      load(op.a(), op.b());
    }
    // Of branches that meet in a chain of AND and OR the JIT compiler makes a copy of the rest for
    // each way through them.
    if (branchFree || facts.isCombined(op.dst())) {
      operations.compare(op.op(), op.a().type());
    } else {
      operations.compareBranching(op.op(), op.a().type());
    }
  }

  private void select(Op.Select op) {
    if (branchFree) {
      registers.load(op.a());
      registers.load(op.b());
      registers.load(op.p());
      operations.select(op.dst().type());
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
