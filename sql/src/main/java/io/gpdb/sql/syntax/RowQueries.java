package io.gpdb.sql.syntax;

import io.gpdb.sql.dialect.MatchOperator;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * Predicates over whole rows of a query, written as those that Calcite converts: {@code (a, b) =
 * (query)} as the row of two queries of one column each, so that no row is NULLs and two are an
 * error, {@code UNIQUE (query)} as no group of its rows without NULLs that has two, and {@code
 * MATCH (query)} as IN, or as the number of its rows that match. {@code (a, b) IS NOT NULL} is that
 * of each value.
 */
public final class RowQueries {
  private static final String TABLE = "$ROW";

  private final QueryColumns columns;

  public RowQueries(QueryColumns columns) {
    this.columns = columns;
  }

  /** The node written so, or itself. */
  public @Nullable SqlNode of(@Nullable SqlNode node) {
    if (!(node instanceof SqlCall call)) {
      return node;
    }
    if (node.getKind() == SqlKind.UNIQUE && call.operandCount() == 1) {
      int count = columns.count(call.operand(0));
      return count > 0 ? unique(call.operand(0), count, call.getParserPosition()) : node;
    }
    if (call.getOperator() instanceof MatchOperator match) {
      return matched(call, match);
    }
    if (node.getKind() == SqlKind.IS_NULL || node.getKind() == SqlKind.IS_NOT_NULL) {
      return ofEach(call);
    }
    if (!SpelledComparisons.isComparison(node.getKind()) || call.operandCount() != 2) {
      return node;
    }
    SqlNode left = call.operand(0);
    SqlNode right = call.operand(1);
    if (left.getKind() == SqlKind.ROW && right.isA(SqlKind.QUERY)) {
      return compared(call, left, row(right, ((SqlCall) left).operandCount()));
    }
    if (right.getKind() == SqlKind.ROW && left.isA(SqlKind.QUERY)) {
      return compared(call, row(left, ((SqlCall) right).operandCount()), right);
    }
    return node;
  }

  /** IS NULL, or IS NOT NULL, of each value of a row: neither is the negation of the other. */
  private SqlNode ofEach(SqlCall call) {
    SqlParserPos at = call.getParserPosition();
    SqlNode tested = call.operand(0);
    int count = tested.isA(SqlKind.QUERY) ? columns.count(tested) : 0;
    SqlNode row = count > 1 ? row(tested, count) : tested;
    if (row.getKind() != SqlKind.ROW) {
      return call;
    }
    List<SqlNode> each = new ArrayList<>();
    for (SqlNode value : ((SqlCall) row).getOperandList()) {
      each.add(ofEach(call.getOperator().createCall(at, value)));
    }
    return SpelledComparisons.joined(SqlStdOperatorTable.AND, each, at);
  }

  private static SqlNode compared(SqlCall call, SqlNode left, SqlNode right) {
    return call.getOperator().createCall(call.getParserPosition(), left, right);
  }

  /** A row of queries, each of one of the query's columns. */
  private static SqlNode row(SqlNode query, int columns) {
    SqlParserPos at = query.getParserPosition();
    List<SqlNode> values = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      SqlNode own = i == 0 ? query : OwnNodes.copy(query);
      values.add(select(new SqlNodeList(List.of(column(i, at)), at), own, columns, at));
    }
    return SqlStdOperatorTable.ROW.createCall(at, values);
  }

  private static SqlNode unique(SqlNode query, int columns, SqlParserPos at) {
    SqlNodeList keys = new SqlNodeList(at);
    @Nullable SqlNode known = null;
    for (int i = 0; i < columns; i++) {
      keys.add(column(i, at));
      SqlNode isKnown = SqlStdOperatorTable.IS_NOT_NULL.createCall(at, column(i, at));
      known = known == null ? isKnown : SqlStdOperatorTable.AND.createCall(at, known, isKnown);
    }
    SqlNode count = SqlStdOperatorTable.COUNT.createCall(at, SqlIdentifier.star(at));
    SqlNode one = SqlLiteral.createExactNumeric("1", at);
    SqlSelect groups = select(new SqlNodeList(List.of(one), at), query, columns, at);
    groups.setWhere(known);
    groups.setGroupBy(keys);
    groups.setHaving(SqlStdOperatorTable.GREATER_THAN.createCall(at, count, one.clone(at)));
    return SqlStdOperatorTable.NOT.createCall(
        at, SqlStdOperatorTable.EXISTS.createCall(at, groups));
  }

  private static SqlNode matched(SqlCall call, MatchOperator match) {
    SqlParserPos at = call.getParserPosition();
    SqlNode left = call.operand(0);
    SqlNode query = call.operand(1);
    List<SqlNode> row =
        left.getKind() == SqlKind.ROW ? ((SqlCall) left).getOperandList() : List.of(left);
    boolean simple = match.match() == MatchOperator.Kind.SIMPLE;
    List<SqlNode> nulls = new ArrayList<>();
    for (SqlNode value : row) {
      nulls.add(SqlStdOperatorTable.IS_NULL.createCall(at, OwnNodes.copy(value)));
    }
    SqlNode unknown = joined(simple ? SqlStdOperatorTable.OR : SqlStdOperatorTable.AND, nulls, at);
    SqlNode found;
    if (match.isUnique() || match.match() == MatchOperator.Kind.PARTIAL) {
      SqlNode count = count(row, query, match.match() == MatchOperator.Kind.PARTIAL, at);
      SqlNode limit = SqlLiteral.createExactNumeric(match.isUnique() ? "1" : "0", at);
      found =
          (match.isUnique() ? SqlStdOperatorTable.EQUALS : SqlStdOperatorTable.GREATER_THAN)
              .createCall(at, count, limit);
    } else {
      found =
          SqlStdOperatorTable.IS_TRUE.createCall(
              at, SqlStdOperatorTable.IN.createCall(at, left, query));
    }
    return SqlStdOperatorTable.OR.createCall(at, unknown, found);
  }

  /** How many rows of the query equal the row, in whose NULLs anything may be. */
  private static SqlNode count(List<SqlNode> row, SqlNode query, boolean any, SqlParserPos at) {
    List<SqlNode> equal = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      SqlNode value = row.get(i);
      SqlNode same = SqlStdOperatorTable.EQUALS.createCall(at, column(i, at), OwnNodes.copy(value));
      SqlNode isNull = SqlStdOperatorTable.IS_NULL.createCall(at, OwnNodes.copy(value));
      equal.add(any ? SqlStdOperatorTable.OR.createCall(at, isNull, same) : same);
    }
    SqlNode all = SqlStdOperatorTable.COUNT.createCall(at, SqlIdentifier.star(at));
    SqlSelect count = select(new SqlNodeList(List.of(all), at), query, row.size(), at);
    count.setWhere(joined(SqlStdOperatorTable.AND, equal, at));
    return count;
  }

  private static SqlNode joined(SqlOperator operator, List<SqlNode> nodes, SqlParserPos at) {
    SqlNode all = nodes.getFirst();
    for (SqlNode node : nodes.subList(1, nodes.size())) {
      all = operator.createCall(at, all, node);
    }
    return all;
  }

  private static SqlSelect select(SqlNodeList items, SqlNode query, int columns, SqlParserPos at) {
    List<SqlNode> as = new ArrayList<>(List.of(query, new SqlIdentifier(TABLE, at)));
    for (int i = 0; i < columns; i++) {
      as.add(column(i, at));
    }
    SqlBasicCall from = (SqlBasicCall) SqlStdOperatorTable.AS.createCall(at, as);
    return new SqlSelect(
        at, null, items, from, null, null, null, null, null, null, null, null, null);
  }

  private static SqlIdentifier column(int index, SqlParserPos at) {
    return new SqlIdentifier(TABLE + index, at);
  }
}
