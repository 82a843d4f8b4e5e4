package io.gpdb.planner.function;

import static io.gpdb.planner.function.RexTypes.isDecimal;
import static io.gpdb.planner.function.RexTypes.isFloat;
import static io.gpdb.planner.function.RexTypes.isInteger;
import static io.gpdb.planner.function.RexTypes.isInterval;
import static io.gpdb.planner.function.RexTypes.isNull;

import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Calls of {@link NumberFunctions}: overflow and division by zero raise. */
public final class NumberCalls {
  /** Digits of a BIGINT. */
  private static final int LONG_DIGITS = 19;

  private NumberCalls() {}

  /** The method whose name ends with the type of the result. */
  public static MethodForm operation(String function) {
    return (to, call) -> of(to, call, function);
  }

  /** FLOOR or CEIL of a number; an integer is its own. */
  public static MethodForm rounded(String function) {
    return (to, call) ->
        call.getOperands().size() == 1 && isInteger(call.getOperands().getFirst().getType())
            ? call.getOperands().getFirst()
            : of(to, call, function);
  }

  private static @Nullable RexNode of(MethodCalls to, RexCall call, String function) {
    List<RexNode> operands = call.getOperands();
    RelDataType type = call.getType();
    if (isInterval(type) || !operands.stream().allMatch(o -> isNumber(o.getType()))) {
      return null;
    }
    if (isFloat(type)) {
      String name = function + (type.getSqlTypeName() == SqlTypeName.REAL ? "Real" : "Double");
      return to.takes(name, operands) ? to.call(type, name, operands) : null;
    }
    if (isInteger(type) && operands.stream().noneMatch(o -> isDecimal(o.getType()))) {
      RelDataType bigint = to.type(SqlTypeName.BIGINT, type.isNullable());
      return to.narrowed(type, to.call(bigint, function + "Long", operands));
    }
    boolean exact = operands.stream().noneMatch(o -> isFloat(o.getType()));
    return exact && (isDecimal(type) || isInteger(type))
        ? decimal(to, type, function, operands)
        : null;
  }

  /** WIDTH_BUCKET, exact unless a value is a floating point number. */
  public static @Nullable RexNode widthBucket(MethodCalls to, RexCall call) {
    List<RexNode> operands = call.getOperands();
    boolean exact = operands.stream().noneMatch(o -> isFloat(o.getType()));
    return to.call(call.getType(), exact ? "widthBucket" : "widthBucketOfDoubles", operands);
  }

  private static boolean isNumber(RelDataType type) {
    return isInteger(type) || isDecimal(type) || isFloat(type) || isNull(type);
  }

  private static int digits(RelDataType decimal) {
    return decimal.getPrecision() > SqlTypeSpec.NARROW_DIGITS_MAX
        ? SqlTypeSpec.DECIMAL_DIGITS_MAX
        : SqlTypeSpec.NARROW_DIGITS_MAX;
  }

  /** A DECIMAL result may use all digits of its storage whatever precision Calcite derives. */
  private static RexNode decimal(
      MethodCalls to, RelDataType type, String function, List<RexNode> operands) {
    List<RexNode> arguments = new ArrayList<>(operands);
    arguments.add(to.integer(isDecimal(type) ? digits(type) : LONG_DIGITS));
    arguments.add(to.integer(isDecimal(type) ? type.getScale() : 0));
    RelDataType decimal = isDecimal(type) ? type : to.decimal(18, 0, type.isNullable());
    RexNode result = to.call(decimal, function + "Decimal", arguments);
    return isDecimal(type) ? result : to.builder().makeAbstractCast(type, result, false);
  }
}
