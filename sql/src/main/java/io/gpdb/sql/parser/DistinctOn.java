package io.gpdb.sql.parser;

import java.util.Objects;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * {@code SELECT DISTINCT ON (a, …)}: of the rows with the same values the first one, by the ORDER
 * BY of the query. It becomes a QUALIFY by the row's number among those, whose order is known when
 * the ORDER BY behind the SELECT has been read.
 */
public final class DistinctOn {
  private DistinctOn() {}

  /** A SELECT whose rows are numbered in that window. */
  private static final class Numbered extends SqlSelect {
    private final SqlWindow window;

    Numbered(SqlSelect select, SqlWindow window, SqlNode isFirst) {
      super(
          select.getParserPosition(),
          null,
          select.getSelectList(),
          select.getFrom(),
          select.getWhere(),
          select.getGroup(),
          select.getHaving(),
          select.getWindowList(),
          isFirst,
          null,
          null,
          null,
          null);
      this.window = window;
    }
  }

  /** The first rows for each of the values, in no order yet. */
  public static SqlSelect first(SqlSelect select, SqlNodeList values) {
    SqlParserPos at = values.getParserPosition();
    if (select.getQualify() != null) {
      throw ParseErrors.refused("DISTINCT ON with QUALIFY", at);
    }
    SqlNodeList partition = new SqlNodeList(at);
    values.forEach(value -> partition.add(meant(value, select.getSelectList())));
    SqlWindow window =
        SqlWindow.create(
            null,
            null,
            partition,
            new SqlNodeList(at),
            SqlLiteral.createBoolean(false, at),
            null,
            null,
            null,
            at);
    SqlNode number =
        SqlStdOperatorTable.OVER.createCall(
            at, SqlStdOperatorTable.ROW_NUMBER.createCall(at), window);
    return new Numbered(
        select,
        window,
        SqlStdOperatorTable.EQUALS.createCall(at, number, SqlLiteral.createExactNumeric("1", at)));
  }

  /** The query, after its ORDER BY has become the order of the rows that are numbered. */
  public static SqlOrderBy ordered(SqlOrderBy query) {
    SqlNode rows = query.query instanceof SqlWith with ? with.body : query.query;
    if (rows instanceof Numbered numbered) {
      SqlNodeList order = new SqlNodeList(query.orderList.getParserPosition());
      query.orderList.forEach(key -> order.add(sorted(key, numbered.getSelectList())));
      numbered.window.setOrderList(order);
    }
    return query;
  }

  private static SqlNode sorted(SqlNode key, SqlNodeList items) {
    return switch (key.getKind()) {
      case DESCENDING, NULLS_FIRST, NULLS_LAST -> {
        SqlCall call = (SqlCall) key;
        yield call.getOperator()
            .createCall(key.getParserPosition(), sorted(call.operand(0), items));
      }
      default -> meant(key, items);
    };
  }

  /** What the number or the name of an item of the select list means. */
  private static SqlNode meant(SqlNode key, SqlNodeList items) {
    if (key instanceof SqlNumericLiteral number && number.isInteger()) {
      int item = number.intValue(true);
      if (items.subList(0, Math.clamp(item, 0, items.size())).stream()
          .anyMatch(DistinctOn::isStar)) {
        throw ParseErrors.refused(
            "the number of a column of *, with DISTINCT ON", key.getParserPosition());
      }
      return item < 1 || item > items.size() ? key : withoutAlias(items.get(item - 1));
    }
    if (key instanceof SqlIdentifier name && name.isSimple()) {
      for (SqlNode item : items) {
        if (item.getKind() == SqlKind.AS
            && ((SqlIdentifier) ((SqlCall) item).operand(1)).getSimple().equals(name.getSimple())) {
          return withoutAlias(item);
        }
      }
    }
    return key;
  }

  private static boolean isStar(SqlNode item) {
    return item instanceof SqlIdentifier name && name.isStar();
  }

  private static SqlNode withoutAlias(SqlNode item) {
    return item.getKind() == SqlKind.AS
        ? Objects.requireNonNull(((SqlCall) item).operand(0))
        : item;
  }
}
