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
 *   <li>What CASE or COALESCE chooses: a CHAR as a VARCHAR, or a constant as a CHAR. Where Calcite
 *       finds that only this one can be chosen, it leaves nothing else, and a cast from CHAR is
 *       compared padded, a constant is not.
 *   <li>A constant that is cast to CHAR: Calcite makes it a literal again.
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

  /** A constant that a cast has made: a CHAR is kept, so that it is compared as one. */
  public static RexNode ofCast(RexBuilder builder, RexLiteral constant) {
    return constant.getType().getSqlTypeName() == SqlTypeName.CHAR && !constant.isNull()
        ? builder.makeCall(OPERATOR, constant)
        : constant;
  }

  /**
   * A CASE or COALESCE in which what it chooses compares as the choice does, also where only one
   * can be chosen: each CHAR that is cast to VARCHAR is kept, and each constant beside a CHAR.
   */
  public static RexNode choice(RexBuilder builder, RexCall choice) {
    boolean ofChars =
        choice.getType().getSqlTypeName() == SqlTypeName.CHAR && !isOfConstants(choice);
    List<RexNode> operands =
        choice.getOperands().stream()
            .map(
                o ->
                    isVaryingChar(o) || (ofChars && isConstantText(o))
                        ? builder.makeCall(OPERATOR, o)
                        : o)
            .toList();
    return operands.equals(choice.getOperands())
        ? choice
        : choice.clone(choice.getType(), operands);
  }

  /** Whether a text is a literal, or chosen among literals: then no CHAR that is stored padded. */
  public static boolean isOfConstants(RexNode text) {
    return text instanceof RexLiteral
        || ((text.getKind() == SqlKind.CASE || text.getKind() == SqlKind.COALESCE)
            && ((RexCall) text)
                .getOperands().stream()
                    .filter(o -> SqlTypeUtil.isCharacter(o.getType()))
                    .allMatch(KeptValue::isOfConstants));
  }

  private static boolean isConstantText(RexNode value) {
    return SqlTypeUtil.isCharacter(value.getType())
        && isOfConstants(value)
        && !RexLiteral.isNullLiteral(value);
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
