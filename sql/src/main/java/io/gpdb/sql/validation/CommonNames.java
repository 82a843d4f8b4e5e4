package io.gpdb.sql.validation;

import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWindow;
import org.jspecify.annotations.Nullable;

/**
 * Replaces names of columns without a table in an expression, in place, but not in its subqueries.
 *
 * @param value what is in the place of a name, null for the name itself
 */
record CommonNames(Function<SqlIdentifier, @Nullable SqlNode> value) {
  CommonNames except(Predicate<String> kept) {
    return new CommonNames(id -> kept.test(id.getSimple()) ? null : value.apply(id));
  }

  @Nullable SqlNode replacedOrNull(@Nullable SqlNode node) {
    return node == null ? null : replaced(node);
  }

  SqlNode replaced(SqlNode node) {
    switch (node) {
      case SqlIdentifier id when id.isSimple() && !id.isStar() -> {
        SqlNode own = value.apply(id);
        return own == null ? id : own;
      }
      case SqlNodeList list -> replaceAll(list);
      case SqlCall call when !call.isA(SqlKind.QUERY) || call.getKind() == SqlKind.VALUES ->
          replaceOperands(call);
      default -> {}
    }
    return node;
  }

  @SuppressWarnings("ReferenceEquality") // what is replaced is another node
  void replaceAll(@Nullable SqlNodeList nodes) {
    for (int i = 0; nodes != null && i < nodes.size(); i++) {
      SqlNode node = nodes.get(i);
      SqlNode own = replacedOrNull(node);
      if (own != node) {
        nodes.set(i, own);
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // what is replaced is another node
  private void replaceOperands(SqlCall call) {
    for (int i = 0; i < call.operandCount(); i++) {
      SqlNode operand = call.operand(i);
      SqlNode own = operand == null || isName(call, i) ? operand : replaced(operand);
      if (own != operand) {
        call.setOperand(i, own);
      }
    }
  }

  /** Whether an operand is a name of something else than a column. */
  private static boolean isName(SqlCall call, int operand) {
    return switch (call.getKind()) {
      case AS, ARGUMENT_ASSIGNMENT, DOT -> operand > 0;
      case OVER -> operand > 0 && call.operand(operand) instanceof SqlIdentifier;
      case WINDOW -> call instanceof SqlWindow && operand < 2;
      case NEXT_VALUE, CURRENT_VALUE -> true;
      default -> false;
    };
  }
}
