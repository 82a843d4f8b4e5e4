package io.gpdb.sql.tree;

import io.gpdb.sql.dialect.KeptValue;
import io.gpdb.sql.dialect.RequiredValue;
import io.gpdb.sql.dialect.TypeMark;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;

/**
 * Finds which expressions are of distinct types. Whatever is not known to take values of such types
 * takes none.
 */
final class DistinctExpressions {
  private final DistinctTypes queries;

  DistinctExpressions(DistinctTypes queries) {
    this.queries = queries;
  }

  /** The type of an expression over a row of fields of those types; throws 42804. */
  ValueType type(RexNode node, List<ValueType> row) {
    return switch (node) {
      case RexInputRef column -> row.get(column.getIndex());
      case RexFieldAccess field -> outer(field);
      case RexDynamicParam _ -> ValueType.OPEN;
      case RexLiteral literal -> literal.isNull() ? ValueType.OPEN : ValueType.PLAIN;
      case RexSubQuery query -> subQuery(query, row);
      case RexOver over -> {
        over.getWindow().partitionKeys.forEach(key -> type(key, row));
        over.getWindow().orderKeys.forEach(key -> type(key.left, row));
        yield aggregate(over.getAggOperator(), types(over.getOperands(), row));
      }
      case RexCall call -> call(call, row);
      default -> ValueType.PLAIN;
    };
  }

  private List<ValueType> types(List<RexNode> nodes, List<ValueType> row) {
    return nodes.stream().map(node -> type(node, row)).toList();
  }

  private ValueType outer(RexFieldAccess field) {
    return field.getReferenceExpr() instanceof RexCorrelVariable variable
        ? queries.row(variable.id).get(field.getField().getIndex())
        : ValueType.PLAIN;
  }

  private ValueType subQuery(RexSubQuery query, List<ValueType> row) {
    List<ValueType> fields = queries.fields(query.rel);
    if (query.getKind() == SqlKind.SCALAR_QUERY) {
      return fields.getFirst();
    }
    for (int i = 0; i < query.getOperands().size(); i++) {
      ValueType.common(List.of(type(query.getOperands().get(i), row), fields.get(i)));
    }
    return ValueType.PLAIN;
  }

  private ValueType call(RexCall call, List<ValueType> row) {
    List<RexNode> operands = call.getOperands();
    if (call.isA(SqlKind.COMPARISON) && operands.stream().anyMatch(o -> o.isA(SqlKind.ROW))) {
      compareRows(call, row);
      return ValueType.PLAIN;
    }
    List<ValueType> types = types(operands, row);
    if (call.getOperator() instanceof TypeMark mark) {
      return marked(types.getFirst(), mark);
    }
    if (KeptValue.is(call) || call.getOperator().getName().equals(RequiredValue.NAME)) {
      return types.getFirst();
    }
    return switch (call.getKind()) {
      case EQUALS,
          NOT_EQUALS,
          LESS_THAN,
          LESS_THAN_OR_EQUAL,
          GREATER_THAN,
          GREATER_THAN_OR_EQUAL,
          IS_DISTINCT_FROM,
          IS_NOT_DISTINCT_FROM,
          BETWEEN -> {
        ValueType.common(types);
        yield ValueType.PLAIN;
      }
      case SEARCH -> {
        types.getFirst().requirePlain("a comparison with constants");
        yield ValueType.PLAIN;
      }
      case CASE -> ValueType.common(results(types));
      case COALESCE, GREATEST, LEAST, NULLIF -> ValueType.common(types);
      case CAST -> types.getFirst(); // one that types of SQL need: others have a mark
      case IS_NULL, IS_NOT_NULL -> ValueType.PLAIN;
      default -> {
        types.forEach(type -> type.requirePlain(call.getOperator().getName()));
        yield ValueType.PLAIN;
      }
    };
  }

  private static ValueType marked(ValueType value, TypeMark mark) {
    if (mark.from() != null) {
      ValueType.common(List.of(value, ValueType.of(mark.from())));
    }
    value.requireAssignable(mark.type());
    return mark.type() == null ? ValueType.PLAIN : ValueType.of(mark.type());
  }

  /** What CASE chooses among: every other operand, and the last. */
  private static List<ValueType> results(List<ValueType> operands) {
    List<ValueType> results = new ArrayList<>();
    for (int i = 1; i < operands.size(); i += 2) {
      results.add(operands.get(i));
    }
    results.add(operands.getLast());
    return results;
  }

  private void compareRows(RexCall call, List<ValueType> row) {
    RexNode left = call.getOperands().getFirst();
    RexNode right = call.getOperands().getLast();
    List<ValueType> one = ofRow(left, row);
    List<ValueType> other = ofRow(right, row);
    for (int i = 0; i < one.size() && one.size() == other.size(); i++) {
      ValueType.common(List.of(one.get(i), other.get(i)));
    }
    if (one.size() != other.size()) {
      one.forEach(type -> type.requirePlain("a comparison of rows"));
      other.forEach(type -> type.requirePlain("a comparison of rows"));
    }
  }

  private List<ValueType> ofRow(RexNode node, List<ValueType> row) {
    return node.isA(SqlKind.ROW)
        ? types(((RexCall) node).getOperands(), row)
        : List.of(type(node, row));
  }

  /** The type of an aggregate or of a function over a window. */
  static ValueType aggregate(SqlAggFunction function, List<ValueType> arguments) {
    return switch (function.getKind()) {
      case COUNT, GROUPING, GROUPING_ID, GROUP_ID -> ValueType.PLAIN;
      case MIN, MAX, ANY_VALUE, SINGLE_VALUE, FIRST_VALUE, LAST_VALUE, NTH_VALUE, MODE -> {
        arguments.stream().skip(1).forEach(type -> type.requirePlain(function.getName()));
        yield arguments.getFirst();
      }
      case LAG, LEAD -> {
        List<ValueType> results = new ArrayList<>(arguments);
        if (results.size() > 1) {
          results.remove(1).requirePlain(function.getName());
        }
        yield ValueType.common(results);
      }
      default -> {
        arguments.forEach(type -> type.requirePlain(function.getName()));
        yield ValueType.PLAIN;
      }
    };
  }
}
