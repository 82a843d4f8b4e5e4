package io.gpdb.planner.expression;

import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Expressions of INTEGER, BIGINT and truth values alone: those for which the host's evaluator may
 * take the place of a kernel over any rows. Kernels cover all of them.
 */
public final class WholeExpressions {
  private WholeExpressions() {}

  /** Whether all that the expression reads and computes are such values. */
  public static boolean is(RexNode node) {
    if (!isWhole(node.getType().getSqlTypeName())) {
      return false;
    }
    return switch (node) {
      case RexInputRef _, RexLiteral _, RexDynamicParam _ -> true;
      case RexCall call -> isOfNull(call) || isCovered(call);
      default -> false;
    };
  }

  private static boolean isCovered(RexCall call) {
    boolean covered =
        switch (call.getKind()) {
          case OTHER_FUNCTION -> call.getOperator().getName().equals("ABS");
          case CAST -> isCastOfNumbers(call);
          default -> isCovered(call.getKind());
        };
    for (int i = 0; covered && i < call.getOperands().size(); i++) {
      covered = is(call.getOperands().get(i));
    }
    return covered;
  }

  /** IS NULL and its kin of a NULL of any type. */
  private static boolean isOfNull(RexCall call) {
    return (call.getKind() == SqlKind.IS_NULL || call.getKind() == SqlKind.IS_NOT_NULL)
        && call.getOperands().getFirst() instanceof RexLiteral literal
        && literal.isNull();
  }

  private static boolean isWhole(SqlTypeName type) {
    return type == SqlTypeName.INTEGER || type == SqlTypeName.BIGINT || type == SqlTypeName.BOOLEAN;
  }

  private static boolean isCovered(SqlKind kind) {
    return switch (kind) {
      case PLUS, MINUS, TIMES, DIVIDE, MOD, MINUS_PREFIX, PLUS_PREFIX -> true;
      case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL -> true;
      case GREATER_THAN, GREATER_THAN_OR_EQUAL, SEARCH -> true;
      case AND, OR, NOT, IS_NULL, IS_NOT_NULL -> true;
      case IS_TRUE, IS_NOT_TRUE, IS_FALSE, IS_NOT_FALSE -> true;
      case CASE, COALESCE -> true;
      default -> false;
    };
  }

  private static boolean isCastOfNumbers(RexCall call) {
    return call.getType().getSqlTypeName() != SqlTypeName.BOOLEAN
        && call.getOperands().getFirst().getType().getSqlTypeName() != SqlTypeName.BOOLEAN;
  }
}
