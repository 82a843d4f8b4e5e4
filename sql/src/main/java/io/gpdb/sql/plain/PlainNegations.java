package io.gpdb.sql.plain;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/** NOT moved into conditions that contain IN, as Calcite's converter does in WHERE and HAVING. */
final class PlainNegations {
  private PlainNegations() {}

  /** The condition with each NOT at its lists; the syntax is not changed. */
  static SqlNode pushed(SqlNode condition) {
    if (!(condition instanceof SqlCall call) || !SqlUtil.containsIn(call)) {
      return condition;
    }
    return switch (call.getKind()) {
      case AND, OR ->
          call.getOperator()
              .createCall(
                  call.getParserPosition(),
                  call.getOperandList().stream().map(PlainNegations::pushed).toList());
      case NOT -> negated(call);
      default -> call;
    };
  }

  private static SqlNode negated(SqlCall not) {
    if (!(not.operand(0) instanceof SqlCall call)) {
      return not;
    }
    return switch (call.getKind()) {
      case CASE -> throw NotPlain.here();
      case AND -> ofNegated(SqlStdOperatorTable.OR, call);
      case OR -> ofNegated(SqlStdOperatorTable.AND, call);
      case NOT -> pushed(call.operand(0));
      case IN -> SqlStdOperatorTable.NOT_IN.createCall(SqlParserPos.ZERO, call.getOperandList());
      case NOT_IN -> SqlStdOperatorTable.IN.createCall(SqlParserPos.ZERO, call.getOperandList());
      default -> not;
    };
  }

  private static SqlNode ofNegated(SqlOperator operator, SqlCall call) {
    List<SqlNode> operands =
        call.getOperandList().stream()
            .map(node -> SqlStdOperatorTable.NOT.createCall(SqlParserPos.ZERO, node))
            .map(PlainNegations::pushed)
            .toList();
    return operator.createCall(SqlParserPos.ZERO, operands);
  }
}
