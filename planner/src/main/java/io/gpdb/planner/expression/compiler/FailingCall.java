package io.gpdb.planner.expression.compiler;

import io.gpdb.planner.expression.HostRow;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.sql.tree.LazyLogic;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

  /** The same of an expression of which only TRUE counts. */
  public static @Nullable FailingCall inCondition(
      RexNode condition, RexBuilder builder, HostRow row) {
    return in(LazyLogic.condition(builder, condition), builder, row);
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
      return switch (call.getKind()) {
        case AND, OR -> undecided(call);
        case CASE -> branches(call);
        default -> call.getOperands();
      };
    }

    private List<RexNode> undecided(RexCall junction) {
      List<RexNode> reached = new ArrayList<>();
      for (RexNode operand : LazyLogic.ordered(junction.getOperands())) {
        reached.add(operand);
        if (is(operand, junction.getKind() == SqlKind.OR)) {
          return reached;
        }
      }
      return reached;
    }

    private boolean is(RexNode operand, boolean decisive) {
      try {
        return Objects.equals(compiler.compile(operand).evaluate(row), decisive);
      } catch (NotCovered | GpdbException e) {
        return false;
      }
    }

    private List<RexNode> branches(RexCall call) {
      List<RexNode> reached = new ArrayList<>();
      List<RexNode> operands = call.getOperands();
      for (int i = 0; i + 1 < operands.size(); i += 2) {
        RexNode tested = LazyLogic.condition(builder, operands.get(i));
        reached.add(tested);
        if (!isFalse(tested)) {
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
