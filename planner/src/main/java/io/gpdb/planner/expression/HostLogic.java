package io.gpdb.planner.expression;

import java.util.List;
import java.util.function.IntPredicate;
import org.apache.calcite.rex.RexCall;
import org.jspecify.annotations.Nullable;

/** Three-valued logic and comparisons on the host. */
final class HostLogic {
  private HostLogic() {}

  static @Nullable HostExpression compile(RexCall call, List<HostExpression> o) {
    return switch (call.getKind()) {
      case AND -> row -> and(o, row);
      case OR -> row -> or(o, row);
      case NOT ->
          row -> {
            Object value = o.getFirst().evaluate(row);
            return value == null ? null : !(Boolean) value;
          };
      case EQUALS -> comparison(o, c -> c == 0);
      case NOT_EQUALS -> comparison(o, c -> c != 0);
      case LESS_THAN -> comparison(o, c -> c < 0);
      case LESS_THAN_OR_EQUAL -> comparison(o, c -> c <= 0);
      case GREATER_THAN -> comparison(o, c -> c > 0);
      case GREATER_THAN_OR_EQUAL -> comparison(o, c -> c >= 0);
      case IS_NULL -> row -> o.getFirst().evaluate(row) == null;
      case IS_NOT_NULL -> row -> o.getFirst().evaluate(row) != null;
      case IS_TRUE -> row -> HostValue.isTrue(o.getFirst().evaluate(row));
      case IS_NOT_TRUE -> row -> !HostValue.isTrue(o.getFirst().evaluate(row));
      case IS_FALSE -> row -> Boolean.FALSE.equals(o.getFirst().evaluate(row));
      case IS_NOT_FALSE -> row -> !Boolean.FALSE.equals(o.getFirst().evaluate(row));
      case IS_DISTINCT_FROM -> row -> !same(o, row);
      case IS_NOT_DISTINCT_FROM -> row -> same(o, row);
      default -> null;
    };
  }

  private static @Nullable Object and(List<HostExpression> operands, HostRow row) {
    boolean unknown = false;
    for (HostExpression operand : operands) {
      Object value = operand.evaluate(row);
      if (value == null) {
        unknown = true;
      } else if (!(Boolean) value) {
        return false;
      }
    }
    return unknown ? null : true;
  }

  private static @Nullable Object or(List<HostExpression> operands, HostRow row) {
    boolean unknown = false;
    for (HostExpression operand : operands) {
      Object value = operand.evaluate(row);
      if (value == null) {
        unknown = true;
      } else if ((Boolean) value) {
        return true;
      }
    }
    return unknown ? null : false;
  }

  private static HostExpression comparison(List<HostExpression> operands, IntPredicate holds) {
    HostExpression left = operands.get(0);
    HostExpression right = operands.get(1);
    return row -> {
      Object a = left.evaluate(row);
      Object b = right.evaluate(row);
      return (a == null || b == null) ? null : holds.test(compare(a, b));
    };
  }

  /** Calcite compares numbers of different types where their order is the same. */
  static int compare(Object a, Object b) {
    if (a.getClass() == b.getClass()) {
      return HostValue.compare(a, b);
    }
    if (a instanceof Number x && b instanceof Number y) {
      return isFloating(a) || isFloating(b)
          ? HostValue.compare(x.doubleValue(), y.doubleValue())
          : HostArithmetic.decimal(a).compareTo(HostArithmetic.decimal(b));
    }
    return HostValue.compare(a, b);
  }

  private static boolean isFloating(Object value) {
    return value instanceof Double || value instanceof Float;
  }

  private static boolean same(List<HostExpression> operands, HostRow row) {
    Object a = operands.get(0).evaluate(row);
    Object b = operands.get(1).evaluate(row);
    if (a == null || b == null) {
      return a == null && b == null;
    }
    return compare(a, b) == 0;
  }
}
