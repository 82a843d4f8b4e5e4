package io.gpdb.planner.expression.kernel;

import io.gpdb.planner.expression.NotCovered;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;

/** Compiles row expressions: what the class of an operator asks for its operands. */
public interface ExpressionCompiler {
  KernelExpression compile(RexNode node) throws NotCovered;

  /** An expression of which only TRUE counts. */
  KernelExpression condition(RexNode node) throws NotCovered;

  /** The time of the execution in the type that the call names. */
  KernelExpression now(RexCall call) throws NotCovered;

  default KernelExpression operand(RexCall call, int index) throws NotCovered {
    return compile(call.getOperands().get(index));
  }
}
