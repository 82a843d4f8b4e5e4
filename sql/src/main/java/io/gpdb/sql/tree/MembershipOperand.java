package io.gpdb.sql.tree;

import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;

/**
 * The value that IN looks for, under a call from which Calcite infers nothing, as long as the
 * subquery is one: {@code b IS NULL OR (b IN (query)) IS TRUE} says that b is not NULL, but not
 * that the query has no NULL.
 */
public final class MembershipOperand extends SqlFunction {
  private static final MembershipOperand OPERATOR = new MembershipOperand();

  private MembershipOperand() {
    super(
        "$MEMBER",
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.ARG0_FORCE_NULLABLE,
        null,
        OperandTypes.ANY,
        SqlFunctionCategory.SYSTEM);
  }

  /** The operand under such a call, of which one is enough. */
  public static RexNode wrapped(RexBuilder builder, RexNode operand) {
    return isWrapped(operand) ? operand : builder.makeCall(OPERATOR, operand);
  }

  static RexNode unwrapped(RexNode operand) {
    return isWrapped(operand) ? ((RexCall) operand).getOperands().getFirst() : operand;
  }

  private static boolean isWrapped(RexNode operand) {
    return operand instanceof RexCall call && call.getOperator().equals(OPERATOR);
  }
}
