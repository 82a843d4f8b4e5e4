package io.gpdb.planner.expression;

import org.apache.calcite.rex.RexCall;

/** A function in kernels. */
@FunctionalInterface
interface KernelForm {
  KernelExpression compile(ExpressionCompiler in, RexCall call) throws NotCovered;
}
