package io.gpdb.sql.validation;

import io.gpdb.sql.syntax.GroupedSubQueries;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidator;
import org.jspecify.annotations.Nullable;

/**
 * Writes IN of a list of values, in arguments of aggregates within windows, as comparisons: {@code
 * SUM(SUM(CASE WHEN a IN (1, 2) THEN b END)) OVER ()}. Calcite's converter takes IN for a subquery,
 * which it looks for in the arguments of other aggregates alone.
 */
public final class ListsInWindows {
  /** What is around a node. */
  private enum Place {
    QUERY,
    WINDOW,
    AGGREGATE
  }

  private final SqlValidator validator;

  private ListsInWindows(SqlValidator validator) {
    this.validator = validator;
  }

  /** Changes the validated query in place. */
  public static void writeOut(SqlNode query, SqlValidator validator) {
    new ListsInWindows(validator).within(query, Place.QUERY);
  }

  private void within(@Nullable SqlNode node, Place place) {
    switch (node) {
      case SqlNodeList list -> {
        for (int i = 0; i < list.size(); i++) {
          within(list.get(i), place);
          list.set(i, written(list.get(i), place));
        }
      }
      case SqlCall call -> {
        Place inside = inside(call, place);
        for (int i = 0; i < call.operandCount(); i++) {
          SqlNode operand = call.operand(i);
          if (i == 0 && call.getKind() == SqlKind.OVER && operand instanceof SqlCall function) {
            function.getOperandList().forEach(argument -> within(argument, Place.WINDOW));
          } else {
            within(operand, inside);
          }
          if (operand != null && inside == Place.AGGREGATE && isOfList(operand)) {
            call.setOperand(i, written(operand, inside));
          }
        }
      }
      case null, default -> {}
    }
  }

  private static Place inside(SqlCall call, Place place) {
    if (call.isA(SqlKind.QUERY)) {
      return Place.QUERY;
    }
    if (call.getKind() == SqlKind.OVER) {
      return Place.WINDOW;
    }
    boolean aggregate = call.getKind() == SqlKind.FILTER || GroupedSubQueries.isOfRows(call);
    return place == Place.WINDOW && aggregate ? Place.AGGREGATE : place;
  }

  private static boolean isOfList(SqlNode node) {
    return (node.getKind() == SqlKind.IN || node.getKind() == SqlKind.NOT_IN)
        && node instanceof SqlCall membership
        && membership.operand(0).getKind() != SqlKind.ROW
        && membership.operand(1) instanceof SqlNodeList;
  }

  private SqlNode written(SqlNode node, Place place) {
    if (place != Place.AGGREGATE || !isOfList(node)) {
      return node;
    }
    SqlCall membership = (SqlCall) node;
    SqlParserPos at = membership.getParserPosition();
    RelDataType type = validator.getValidatedNodeTypeIfKnown(membership);
    if (type == null) {
      return node;
    }
    List<SqlNode> comparisons = new ArrayList<>();
    for (SqlNode value : membership.<SqlNodeList>operand(1)) {
      SqlNode equal = SqlStdOperatorTable.EQUALS.createCall(at, membership.operand(0), value);
      comparisons.add(typed(equal, type));
    }
    SqlNode any = any(comparisons, type);
    return membership.getKind() == SqlKind.IN
        ? any
        : typed(SqlStdOperatorTable.NOT.createCall(at, any), type);
  }

  /** OR of all, by halves: a long list is no deep tree. */
  private SqlNode any(List<SqlNode> conditions, RelDataType type) {
    int half = conditions.size() / 2;
    if (half == 0) {
      return conditions.getFirst();
    }
    SqlNode first = any(conditions.subList(0, half), type);
    SqlNode second = any(conditions.subList(half, conditions.size()), type);
    SqlParserPos at = first.getParserPosition();
    return typed(SqlStdOperatorTable.OR.createCall(at, first, second), type);
  }

  private SqlNode typed(SqlNode node, RelDataType type) {
    validator.setValidatedNodeType(node, type);
    return node;
  }
}
