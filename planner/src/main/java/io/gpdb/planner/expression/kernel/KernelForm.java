package io.gpdb.planner.expression.kernel;

import io.gpdb.planner.expression.NotCovered;
import org.apache.calcite.rex.RexCall;

/** A function in kernels. */
@FunctionalInterface
public interface KernelForm {
  KernelExpression compile(ExpressionCompiler in, RexCall call) throws NotCovered;
}
