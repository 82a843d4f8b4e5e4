package io.gpdb.sql.validation;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * IN with a subquery that has NULLs. Calcite takes any comparison of operands that are not NULL for
 * one that is not NULL either, does not look at the subquery's rows, and so makes {@code NOT(3 IN
 * (SELECT NULL ...))} of {@code (3 IN (SELECT NULL ...)) IS NOT TRUE}. Operands of nullable types
 * keep it from that.
 */
final class NullableMembership {
  private NullableMembership() {}

  /** The expression, with nullable operands where it is such an IN or NOT IN. */
  static RexNode of(RexNode expression, RexBuilder builder) {
    if (expression.getKind() == SqlKind.NOT) {
      RexNode negated = ((RexCall) expression).getOperands().getFirst();
      RexNode nullable = of(negated, builder);
      return nullable.equals(negated)
          ? expression
          : ((RexCall) expression).clone(expression.getType(), List.of(nullable));
    }
    if (!(expression instanceof RexSubQuery in)
        || in.getKind() != SqlKind.IN
        || !in.getType().isNullable()
        || in.getOperands().stream().anyMatch(operand -> operand.getType().isNullable())) {
      return expression;
    }
    RelDataTypeFactory types = builder.getTypeFactory();
    List<RexNode> operands = new ArrayList<>();
    for (RexNode operand : in.getOperands()) {
      operands.add(
          builder.makeAbstractCast(
              SqlParserPos.ZERO,
              types.createTypeWithNullability(operand.getType(), true),
              operand,
              false));
    }
    return in.clone(in.getType(), operands);
  }
}
