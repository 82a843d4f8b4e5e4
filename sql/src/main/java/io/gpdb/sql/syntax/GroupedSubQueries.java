package io.gpdb.sql.syntax;

import io.gpdb.sql.validation.OuterReferences;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/**
 * Puts a call around the subqueries of a query that is grouped by one. Calcite's converter keeps
 * the keys as they were validated; within a call the subquery can still be bound to the columns
 * that it reads ({@link OuterReferences}).
 */
public final class GroupedSubQueries extends SqlShuttle {
  /** The value of the subquery itself. */
  public static final SqlFunction KEY =
      new SqlFunction(
          "GROUP_KEY",
          SqlKind.OTHER_FUNCTION,
          ReturnTypes.ARG0,
          null,
          OperandTypes.ANY,
          SqlFunctionCategory.SYSTEM) {
        @Override
        public RelDataType deriveType(
            SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
          return validator.deriveType(scope, call.operand(0));
        }
      };

  private GroupedSubQueries() {}

  /** Changes the query in place. */
  public static void mark(SqlSelect select) {
    SqlNodeList keys = select.getGroup();
    if (keys == null || keys.stream().noneMatch(key -> isSubQueryIn(key, select))) {
      return;
    }
    GroupedSubQueries marks = new GroupedSubQueries();
    select.setGroupBy(marks.all(written(keys, select)));
    select.setSelectList(marks.all(select.getSelectList()));
    SqlNode having = select.getHaving();
    if (having != null) {
      select.setHaving(having.accept(marks));
    }
    SqlNodeList order = select.getOrderList();
    if (order != null) {
      select.setOrderBy(marks.all(order));
    }
  }

  /** The keys, the items themselves in the places of their numbers. */
  private static SqlNodeList written(SqlNodeList keys, SqlSelect select) {
    SqlNodeList written = new SqlNodeList(keys.getParserPosition());
    for (SqlNode key : keys) {
      boolean isNumber = key instanceof SqlNumericLiteral && isSubQueryIn(key, select);
      written.add(isNumber ? OwnNodes.copy(item((SqlNumericLiteral) key, select)) : key);
    }
    return written;
  }

  private static SqlNode item(SqlNumericLiteral number, SqlSelect select) {
    return value(select.getSelectList().get(number.intValue(true) - 1));
  }

  /** Whether a key is a subquery, or the name or number of an item with one in the select list. */
  private static boolean isSubQueryIn(SqlNode key, SqlSelect select) {
    List<SqlNode> items = select.getSelectList();
    return switch (key) {
      case SqlIdentifier id when id.isSimple() ->
          items.stream()
              .anyMatch(item -> isNamed(item, id.getSimple()) && NodeSearch.hasQuery(value(item)));
      case SqlNumericLiteral number when number.isInteger() -> {
        long at = number.longValue(true);
        yield at >= 1 && at <= items.size() && NodeSearch.hasQuery(value(items.get((int) at - 1)));
      }
      case SqlNodeList list -> list.stream().anyMatch(each -> isSubQueryIn(each, select));
      case SqlCall call ->
          isSubQuery(call) || KEY.equals(call.getOperator()) || isSubQueryInSets(call, select);
      default -> false;
    };
  }

  private static boolean isSubQueryInSets(SqlCall key, SqlSelect select) {
    return switch (key.getKind()) {
      case ROLLUP, CUBE, GROUPING_SETS, ROW ->
          key.getOperandList().stream().anyMatch(each -> isSubQueryIn(each, select));
      default -> false;
    };
  }

  private static boolean isNamed(SqlNode item, String name) {
    return item.getKind() == SqlKind.AS
        && ((SqlCall) item).operand(1) instanceof SqlIdentifier alias
        && alias.getSimple().equals(name);
  }

  private static SqlNode value(SqlNode item) {
    return item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
  }

  private static boolean isSubQuery(SqlNode node) {
    return node instanceof SqlCall call
        && ((call.isA(SqlKind.QUERY) && call.getKind() != SqlKind.VALUES)
            || NodeSearch.isSubQuery(call));
  }

  /** Whether the operands are values of rows, not of groups. */
  public static boolean isOfRows(SqlCall call) {
    return switch (call.getKind()) {
      case GROUPING, GROUPING_ID -> false;
      default -> call.getOperator().isAggregator();
    };
  }

  /** The subquery, in whose left side, which it is compared with, others are marked. */
  private SqlCall compared(SqlCall call) {
    if (call.isA(SqlKind.QUERY) || call.operandCount() != 2) {
      return call;
    }
    SqlNode left = call.<SqlNode>operand(0).accept(this);
    return call.getOperator().createCall(call.getParserPosition(), left, call.operand(1));
  }

  private SqlNodeList all(SqlNodeList nodes) {
    SqlNodeList marked = new SqlNodeList(nodes.getParserPosition());
    for (SqlNode node : nodes) {
      marked.add(Objects.requireNonNull(node.accept(this)));
    }
    return marked;
  }

  @Override
  public @Nullable SqlNode visit(SqlCall call) {
    if (isSubQuery(call)) {
      return KEY.createCall(call.getParserPosition(), compared(call));
    }
    if (call.getKind() == SqlKind.OVER && call.operand(0) instanceof SqlCall function) {
      SqlNode window = call.<SqlNode>operand(1).accept(this);
      return call.getOperator().createCall(call.getParserPosition(), super.visit(function), window);
    }
    boolean kept = call.isA(SqlKind.QUERY) || KEY.equals(call.getOperator());
    return kept || isOfRows(call) ? call : super.visit(call);
  }
}
