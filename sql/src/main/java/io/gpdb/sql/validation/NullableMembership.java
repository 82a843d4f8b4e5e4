package io.gpdb.sql.validation;

import io.gpdb.sql.tree.MembershipOperand;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
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
 * keep it from that. Where the statement itself says that they are not NULL ({@code b IS NULL OR (b
 * IN (query)) IS TRUE}) they do not: where it is asked whether IN is unknown, its operands are
 * {@link MembershipOperand}s.
 */
final class NullableMembership {
  private static final Set<SqlKind> ASKING =
      EnumSet.of(
          SqlKind.IS_TRUE,
          SqlKind.IS_NOT_TRUE,
          SqlKind.IS_FALSE,
          SqlKind.IS_NOT_FALSE,
          SqlKind.IS_NULL,
          SqlKind.IS_NOT_NULL,
          SqlKind.IS_UNKNOWN);

  private NullableMembership() {}

  /** The expression, with nullable operands where it is such an IN or NOT IN. */
  static RexNode of(RexNode expression, RexBuilder builder) {
    if (ASKING.contains(expression.getKind())) {
      RexCall call = (RexCall) expression;
      RexNode operand = call.getOperands().getFirst();
      RexNode asked = asked(operand, builder);
      return asked.equals(operand) ? expression : call.clone(call.getType(), List.of(asked));
    }
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

  /** A nullable IN, or its negation, whose operands say nothing of NULL. */
  private static RexNode asked(RexNode expression, RexBuilder builder) {
    if (expression.getKind() == SqlKind.NOT) {
      RexCall not = (RexCall) expression;
      RexNode negated = not.getOperands().getFirst();
      RexNode asked = asked(negated, builder);
      return asked.equals(negated) ? expression : not.clone(not.getType(), List.of(asked));
    }
    if (!(expression instanceof RexSubQuery in)
        || in.getKind() != SqlKind.IN
        || !in.getType().isNullable()) {
      return expression;
    }
    List<RexNode> operands = new ArrayList<>();
    in.getOperands().forEach(operand -> operands.add(MembershipOperand.wrapped(builder, operand)));
    return in.clone(in.getType(), operands);
  }
}
