package io.gpdb.planner.bridge;

import static io.gpdb.planner.bridge.BridgeExpressions.isDecimal;
import static io.gpdb.planner.bridge.BridgeExpressions.isFloat;
import static io.gpdb.planner.bridge.BridgeExpressions.isInteger;
import static io.gpdb.planner.bridge.BridgeExpressions.isInterval;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/**
 * Numbers: overflow and division by zero raise, decimals keep their scale, comparisons one type.
 */
final class ArithmeticRewrite {
  private final BridgeExpressions rewrite;

  ArithmeticRewrite(BridgeExpressions rewrite) {
    this.rewrite = rewrite;
  }

  @Nullable RexNode rewrite(RexCall call, List<RexNode> operands) {
    if (isComparison(call.getKind()) && operands.size() == 2) {
      return comparison(call, operands.get(0), operands.get(1));
    }
    boolean intervals = operands.stream().anyMatch(o -> isInterval(o.getType()));
    if (intervals || isInterval(call.getType())) {
      return null;
    }
    String function = function(call);
    if (function != null) {
      return operation(call.getType(), function, operands);
    }
    return isDecimal(call.getType()) ? scaled(call, operands) : null;
  }

  private static boolean isComparison(SqlKind kind) {
    return kind.belongsTo(SqlKind.COMPARISON)
        || kind == SqlKind.IS_DISTINCT_FROM
        || kind == SqlKind.IS_NOT_DISTINCT_FROM;
  }

  private static @Nullable String function(RexCall call) {
    return switch (call.getKind()) {
      case PLUS, CHECKED_PLUS -> "plus";
      case MINUS, CHECKED_MINUS -> "minus";
      case TIMES, CHECKED_TIMES -> "times";
      case DIVIDE, CHECKED_DIVIDE -> "divide";
      case MOD -> "remainder";
      case MINUS_PREFIX, CHECKED_MINUS_PREFIX -> "negate";
      default -> call.getOperator().getName().equals("ABS") ? "absolute" : null;
    };
  }

  private @Nullable RexNode operation(RelDataType type, String function, List<RexNode> operands) {
    if (isInteger(type) && operands.stream().allMatch(o -> isInteger(o.getType()))) {
      RexNode[] numbers = operands.stream().map(rewrite::asLong).toArray(RexNode[]::new);
      RelDataType bigint = rewrite.type(SqlTypeName.BIGINT, type.isNullable());
      return narrowed(type, rewrite.call(bigint, function + "Long", numbers));
    }
    if (isDecimal(type) || isInteger(type)) {
      return decimal(type, function, operands);
    }
    if (isFloat(type)) {
      RexNode[] numbers = operands.stream().map(o -> cast(type, o)).toArray(RexNode[]::new);
      return isRemainder(function)
          ? rewrite.call(
              rewrite.type(SqlTypeName.DOUBLE, type.isNullable()),
              "remainderDouble",
              rewrite.asDouble(numbers[0]),
              rewrite.asDouble(numbers[1]))
          : null;
    }
    return null;
  }

  private static boolean isRemainder(String function) {
    return function.equals("remainder");
  }

  private RexNode cast(RelDataType type, RexNode value) {
    return value.getType().getSqlTypeName() == type.getSqlTypeName()
        ? value
        : rewrite.builder().makeAbstractCast(type, value, false);
  }

  private @Nullable RexNode decimal(RelDataType type, String function, List<RexNode> operands) {
    if (operands.stream().anyMatch(o -> !isDecimal(o.getType()) && !isInteger(o.getType()))) {
      return null;
    }
    RexNode[] arguments = new RexNode[operands.size() + 2];
    for (int i = 0; i < operands.size(); i++) {
      arguments[i] = rewrite.asDecimal(operands.get(i));
    }
    int scale = isDecimal(type) ? type.getScale() : 0;
    int precision = isDecimal(type) ? type.getPrecision() : 19;
    arguments[operands.size()] = rewrite.integer(precision);
    arguments[operands.size() + 1] = rewrite.integer(scale);
    RelDataType decimal = isDecimal(type) ? type : decimalType(18, 0, type.isNullable());
    RexNode result = rewrite.call(decimal, function + "Decimal", arguments);
    return isDecimal(type) ? result : new CastRewrite(rewrite).cast(type, result.getType(), result);
  }

  private RelDataType decimalType(int precision, int scale, boolean nullable) {
    return rewrite
        .builder()
        .getTypeFactory()
        .createTypeWithNullability(
            rewrite.builder().getTypeFactory().createSqlType(SqlTypeName.DECIMAL, precision, scale),
            nullable);
  }

  /** A BIGINT as the smaller type, checked. */
  RexNode narrowed(RelDataType type, RexNode value) {
    return switch (type.getSqlTypeName()) {
      case TINYINT -> rewrite.call(type, "toTinyint", value);
      case SMALLINT -> rewrite.call(type, "toSmallint", value);
      case INTEGER -> rewrite.call(type, "toInteger", value);
      default -> value;
    };
  }

  /** Any other function of decimals: brings the result to the scale of its type. */
  private RexNode scaled(RexCall call, List<RexNode> operands) {
    RelDataType type = call.getType();
    return rewrite.call(
        type,
        "scaledDecimal",
        call.clone(type, operands),
        rewrite.integer(type.getPrecision()),
        rewrite.integer(type.getScale()));
  }

  /**
   * Compares numbers of different types in one, so that equal values are equal join keys; floats by
   * their total order.
   */
  private @Nullable RexNode comparison(RexCall call, RexNode left, RexNode right) {
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
        : call.clone(call.getType(), List.of(rewrite.asLong(left), rewrite.asLong(right)));
  }

  private RexNode floatOrder(RexNode value) {
    RelDataType order = rewrite.type(SqlTypeName.BIGINT, value.getType().isNullable());
    return rewrite.call(order, "floatOrder", rewrite.asDouble(value));
  }

  private static int scale(RelDataType type) {
    return isDecimal(type) ? type.getScale() : 0;
  }

  private RexNode atScale(RexNode value, int scale) {
    return rewrite.call(
        decimalType(18, scale, value.getType().isNullable()),
        "atScale",
        rewrite.asDecimal(value),
        rewrite.integer(scale));
  }
}
