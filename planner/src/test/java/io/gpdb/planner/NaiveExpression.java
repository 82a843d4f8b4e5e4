package io.gpdb.planner;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.util.NlsString;

/** The value of an expression at one row, with the rows of enclosing queries. */
final class NaiveExpression {
  private final NaiveEvaluator queries;
  private final Object[] row;
  private final Map<CorrelationId, Object[]> outer;

  NaiveExpression(NaiveEvaluator queries, Object[] row, Map<CorrelationId, Object[]> outer) {
    this.queries = queries;
    this.row = row;
    this.outer = outer;
  }

  Object value(RexNode node) {
    return switch (node) {
      case RexInputRef field -> row[field.getIndex()];
      case RexLiteral literal -> literal(literal);
      case RexFieldAccess access -> {
        Object[] bound = outer.get(((RexCorrelVariable) access.getReferenceExpr()).id);
        if (bound == null) {
          throw new UnsupportedOperationException("nothing binds " + access);
        }
        yield bound[access.getField().getIndex()];
      }
      case RexSubQuery query -> subQuery(query);
      case RexCall call -> call(call);
      default -> throw new UnsupportedOperationException(node.toString());
    };
  }

  static Object literal(RexLiteral literal) {
    Object value = RexLiteral.value(literal);
    return switch (value) {
      case BigDecimal number -> number.longValueExact();
      case NlsString text -> text.getValue();
      case null, default -> value;
    };
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  static int compare(Object a, Object b) {
    return ((Comparable) a).compareTo(b);
  }

  private Object subQuery(RexSubQuery query) {
    List<Object[]> rows = queries.rows(query.rel, outer);
    return switch (query.getKind()) {
      case EXISTS -> !rows.isEmpty();
      case SCALAR_QUERY -> {
        if (rows.size() > 1) {
          throw new GpdbException(SqlCondition.CARDINALITY, rows.size() + " rows");
        }
        yield rows.isEmpty() ? null : rows.getFirst()[0];
      }
      case IN, SOME -> {
        SqlKind kind =
            query.getOperator() instanceof SqlQuantifyOperator some
                ? some.comparisonKind
                : SqlKind.EQUALS;
        List<Object> members =
            query.getOperands().stream()
                .map(this::value)
                .collect(java.util.stream.Collectors.toList());
        Boolean any = false;
        for (Object[] candidate : rows) {
          Boolean all = true;
          for (int i = 0; i < members.size(); i++) {
            all = and(all, compared(kind, members.get(i), candidate[i]));
          }
          any = not(and(not(any), not(all)));
        }
        yield any;
      }
      default -> throw new UnsupportedOperationException(query.getKind().toString());
    };
  }

  private static Boolean not(Boolean a) {
    return a == null ? null : !a;
  }

  private static Boolean and(Boolean a, Boolean b) {
    if (Boolean.FALSE.equals(a) || Boolean.FALSE.equals(b)) {
      return false;
    }
    return a == null || b == null ? null : (Boolean) true;
  }

  private static Boolean compared(SqlKind kind, Object a, Object b) {
    if (a == null || b == null) {
      return null;
    }
    int order = compare(a, b);
    return switch (kind) {
      case EQUALS -> order == 0;
      case NOT_EQUALS -> order != 0;
      case LESS_THAN -> order < 0;
      case LESS_THAN_OR_EQUAL -> order <= 0;
      case GREATER_THAN -> order > 0;
      case GREATER_THAN_OR_EQUAL -> order >= 0;
      default -> throw new UnsupportedOperationException(kind.toString());
    };
  }

  private Object call(RexCall call) {
    List<RexNode> operands = call.getOperands();
    return switch (call.getKind()) {
      case AND, OR -> logic(operands, call.getKind() == SqlKind.OR);
      case NOT -> not((Boolean) value(operands.getFirst()));
      case CASE -> {
        for (int i = 0; i + 1 < operands.size(); i += 2) {
          if (Boolean.TRUE.equals(value(operands.get(i)))) {
            yield value(operands.get(i + 1));
          }
        }
        yield value(operands.getLast());
      }
      case SEARCH ->
          value(
              RexUtil.expandSearch(
                  new org.apache.calcite.rex.RexBuilder(
                      new org.apache.calcite.jdbc.JavaTypeFactoryImpl()),
                  null,
                  call));
      case CAST, OTHER_FUNCTION -> value(operands.getFirst()); // numbers have one size, $MEMBER
      case IS_NULL, IS_UNKNOWN -> value(operands.getFirst()) == null;
      case IS_NOT_NULL -> value(operands.getFirst()) != null;
      case IS_TRUE -> Boolean.TRUE.equals(value(operands.getFirst()));
      case IS_NOT_TRUE -> !Boolean.TRUE.equals(value(operands.getFirst()));
      case IS_FALSE -> Boolean.FALSE.equals(value(operands.getFirst()));
      case IS_NOT_FALSE -> !Boolean.FALSE.equals(value(operands.getFirst()));
      case PLUS, MINUS, TIMES, DIVIDE -> arithmetic(call);
      default -> compared(call.getKind(), value(operands.get(0)), value(operands.get(1)));
    };
  }

  /** From left to right, as long as the answer is open. */
  private Boolean logic(List<RexNode> operands, boolean or) {
    Boolean result = true;
    for (RexNode operand : operands) {
      Boolean next = (Boolean) value(operand);
      result = and(result, or ? not(next) : next);
      if (Boolean.FALSE.equals(result)) {
        return or;
      }
    }
    return or ? not(result) : result;
  }

  private Object arithmetic(RexCall call) {
    Long a = (Long) value(call.getOperands().get(0));
    Long b = (Long) value(call.getOperands().get(1));
    if (a == null || b == null) {
      return null;
    }
    return switch (call.getKind()) {
      case PLUS -> a + b;
      case MINUS -> a - b;
      case TIMES -> a * b;
      default -> {
        if (b == 0) {
          throw new GpdbException(SqlCondition.DIVISION_BY_ZERO, "/ 0");
        }
        yield a / b;
      }
    };
  }
}
