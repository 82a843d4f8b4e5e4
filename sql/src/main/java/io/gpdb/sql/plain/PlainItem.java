package io.gpdb.sql.plain;

import java.util.Objects;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * An item of a select list.
 *
 * @param name its name in the query's row
 * @param shown its name in the result
 * @param column the field of the joined row that it is, or -1 for an expression
 */
record PlainItem(SqlNode expression, String name, String shown, int column) {
  /** A plus before anything but a number means nothing, not even that it is an expression. */
  static SqlNode withoutPlus(SqlNode node) {
    return node instanceof SqlCall call
            && call.getKind() == SqlKind.PLUS_PREFIX
            && !(call.operand(0) instanceof SqlLiteral)
        ? withoutPlus(call.operand(0))
        : node;
  }

  /** The expression without pluses, which mean nothing. */
  SqlNode withoutPluses() {
    return withoutPluses(expression);
  }

  private static SqlNode withoutPluses(SqlNode node) {
    return Objects.requireNonNull(
        node.accept(
            new SqlShuttle() {
              @Override
              public @Nullable SqlNode visit(SqlCall call) {
                return call.getKind() == SqlKind.PLUS_PREFIX
                    ? call.operand(0).accept(this)
                    : super.visit(call);
              }
            }));
  }
}
