package io.gpdb.sql.syntax;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * ORDER BY and LIMIT of {@code TABLE t}, and of a query in parentheses that has such clauses
 * itself, as those of {@code SELECT * FROM} it; {@code (SELECT … ORDER BY …) LIMIT n} takes the
 * first rows in that order.
 */
public final class OrderedTables {
  private OrderedTables() {}

  /** The node written so, or itself. */
  public static @Nullable SqlNode of(@Nullable SqlNode node) {
    if (!(node instanceof SqlOrderBy ordered)) {
      return node;
    }
    if (ordered.query instanceof SqlOrderBy inner && isOrderAlone(inner) && !isOrdered(ordered)) {
      return of(
          new SqlOrderBy(
              ordered.getParserPosition(),
              inner.query,
              inner.orderList,
              ordered.offset,
              ordered.fetch));
    }
    SqlNode from = source(ordered.query);
    if (from == null) {
      return node;
    }
    SqlParserPos at = ordered.query.getParserPosition();
    SqlNodeList all = SqlNodeList.of(SqlIdentifier.star(at));
    SqlSelect select =
        new SqlSelect(at, null, all, from, null, null, null, null, null, null, null, null, null);
    return new SqlOrderBy(
        ordered.getParserPosition(), select, ordered.orderList, ordered.offset, ordered.fetch);
  }

  private static boolean isOrdered(SqlOrderBy clauses) {
    return !clauses.orderList.isEmpty();
  }

  private static boolean isOrderAlone(SqlOrderBy clauses) {
    return clauses.offset == null && clauses.fetch == null;
  }

  /** What to select from, or null where the clauses stay with the query. */
  private static @Nullable SqlNode source(SqlNode query) {
    return switch (query.getKind()) {
      case EXPLICIT_TABLE -> ((SqlCall) query).operand(0);
      case ORDER_BY -> query;
      default -> null;
    };
  }
}
