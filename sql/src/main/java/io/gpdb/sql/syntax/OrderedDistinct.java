package io.gpdb.sql.syntax;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.jspecify.annotations.Nullable;

/**
 * {@code SELECT DISTINCT … ORDER BY} results with a window as {@code SELECT * FROM (SELECT DISTINCT
 * …) ORDER BY}: Calcite writes out what is ordered by, and then wants the columns of the window in
 * the select list.
 */
public final class OrderedDistinct {
  private OrderedDistinct() {}

  /** The node written so, or itself. */
  public static @Nullable SqlNode of(@Nullable SqlNode node) {
    if (!(node instanceof SqlOrderBy ordered)) {
      return node;
    }
    SqlNode body = ordered.query instanceof SqlWith with ? with.body : ordered.query;
    if (!(body instanceof SqlSelect distinct)
        || !distinct.isDistinct()
        || distinct.getSelectList().stream().noneMatch(NodeSearch::hasWindow)
        || !ordered.orderList.stream().allMatch(key -> isResult(key, distinct))) {
      return node;
    }
    SqlParserPos at = body.getParserPosition();
    SqlNodeList all = SqlNodeList.of(SqlIdentifier.star(at));
    SqlNode select =
        new SqlSelect(at, null, all, body, null, null, null, null, null, null, null, null, null);
    if (ordered.query instanceof SqlWith with) {
      select = new SqlWith(with.getParserPosition(), with.withList, select);
    }
    return new SqlOrderBy(
        ordered.getParserPosition(), select, ordered.orderList, ordered.offset, ordered.fetch);
  }

  /** Whether a key is the number of a result, or the name that one result has. */
  private static boolean isResult(SqlNode key, SqlSelect select) {
    return switch (key.getKind()) {
      case DESCENDING, NULLS_FIRST, NULLS_LAST -> isResult(((SqlCall) key).operand(0), select);
      default ->
          key instanceof SqlNumericLiteral
              || (key instanceof SqlIdentifier id
                  && id.isSimple()
                  && select.getSelectList().stream()
                          .filter(item -> id.getSimple().equals(SqlValidatorUtil.alias(item)))
                          .count()
                      == 1);
    };
  }
}
