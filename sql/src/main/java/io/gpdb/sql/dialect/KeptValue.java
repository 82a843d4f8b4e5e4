package io.gpdb.sql.dialect;

import java.util.List;
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
 * A value that is passed on as it is, behind a function through which no rewrite looks.
 *
 * <ul>
 *   <li>A number that becomes a text: to Calcite the inner cast of {@code CAST(CAST(i AS DOUBLE) AS
 *       VARCHAR)} loses nothing and may go, but the text of the DOUBLE is 1.0, not 1.
 *   <li>A CHAR that CASE or COALESCE chooses as a VARCHAR: where Calcite finds that only this one
 *       can be chosen, nothing but the cast is left, and a cast from CHAR is compared padded.
 * </ul>
 */
public final class KeptValue {
  private static final SqlOperator OPERATOR =
      new SqlFunction(
          "$KEPT",
          SqlKind.OTHER_FUNCTION,
          ReturnTypes.ARG0,
          null,
          OperandTypes.ANY,
          SqlFunctionCategory.SYSTEM);

  private KeptValue() {}

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

  /** A CASE or COALESCE in which each CHAR that is cast to VARCHAR is kept. */
  public static RexNode choice(RexBuilder builder, RexCall choice) {
    if (choice.getOperands().stream().noneMatch(KeptValue::isVaryingChar)) {
      return choice;
    }
    List<RexNode> operands =
        choice.getOperands().stream()
            .map(o -> isVaryingChar(o) ? builder.makeCall(OPERATOR, o) : o)
            .toList();
    return choice.clone(choice.getType(), operands);
  }

  private static boolean isVaryingChar(RexNode value) {
    if (value.getKind() != SqlKind.CAST
        || value.getType().getSqlTypeName() != SqlTypeName.VARCHAR) {
      return false;
    }
    RexNode text = ((RexCall) value).getOperands().getFirst();
    return text.getType().getSqlTypeName() == SqlTypeName.CHAR && !(text instanceof RexLiteral);
  }
}
