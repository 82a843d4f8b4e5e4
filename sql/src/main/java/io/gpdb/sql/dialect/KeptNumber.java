package io.gpdb.sql.dialect;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * A number that becomes a text. To Calcite the inner cast of {@code CAST(CAST(i AS DOUBLE) AS
 * VARCHAR)} loses nothing and may go, but the text of the DOUBLE is 1.0, not 1. A function around
 * the number, which is the number itself, keeps both casts apart, in subqueries that are merged
 * too.
 */
public final class KeptNumber {
  private static final SqlOperator OPERATOR =
      new SqlFunction(
          "$KEPT",
          SqlKind.OTHER_FUNCTION,
          ReturnTypes.ARG0,
          null,
          OperandTypes.NUMERIC,
          SqlFunctionCategory.NUMERIC);

  private KeptNumber() {}

  public static boolean is(RexCall call) {
    return OPERATOR.equals(call.getOperator());
  }

  /** Whether a cast of the value to that type spells a number of a type with its own digits. */
  static boolean isFor(RelDataType to, RexNode value) {
    SqlTypeName from = value.getType().getSqlTypeName();
    boolean spelled = from == SqlTypeName.DECIMAL || SqlTypeName.APPROX_TYPES.contains(from);
    return spelled && SqlTypeUtil.isCharacter(to) && !(value instanceof RexLiteral);
  }

  /** What to cast to that type in place of the value. */
  public static RexNode operand(RexBuilder builder, RelDataType to, RexNode value) {
    return isFor(to, value) ? builder.makeCall(OPERATOR, value) : value;
  }
}
