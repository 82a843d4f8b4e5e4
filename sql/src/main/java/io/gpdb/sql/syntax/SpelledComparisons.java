package io.gpdb.sql.syntax;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlBetweenOperator;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * Comparisons of rows, with parameters in a list of rows, and with ANY or ALL of a list, written as
 * comparisons of values: {@code (a, b) < (c, d)} is {@code a < c OR (a = c AND b < d)}. So operands
 * of different types mean in them what they mean in a comparison of two values. Calcite casts in
 * neither where one operand is NULL or the types of a list differ.
 */
public final class SpelledComparisons {
  private SpelledComparisons() {}

  /** The node spelled out, or itself. */
  public static @Nullable SqlNode of(@Nullable SqlNode node) {
    if (node instanceof SqlCall call
        && call.getOperator() instanceof SqlBetweenOperator between
        && isRow(call.operand(0))) {
      return ofRange(call, between);
    }
    if (!(node instanceof SqlCall call) || call.operandCount() != 2) {
      return node;
    }
    SqlNode left = call.operand(0);
    SqlNode right = call.operand(1);
    if (isMembership(call.getKind())
        && isRow(left)
        && right instanceof SqlNodeList rows
        && isOfRows(rows)
        && NodeSearch.hasParameter(rows)) {
      return ofMembership(call, ((SqlCall) left).getOperandList(), rows);
    }
    if (call.getOperator() instanceof SqlQuantifyOperator quantified) {
      return right instanceof SqlNodeList list
              && list.stream().noneMatch(value -> value.isA(SqlKind.QUERY))
          ? ofList(call, quantified, left, list)
          : node;
    }
    return isComparison(call.getKind()) && isRow(left) && isRow(right)
        ? ofRows(call, ((SqlCall) left).getOperandList(), ((SqlCall) right).getOperandList())
        : node;
  }

  private static boolean isRow(SqlNode node) {
    return node.getKind() == SqlKind.ROW;
  }

  static boolean isComparison(SqlKind kind) {
    return switch (kind) {
      case EQUALS,
          NOT_EQUALS,
          LESS_THAN,
          LESS_THAN_OR_EQUAL,
          GREATER_THAN,
          GREATER_THAN_OR_EQUAL,
          IS_DISTINCT_FROM,
          IS_NOT_DISTINCT_FROM ->
          true;
      default -> false;
    };
  }

  private static boolean isMembership(SqlKind kind) {
    return kind == SqlKind.IN || kind == SqlKind.NOT_IN;
  }

  private static boolean isOfRows(SqlNodeList list) {
    return !list.isEmpty() && list.stream().allMatch(SpelledComparisons::isRow);
  }

  /** A row in a list of rows with parameters, each of which is compared with one column. */
  private static SqlNode ofMembership(SqlCall call, List<SqlNode> left, SqlNodeList rows) {
    SqlParserPos at = call.getParserPosition();
    boolean in = call.getKind() == SqlKind.IN;
    SqlOperator compared = in ? SqlStdOperatorTable.EQUALS : SqlStdOperatorTable.NOT_EQUALS;
    List<SqlNode> all = new ArrayList<>();
    for (SqlNode row : rows) {
      List<SqlNode> values = ((SqlCall) row).getOperandList();
      if (values.size() != left.size()) {
        return call; // Calcite's error
      }
      List<SqlNode> pairs = new ArrayList<>();
      for (int i = 0; i < values.size(); i++) {
        SqlNode own = all.isEmpty() ? left.get(i) : OwnNodes.copy(left.get(i));
        pairs.add(compared.createCall(at, own, values.get(i)));
      }
      all.add(joined(in ? SqlStdOperatorTable.AND : SqlStdOperatorTable.OR, pairs, at));
    }
    return joined(in ? SqlStdOperatorTable.OR : SqlStdOperatorTable.AND, all, at);
  }

  private static SqlNode ofRows(SqlCall call, List<SqlNode> left, List<SqlNode> right) {
    if (left.size() != right.size()) {
      return call; // Calcite's error
    }
    SqlParserPos at = call.getParserPosition();
    return switch (call.getKind()) {
      case EQUALS, IS_NOT_DISTINCT_FROM -> each(call, left, right, SqlStdOperatorTable.AND);
      case NOT_EQUALS, IS_DISTINCT_FROM -> each(call, left, right, SqlStdOperatorTable.OR);
      case LESS_THAN, LESS_THAN_OR_EQUAL ->
          inOrder(call, SqlStdOperatorTable.LESS_THAN, left, right, at);
      default -> inOrder(call, SqlStdOperatorTable.GREATER_THAN, left, right, at);
    };
  }

  /** A row between two others: not before the one, not behind the other. */
  private static SqlNode ofRange(SqlCall call, SqlBetweenOperator between) {
    SqlNode within = within(call, 1, 2);
    if (between.flag == SqlBetweenOperator.Flag.SYMMETRIC) {
      SqlParserPos at = call.getParserPosition();
      within =
          SqlStdOperatorTable.OR.createCall(
              at, within, within((SqlCall) OwnNodes.copy(call), 2, 1));
    }
    return between.isNegated()
        ? SqlStdOperatorTable.NOT.createCall(call.getParserPosition(), within)
        : within;
  }

  private static SqlNode within(SqlCall call, int low, int high) {
    SqlParserPos at = call.getParserPosition();
    SqlNode row = call.operand(0);
    SqlOperator least = SqlStdOperatorTable.GREATER_THAN_OR_EQUAL;
    SqlOperator most = SqlStdOperatorTable.LESS_THAN_OR_EQUAL;
    return SqlStdOperatorTable.AND.createCall(
        at,
        least.createCall(at, row, call.<SqlNode>operand(low)),
        most.createCall(at, OwnNodes.copy(row), call.<SqlNode>operand(high)));
  }

  private static SqlNode each(
      SqlCall call, List<SqlNode> left, List<SqlNode> right, SqlOperator joined) {
    SqlParserPos at = call.getParserPosition();
    List<SqlNode> pairs = new ArrayList<>();
    for (int i = 0; i < left.size(); i++) {
      pairs.add(call.getOperator().createCall(at, left.get(i), right.get(i)));
    }
    return joined(joined, pairs, at);
  }

  /** By the first column that differs; the last one decides about equality. */
  private static SqlNode inOrder(
      SqlCall call, SqlOperator strict, List<SqlNode> left, List<SqlNode> right, SqlParserPos at) {
    int last = left.size() - 1;
    SqlNode order = call.getOperator().createCall(at, left.get(last), right.get(last));
    for (int i = last - 1; i >= 0; i--) {
      SqlNode a = left.get(i);
      SqlNode b = right.get(i);
      SqlNode equal = SqlStdOperatorTable.EQUALS.createCall(at, OwnNodes.copy(a), OwnNodes.copy(b));
      order =
          SqlStdOperatorTable.OR.createCall(
              at,
              strict.createCall(at, a, b),
              SqlStdOperatorTable.AND.createCall(at, equal, order));
    }
    return order;
  }

  private static SqlNode ofList(
      SqlCall call, SqlQuantifyOperator quantified, SqlNode left, SqlNodeList list) {
    SqlParserPos at = call.getParserPosition();
    boolean any = quantified.getKind() == SqlKind.SOME;
    if (any && quantified.comparisonKind == SqlKind.EQUALS) {
      return SqlStdOperatorTable.IN.createCall(at, left, list);
    }
    if (!any && quantified.comparisonKind == SqlKind.NOT_EQUALS) {
      return SqlStdOperatorTable.NOT_IN.createCall(at, left, list);
    }
    SqlOperator compared = RexUtil.op(quantified.comparisonKind);
    List<SqlNode> all = new ArrayList<>();
    for (SqlNode value : list) {
      all.add(compared.createCall(at, all.isEmpty() ? left : OwnNodes.copy(left), value));
    }
    return joined(any ? SqlStdOperatorTable.OR : SqlStdOperatorTable.AND, all, at);
  }

  /** A tree of halves, so that a long list is no deep one. */
  static SqlNode joined(SqlOperator operator, List<SqlNode> nodes, SqlParserPos at) {
    if (nodes.size() == 1) {
      return nodes.getFirst();
    }
    int half = nodes.size() / 2;
    return operator.createCall(
        at,
        joined(operator, nodes.subList(0, half), at),
        joined(operator, nodes.subList(half, nodes.size()), at));
  }
}
