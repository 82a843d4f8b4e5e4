package io.gpdb.sql.conversion;

import java.util.Objects;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/** Copies a syntax tree, since validation changes trees in place. */
public final class NodeCopy extends SqlShuttle {
  private static final NodeCopy INSTANCE = new NodeCopy();

  private NodeCopy() {}

  public static SqlNode of(SqlNode node) {
    return Objects.requireNonNull(node.accept(INSTANCE), "a copy");
  }

  @Override
  public @Nullable SqlNode visit(SqlCall call) {
    CallCopyingArgHandler operands = new CallCopyingArgHandler(call, true);
    call.getOperator().acceptCall(this, call, false, operands);
    return operands.result();
  }

  @Override
  public @Nullable SqlNode visit(SqlIdentifier id) {
    return id.clone(id.getParserPosition());
  }

  @Override
  public @Nullable SqlNode visit(SqlDynamicParam parameter) {
    return new SqlDynamicParam(parameter.getIndex(), parameter.getParserPosition());
  }
}
