package io.gpdb.planner.expression.host;

import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.HostRow;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.expression.StatementTime;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.tree.LazyLogic;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/** Three-valued logic, comparisons and choices on the host. */
public final class HostLogic {
  private HostLogic() {}

  /** Whether something holds of a value that may be NULL. */
  public interface Test {
    boolean holds(@Nullable Object value);
  }

  public static HostExpression and(HostOperands in, RexCall call) throws NotCovered {
    return junction(in, call, false);
  }

  public static HostExpression or(HostOperands in, RexCall call) throws NotCovered {
    return junction(in, call, true);
  }

  private record OneValue(@Nullable Object value, ParameterValues parameters) implements HostRow {
    @Override
    public @Nullable Object column(int index) {
      return value;
    }
  }

  /** What holds of a value, which is column 0 to it and is computed once. */
  public static HostExpression ofOne(HostExpression value, HostExpression holds) {
    return row -> holds.evaluate(new OneValue(value.evaluate(row), row.parameters()));
  }

  /** The call that all operands compare with literals or parameters first; null if none is. */
  private static @Nullable RexCall compared(List<RexNode> operands) {
    if (!(operands.getFirst() instanceof RexCall leader) || leader.getOperands().isEmpty()) {
      return null;
    }
    RexNode first = leader.getOperands().getFirst();
    for (RexNode operand : operands) {
      if (!(operand instanceof RexCall comparison)
          || !comparison.isA(SqlKind.COMPARISON)
          || !comparison.getOperands().getFirst().equals(first)
          || !(comparison.getOperands().get(1) instanceof RexLiteral
              || comparison.getOperands().get(1) instanceof RexDynamicParam)) {
        return null;
      }
    }
    return first instanceof RexCall call && RexUtil.isDeterministic(call) ? call : null;
  }

  private static HostExpression junction(HostOperands in, RexCall call, boolean decisive)
      throws NotCovered {
    RexCall compared = compared(call.getOperands());
    if (compared != null) {
      RexNode one = new RexInputRef(0, compared.getType());
      List<RexNode> comparisons = new ArrayList<>();
      for (RexNode operand : call.getOperands()) {
        RexCall comparison = (RexCall) operand;
        comparisons.add(
            comparison.clone(comparison.getType(), List.of(one, comparison.getOperands().get(1))));
      }
      return ofOne(in.compile(compared), in.compile(call.clone(call.getType(), comparisons)));
    }
    List<HostExpression> operands = new ArrayList<>();
    for (RexNode operand : LazyLogic.ordered(call.getOperands())) {
      operands.add(in.compile(operand));
    }
    return row -> {
      boolean unknown = false;
      for (HostExpression operand : operands) {
        Object value = operand.evaluate(row);
        if (value == null) {
          unknown = true;
        } else if ((Boolean) value == decisive) {
          return decisive;
        }
      }
      return unknown ? null : !decisive;
    };
  }

  public static HostExpression not(HostOperands in, RexCall call) throws NotCovered {
    HostExpression operand = in.operands(call).getFirst();
    return row -> {
      Object value = operand.evaluate(row);
      return value == null ? null : !(Boolean) value;
    };
  }

  public static HostForm test(Test test) {
    return (in, call) -> {
      HostExpression operand = in.operands(call).getFirst();
      return row -> test.holds(operand.evaluate(row));
    };
  }

  public static HostForm comparison(IntPredicate holds) {
    return (in, call) -> {
      List<HostExpression> o = in.operands(call);
      return row -> {
        Object a = o.get(0).evaluate(row);
        Object b = o.get(1).evaluate(row);
        return (a == null || b == null) ? null : holds.test(compare(a, b));
      };
    };
  }

  public static HostForm distinction(boolean distinct) {
    return (in, call) -> {
      List<HostExpression> o = in.operands(call);
      return row -> {
        Object a = o.get(0).evaluate(row);
        Object b = o.get(1).evaluate(row);
        boolean same = (a == null || b == null) ? a == null && b == null : compare(a, b) == 0;
        return same != distinct;
      };
    };
  }

  /** Calcite compares numbers of different types where their order is the same. */
  private static int compare(Object a, Object b) {
    if (a.getClass() != b.getClass() && a instanceof Number x && b instanceof Number y) {
      return isFloating(a) || isFloating(b)
          ? HostValue.compare(x.doubleValue(), y.doubleValue())
          : HostValue.exact(a).compareTo(HostValue.exact(b));
    }
    return HostValue.compare(a, b);
  }

  private static boolean isFloating(Object value) {
    return value instanceof Double || value instanceof Float;
  }

  public static HostExpression caseOf(HostOperands in, RexCall call) throws NotCovered {
    List<HostExpression> operands = new ArrayList<>();
    for (int i = 0; i < call.getOperands().size(); i++) {
      RexNode operand = call.getOperands().get(i);
      boolean tested = i % 2 == 0 && i + 1 < call.getOperands().size();
      operands.add(tested ? in.condition(operand) : in.compile(operand));
    }
    return row -> {
      for (int i = 0; i + 1 < operands.size(); i += 2) {
        if (HostValue.isTrue(operands.get(i).evaluate(row))) {
          return operands.get(i + 1).evaluate(row);
        }
      }
      return operands.getLast().evaluate(row);
    };
  }

  public static HostExpression coalesce(HostOperands in, RexCall call) throws NotCovered {
    List<HostExpression> operands = in.operands(call);
    return row -> {
      for (HostExpression operand : operands) {
        Object value = operand.evaluate(row);
        if (value != null) {
          return value;
        }
      }
      return null;
    };
  }

  /** GREATEST or LEAST: of equal values the later one, as kernels have it. */
  public static HostForm extreme(IntPredicate keeps) {
    return (in, call) -> {
      List<HostExpression> operands = in.operands(call);
      return row -> {
        Object best = null;
        boolean unknown = false;
        for (HostExpression operand : operands) {
          Object value = operand.evaluate(row);
          unknown |= value == null;
          if (value != null && (best == null || !keeps.test(compare(best, value)))) {
            best = value;
          }
        }
        return unknown ? null : best;
      };
    };
  }

  /** Returns the first operand; raises what the others say where the second is FALSE. */
  public static HostExpression required(HostOperands in, RexCall call) throws NotCovered {
    List<HostExpression> operands = in.operands(call);
    SqlCondition error = SqlCondition.valueOf(RexLiteral.stringValue(call.getOperands().get(2)));
    String message = RexLiteral.stringValue(call.getOperands().get(3));
    return row -> {
      if (Boolean.FALSE.equals(operands.get(1).evaluate(row))) {
        throw new GpdbException(error, message);
      }
      return operands.get(0).evaluate(row);
    };
  }

  /** The time of the execution in the type that the call names. */
  public static HostExpression now(HostOperands in, RexCall call) throws NotCovered {
    SqlTypeSpec.Kind kind = RexValues.spec(call.getType()).kind();
    return row -> StatementTime.of(row.parameters(), kind);
  }
}
