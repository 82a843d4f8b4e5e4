package io.gpdb.planner.expression;

import io.gpdb.storage.GpdbException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/**
 * The innermost call of an expression that raises an error for a row, and the error as the host
 * raises it: for messages only.
 */
public record FailingCall(RexNode call, GpdbException error) {

  /** The call behind the expression's error; null when the host raises none for this row. */
  public static @Nullable FailingCall in(RexNode expression, RexBuilder builder, HostRow row) {
    return new Search(new HostCompiler(builder), builder, row).in(expression);
  }

  private record Search(HostCompiler compiler, RexBuilder builder, HostRow row) {
    @Nullable FailingCall in(RexNode node) {
      RexNode plain = node.getKind() == SqlKind.SEARCH ? expanded(node) : node;
      if (!(plain instanceof RexCall call)) {
        return null;
      }
      GpdbException error = null;
      boolean covered = true;
      try {
        compiler.compile(call).evaluate(row);
      } catch (NotCovered e) {
        covered = false;
      } catch (GpdbException e) {
        error = e;
      }
      if (error == null && covered) {
        return null;
      }
      for (RexNode operand : evaluated(call)) {
        FailingCall inner = in(operand);
        if (inner != null) {
          return inner;
        }
      }
      return error == null ? null : new FailingCall(call, error);
    }

    private RexNode expanded(RexNode search) {
      return RexUtil.expandSearch(builder, null, search);
    }

    /** The operands that the row's values let the call reach. */
    private List<RexNode> evaluated(RexCall call) {
      if (call.getKind() != SqlKind.CASE) {
        return call.getOperands();
      }
      List<RexNode> reached = new ArrayList<>();
      List<RexNode> operands = call.getOperands();
      for (int i = 0; i + 1 < operands.size(); i += 2) {
        reached.add(operands.get(i));
        if (!isFalse(operands.get(i))) {
          reached.add(operands.get(i + 1));
          return reached;
        }
      }
      reached.add(operands.getLast());
      return reached;
    }

    private boolean isFalse(RexNode condition) {
      try {
        return !HostValue.isTrue(compiler.compile(condition).evaluate(row));
      } catch (NotCovered | GpdbException e) {
        return false;
      }
    }
  }
}
