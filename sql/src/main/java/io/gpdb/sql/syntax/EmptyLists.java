package io.gpdb.sql.syntax;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * {@code x IN ()}, which is FALSE whatever x is, NULL too, and {@code x NOT IN ()}, which is TRUE:
 * written as {@code FALSE AND x IS NULL}, and {@code TRUE OR x IS NULL}, so that x is validated.
 */
public final class EmptyLists {
  private EmptyLists() {}

  /** What the call means if it is one of them, else the node. */
  public static @Nullable SqlNode of(@Nullable SqlNode node) {
    if (!(node instanceof SqlCall call)
        || (node.getKind() != SqlKind.IN && node.getKind() != SqlKind.NOT_IN)
        || !(call.operand(1) instanceof SqlNodeList list)
        || !list.isEmpty()) {
      return node;
    }
    SqlParserPos at = call.getParserPosition();
    SqlNode isNull = SqlStdOperatorTable.IS_NULL.createCall(at, call.<SqlNode>operand(0));
    return node.getKind() == SqlKind.IN
        ? SqlStdOperatorTable.AND.createCall(at, SqlLiteral.createBoolean(false, at), isNull)
        : SqlStdOperatorTable.OR.createCall(at, SqlLiteral.createBoolean(true, at), isNull);
  }
}
