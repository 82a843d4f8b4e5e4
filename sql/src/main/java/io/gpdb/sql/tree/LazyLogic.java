package io.gpdb.sql.tree;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * The order in which the operands of AND and OR are evaluated, so that an operand that may raise an
 * error is evaluated only where its value is needed: what cannot raise one is first, the others
 * keep their order, and in a condition, where unknown is no better than false, an unknown operand
 * of AND decides.
 *
 * <pre>
 *   1 / x > 0 AND x > y     value:      x > y AND 1 / x > 0
 *                           condition:  (x > y) IS TRUE AND 1 / x > 0
 * </pre>
 */
public final class LazyLogic {
  private LazyLogic() {}

  /** The operands of an AND or OR in the order in which they are evaluated. */
  public static List<RexNode> ordered(List<RexNode> operands) {
    List<RexNode> plain = new ArrayList<>();
    List<RexNode> raising = new ArrayList<>();
    for (RexNode operand : operands) {
      (Raising.mayRaise(operand) ? raising : plain).add(operand);
    }
    plain.addAll(raising);
    return plain;
  }

  /** The same where only TRUE counts: of a filter, of a join, or of a branch of CASE. */
  public static RexNode condition(RexBuilder builder, RexNode node) {
    if (!(node instanceof RexCall call) || !isJunction(call) || !Raising.mayRaise(call)) {
      return node;
    }
    List<RexNode> operands = new ArrayList<>();
    for (RexNode operand : ordered(call.getOperands())) {
      operands.add(condition(builder, operand));
    }
    if (call.getKind() == SqlKind.AND) {
      for (int i = 0; i < operands.size() - 1; i++) {
        operands.set(i, certain(builder, operands.get(i)));
      }
    }
    return builder.makeCall(call.getType(), call.getOperator(), operands);
  }

  private static RexNode certain(RexBuilder builder, RexNode operand) {
    return operand.getType().isNullable()
        ? builder.makeCall(SqlStdOperatorTable.IS_TRUE, operand)
        : operand;
  }

  private static boolean isJunction(RexCall call) {
    return call.getKind() == SqlKind.AND || call.getKind() == SqlKind.OR;
  }
}
