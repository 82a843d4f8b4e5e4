package io.gpdb.sql.syntax;

import io.gpdb.sql.dialect.CorrespondingOperator;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** Writes CORRESPONDING as a set operation of the columns that it means. */
public final class CorrespondingColumns {
  private static final String LEFT = "$LEFT";
  private static final String RIGHT = "$RIGHT";

  private final QueryColumns columns;

  public CorrespondingColumns(QueryColumns columns) {
    this.columns = columns;
  }

  /** The node written so, or itself. */
  public @Nullable SqlNode of(@Nullable SqlNode node) {
    if (!(node instanceof SqlCall call)
        || !(call.getOperator() instanceof CorrespondingOperator corresponding)) {
      return node;
    }
    List<String> common = columns.common(call, corresponding);
    SqlParserPos at = call.getParserPosition();
    return corresponding
        .operator()
        .createCall(
            at,
            select(common, call.operand(0), LEFT, at),
            select(common, call.operand(1), RIGHT, at));
  }

  private static SqlSelect select(
      List<String> columns, SqlNode query, String alias, SqlParserPos at) {
    SqlNodeList items = new SqlNodeList(at);
    columns.forEach(column -> items.add(new SqlIdentifier(column, at)));
    SqlNode from = SqlStdOperatorTable.AS.createCall(at, query, new SqlIdentifier(alias, at));
    return new SqlSelect(
        at, null, items, from, null, null, null, null, null, null, null, null, null);
  }
}
