package io.gpdb.sql.syntax;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** {@code TABLE t ORDER BY …} and LIMIT as those of {@code SELECT * FROM t}. */
public final class OrderedTables {
  private OrderedTables() {}

  /** The node written so, or itself. */
  public static @Nullable SqlNode of(@Nullable SqlNode node) {
    if (!(node instanceof SqlOrderBy ordered)
        || ordered.query.getKind() != SqlKind.EXPLICIT_TABLE) {
      return node;
    }
    SqlParserPos at = ordered.query.getParserPosition();
    SqlNodeList all = SqlNodeList.of(SqlIdentifier.star(at));
    SqlNode table = ((SqlCall) ordered.query).operand(0);
    SqlSelect select =
        new SqlSelect(at, null, all, table, null, null, null, null, null, null, null, null, null);
    return new SqlOrderBy(
        ordered.getParserPosition(), select, ordered.orderList, ordered.offset, ordered.fetch);
  }
}
