package io.gpdb.sql.tree;

import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Which calls are total: they have a value for all values that their operands' types allow. Any
 * other may raise an error.
 */
final class TotalCalls {
  /** By the names of their operators; a test holds that they raise nothing. */
  private static final Set<String> FUNCTIONS =
      Set.of(
          "ASCII",
          "BIT_LENGTH",
          "CHAR_LENGTH",
          "CHARACTER_LENGTH",
          "INITCAP",
          "LEFT",
          "LENGTH",
          "LOWER",
          "LTRIM",
          "OCTET_LENGTH",
          "POSITION",
          "REVERSE",
          "RIGHT",
          "RTRIM",
          "UPPER");

  /** Characters of any exact number, date or time. */
  private static final int TEXT_LENGTH = 64;

  private final ExactRanges ranges = new ExactRanges();

  /** Whether the call itself raises no error; its operands may. */
  boolean isTotal(RexCall call) {
    return switch (call.getKind()) {
      case AND, OR, NOT, CASE, COALESCE, SEARCH, GREATEST, LEAST -> true;
      case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL -> true;
      case GREATER_THAN, GREATER_THAN_OR_EQUAL, IS_DISTINCT_FROM, IS_NOT_DISTINCT_FROM -> true;
      case IS_NULL, IS_NOT_NULL, IS_TRUE, IS_NOT_TRUE, IS_FALSE, IS_NOT_FALSE -> true;
      case IS_UNKNOWN -> true;
      case LIKE -> call.getOperands().size() == 2 || hasLiteralsFrom(call, 1);
      case CAST -> isTotalCast(call);
      case TRIM -> isCharacter(call.getOperands().get(1));
      case EXTRACT -> SqlTypeUtil.isDatetime(call.getOperands().getLast().getType());
      case PLUS, MINUS, TIMES -> isFloating(call) || ranges.isWithinType(call);
      case DIVIDE, MOD, MINUS_PREFIX, PLUS_PREFIX -> ranges.isWithinType(call);
      default -> isTotalFunction(call);
    };
  }

  private boolean isTotalFunction(RexCall call) {
    String name = call.getOperator().getName();
    return switch (name) {
      case "ABS" -> isFloating(call) || ranges.isWithinType(call);
      case "SUBSTRING", "SUBSTR" -> isCut(call);
      default -> FUNCTIONS.contains(name);
    };
  }

  private boolean isTotalCast(RexCall call) {
    RelDataType from = call.getOperands().getFirst().getType();
    RelDataType to = call.getType();
    if (RexUtil.isLosslessCast(call) || ranges.isWithinType(call)) {
      return true;
    }
    return switch (to.getSqlTypeName()) {
      // 38 digits are within both
      case REAL, FLOAT, DOUBLE -> SqlTypeUtil.isExactNumeric(from);
      case DATE -> from.getSqlTypeName() == SqlTypeName.TIMESTAMP;
      case TIMESTAMP -> from.getSqlTypeName() == SqlTypeName.DATE;
      case VARCHAR ->
          isLong(to) && (SqlTypeUtil.isExactNumeric(from) || SqlTypeUtil.isDatetime(from));
      default -> false;
    };
  }

  private static boolean isLong(RelDataType text) {
    int length = text.getPrecision();
    return length == RelDataType.PRECISION_NOT_SPECIFIED || length >= TEXT_LENGTH;
  }

  /** IEEE 754 has a result for all operands. */
  private static boolean isFloating(RexCall call) {
    return SqlTypeUtil.isApproximateNumeric(call.getType())
        && call.getOperands().stream()
            .allMatch(operand -> SqlTypeUtil.isApproximateNumeric(operand.getType()));
  }

  /** A text that is cut at a place, and to a length that is a literal and not negative. */
  private static boolean isCut(RexCall call) {
    List<RexNode> operands = call.getOperands();
    if (!SqlTypeUtil.isCharacter(operands.getFirst().getType())) {
      return false;
    }
    return operands.size() == 2 || isLength(operands.get(2));
  }

  private static boolean isLength(RexNode node) {
    BigDecimal length =
        node instanceof RexLiteral literal && SqlTypeUtil.isIntType(literal.getType())
            ? literal.getValueAs(BigDecimal.class)
            : null;
    return length != null && length.signum() >= 0;
  }

  private static boolean hasLiteralsFrom(RexCall call, int first) {
    List<RexNode> operands = call.getOperands();
    return operands.subList(first, operands.size()).stream()
        .allMatch(operand -> operand instanceof RexLiteral);
  }

  /** What TRIM takes without an error; comparisons of CHAR trim blanks. */
  private static boolean isCharacter(RexNode cut) {
    String text = cut instanceof RexLiteral literal ? literal.getValueAs(String.class) : null;
    return text != null && text.codePointCount(0, text.length()) == 1;
  }
}
