package io.gpdb.planner.bridge;

import static io.gpdb.planner.function.RexTypes.isDecimal;
import static io.gpdb.planner.function.RexTypes.isFloat;

import io.gpdb.planner.function.RexTypes;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/**
 * Comparisons of numbers of different types in one, so that equal values are equal join keys; of
 * floats by their total order, of texts by that of their characters.
 */
final class ComparisonRewrite {
  private final BridgeExpressions made;

  ComparisonRewrite(BridgeExpressions made) {
    this.made = made;
  }

  /** The comparison of those operands; null where Calcite's is right. */
  @Nullable RexNode rewrite(RexCall call, List<RexNode> operands) {
    if (!isComparison(call.getKind()) || operands.size() != 2) {
      return null;
    }
    RexNode left = operands.get(0);
    RexNode right = operands.get(1);
    if (isOrder(call.getKind()) && RexTypes.isText(left) && RexTypes.isText(right)) {
      return call.clone(call.getType(), List.of(made.asOrder(left), made.asOrder(right)));
    }
    return numbers(call, left, right);
  }

  /** GREATEST or LEAST as a CASE that compares each operand with those behind it. */
  RexNode chosen(RexCall call) {
    RexBuilder builder = made.builder();
    SqlOperator keeps =
        call.getKind() == SqlKind.GREATEST
            ? SqlStdOperatorTable.GREATER_THAN
            : SqlStdOperatorTable.LESS_THAN;
    List<RexNode> operands = call.getOperands();
    List<RexNode> choice = new ArrayList<>();
    for (RexNode operand : operands) {
      choice.add(builder.makeCall(SqlStdOperatorTable.IS_NULL, operand));
      choice.add(builder.makeNullLiteral(call.getType()));
    }
    for (int i = 0; i + 1 < operands.size(); i++) {
      RexNode operand = operands.get(i);
      choice.add(
          RexUtil.composeConjunction(
              builder,
              operands.subList(i + 1, operands.size()).stream()
                  .map(other -> builder.makeCall(keeps, operand, other))
                  .toList()));
      choice.add(operand);
    }
    choice.add(operands.getLast());
    return builder.makeCall(call.getType(), SqlStdOperatorTable.CASE, choice);
  }

  private static boolean isComparison(SqlKind kind) {
    return kind.belongsTo(SqlKind.COMPARISON)
        || kind == SqlKind.IS_DISTINCT_FROM
        || kind == SqlKind.IS_NOT_DISTINCT_FROM;
  }

  private static boolean isOrder(SqlKind kind) {
    return switch (kind) {
      case LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL -> true;
      default -> false;
    };
  }

  private @Nullable RexNode numbers(RexCall call, RexNode left, RexNode right) {
    RelDataType a = left.getType();
    RelDataType b = right.getType();
    if (!SqlTypeUtil.isNumeric(a) || !SqlTypeUtil.isNumeric(b)) {
      return null;
    }
    if (isFloat(a) || isFloat(b)) {
      return call.clone(call.getType(), List.of(floatOrder(left), floatOrder(right)));
    }
    if (isDecimal(a) || isDecimal(b)) {
      int scale = Math.max(scale(a), scale(b));
      return isDecimal(a) && isDecimal(b) && scale(a) == scale(b)
          ? null
          : call.clone(call.getType(), List.of(atScale(left, scale), atScale(right, scale)));
    }
    return a.getSqlTypeName() == b.getSqlTypeName()
        ? null
        : call.clone(
            call.getType(), List.of(made.methods().asLong(left), made.methods().asLong(right)));
  }

  private RexNode floatOrder(RexNode value) {
    RelDataType order = made.methods().type(SqlTypeName.BIGINT, value.getType().isNullable());
    return made.call(order, "floatOrder", value);
  }

  private static int scale(RelDataType type) {
    return isDecimal(type) ? type.getScale() : 0;
  }

  private RexNode atScale(RexNode value, int scale) {
    RelDataType type = made.methods().decimal(18, scale, value.getType().isNullable());
    return made.call(type, "atScale", value, made.methods().integer(scale));
  }
}
