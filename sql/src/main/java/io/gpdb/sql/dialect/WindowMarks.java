package io.gpdb.sql.dialect;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlPrefixOperator;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * What the grammar writes into windows, because Calcite's trees have no place for it. {@code GROUPS
 * 1 PRECEDING} is {@code ROWS GROUPS(1) PRECEDING}, {@code NTH_VALUE(x, 2) FROM LAST} is {@code
 * NTH_VALUE(x, FROM_LAST(2))}.
 */
public final class WindowMarks {
  private static final SqlOperator GROUPS = mark("GROUPS");
  private static final SqlOperator FROM_LAST = mark("FROM_LAST");

  private WindowMarks() {}

  /** An operator that no name leads to. */
  private static SqlOperator mark(String name) {
    return new SqlPrefixOperator(
        name, SqlKind.OTHER, 0, ReturnTypes.ARG0, null, OperandTypes.NUMERIC) {
      @Override
      public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
        RelDataType type = validator.deriveType(scope, call.operand(0));
        validator.setValidatedNodeType(call, type);
        return type;
      }
    };
  }

  /** Whether an operator is a mark, which is converted as it is. */
  public static boolean is(SqlOperator operator) {
    return operator.equals(GROUPS) || operator.equals(FROM_LAST);
  }

  /** Whether a bound of a frame is at a distance from the row. */
  public static boolean hasDistance(SqlNode bound) {
    return bound.getKind() == SqlKind.PRECEDING || bound.getKind() == SqlKind.FOLLOWING;
  }

  /** The bound of a frame with its distance counted in groups. */
  public static SqlNode inGroups(SqlNode bound) {
    if (!hasDistance(bound)) {
      return bound;
    }
    SqlCall call = (SqlCall) bound;
    SqlNode distance = call.operand(0);
    return call.getOperator()
        .createCall(
            call.getParserPosition(), GROUPS.createCall(distance.getParserPosition(), distance));
  }

  /** NTH_VALUE that counts from the end of the frame. */
  public static SqlCall fromLast(SqlCall nthValue) {
    if (nthValue.operandCount() != 2) {
      return nthValue; // the validator's error
    }
    SqlNode number = nthValue.operand(1);
    return nthValue
        .getOperator()
        .createCall(
            nthValue.getParserPosition(),
            nthValue.operand(0),
            FROM_LAST.createCall(number.getParserPosition(), number));
  }

  public static boolean isInGroups(RexNode distance) {
    return distance instanceof RexCall call && call.getOperator().equals(GROUPS);
  }

  public static boolean isFromLast(RexNode number) {
    return number instanceof RexCall call && call.getOperator().equals(FROM_LAST);
  }

  /** A number without its mark. */
  public static RexNode plain(RexNode number) {
    return isInGroups(number) || isFromLast(number)
        ? ((RexCall) number).getOperands().getFirst()
        : number;
  }
}
