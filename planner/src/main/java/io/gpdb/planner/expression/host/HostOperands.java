package io.gpdb.planner.expression.host;

import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.NotCovered;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;

/** Compiles row expressions for the host: what a function asks for its operands. */
public interface HostOperands {
  HostExpression compile(RexNode node) throws NotCovered;

  /** An expression of which only TRUE counts. */
  HostExpression condition(RexNode node) throws NotCovered;

  default List<HostExpression> operands(RexCall call) throws NotCovered {
    List<HostExpression> operands = new ArrayList<>();
    for (RexNode operand : call.getOperands()) {
      operands.add(compile(operand));
    }
    return operands;
  }
}
