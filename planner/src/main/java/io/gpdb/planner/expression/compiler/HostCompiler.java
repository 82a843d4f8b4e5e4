package io.gpdb.planner.expression.compiler;

import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.HostRow;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.expression.host.HostLogic;
import io.gpdb.planner.expression.host.HostOperands;
import io.gpdb.planner.function.MethodCalls;
import io.gpdb.planner.function.MethodOperator;
import io.gpdb.sql.tree.LazyLogic;
import io.gpdb.sql.tree.SubQueryFunction;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Turns row expressions into {@link HostExpression}s, with SQL's nulls, rounding and overflow. */
public final class HostCompiler implements HostOperands {
  private final RexBuilder rexBuilder;
  private final MethodCalls calls;
  private final boolean rowByRow;

  public HostCompiler(RexBuilder rexBuilder) {
    this(rexBuilder, false);
  }

  /**
   * @param rowByRow whether rows evaluate it, subqueries and what makes long texts included; false
   *     where every string of a dictionary may
   */
  public HostCompiler(RexBuilder rexBuilder, boolean rowByRow) {
    this.rexBuilder = rexBuilder;
    this.calls = MethodCalls.ofHost(rexBuilder);
    this.rowByRow = rowByRow;
  }

  @Override
  public HostExpression condition(RexNode node) throws NotCovered {
    return compile(LazyLogic.condition(rexBuilder, node));
  }

  @Override
  public HostExpression compile(RexNode node) throws NotCovered {
    return switch (node) {
      case RexLiteral literal -> {
        Object value = RexValues.literal(literal);
        yield row -> value;
      }
      case RexDynamicParam parameter -> parameter(parameter);
      case RexInputRef input -> {
        int index = input.getIndex();
        yield row -> row.column(index);
      }
      case RexCall call -> call(call);
      default -> throw new NotCovered(node.toString());
    };
  }

  private HostExpression parameter(RexDynamicParam parameter) throws NotCovered {
    int index = parameter.getIndex();
    SqlTypeSpec type = RexValues.spec(parameter.getType());
    return row -> RexValues.value(row.parameters(), index, type);
  }

  private HostExpression call(RexCall call) throws NotCovered {
    if (call.getKind() == SqlKind.SEARCH) {
      return search(call);
    }
    if (call.getOperator() instanceof MethodOperator method) {
      return method(method, operands(call));
    }
    if (rowByRow && call.getOperator() instanceof SubQueryFunction function) {
      List<HostExpression> operands = operands(call);
      return row -> row.subQuery(function, values(operands, row));
    }
    ScalarFunction function = Functions.of(call);
    if (function == null) {
      throw new NotCovered(call.getOperator().getName());
    }
    if (function.host() != null) {
      return function.host().compile(this, call);
    }
    RexNode methods = function.onHost() || rowByRow ? function.calls(calls, call) : null;
    if (methods != null) {
      return compile(methods);
    }
    if (function.strict() && hasNull(call)) {
      return row -> null;
    }
    throw new NotCovered(call.getOperator().getName());
  }

  /** Ranges of a value, which is computed once for all of them. */
  private HostExpression search(RexCall call) throws NotCovered {
    RexNode operand = call.getOperands().getFirst();
    if (operand instanceof RexInputRef) {
      return compile(RexUtil.expandSearch(rexBuilder, null, call));
    }
    RexNode ranges =
        rexBuilder.makeCall(
            call.getType(),
            SqlStdOperatorTable.SEARCH,
            List.of(rexBuilder.makeInputRef(operand.getType(), 0), call.getOperands().get(1)));
    return HostLogic.ofOne(
        compile(operand), compile(RexUtil.expandSearch(rexBuilder, null, ranges)));
  }

  /** Whether an operand is NULL of no type, for which there may be no method. */
  private static boolean hasNull(RexCall call) {
    return call.getOperands().stream()
        .anyMatch(operand -> operand.getType().getSqlTypeName() == SqlTypeName.NULL);
  }

  /** As in kernels, all operands are evaluated, and raise their errors, where one is NULL. */
  private static HostExpression method(MethodOperator method, List<HostExpression> operands) {
    return row -> {
      Object[] values = new Object[operands.size()];
      boolean hasNull = false;
      for (int i = 0; i < values.length; i++) {
        Object value = operands.get(i).evaluate(row);
        if (value == null) {
          hasNull = true;
        } else {
          values[i] = value;
        }
      }
      return hasNull ? null : method.call(values);
    };
  }

  private static @Nullable Object[] values(List<HostExpression> expressions, HostRow row) {
    @Nullable Object[] values = new Object[expressions.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = expressions.get(i).evaluate(row);
    }
    return values;
  }
}
