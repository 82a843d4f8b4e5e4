package io.gpdb.sql.syntax;

import io.gpdb.sql.dialect.GroupingFunction;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/** GROUPING in the arguments of a function over a window, as {@link GroupingFunction}. */
public final class GroupingInWindows extends SqlShuttle {
  private static final Set<String> NAMES = Set.of("GROUPING", "GROUPING_ID");

  private GroupingInWindows() {}

  /** The node written so, or itself. */
  public static @Nullable SqlNode of(@Nullable SqlNode node) {
    if (node instanceof SqlCall over
        && over.getKind() == SqlKind.OVER
        && over.operand(0) instanceof SqlCall function) {
      over.setOperand(0, function.accept(new GroupingInWindows()));
    }
    return node;
  }

  @Override
  public @Nullable SqlNode visit(SqlCall call) {
    if (call.isA(SqlKind.QUERY)) {
      return call;
    }
    return NAMES.contains(call.getOperator().getName())
        ? GroupingFunction.IN_WINDOW.createCall(call.getParserPosition(), call.getOperandList())
        : super.visit(call);
  }
}
