package io.gpdb.sql.tree;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/** Which expressions and trees may raise an error for some row; when in doubt, they may. */
public final class Raising {
  private Raising() {}

  public static boolean mayRaise(RexNode node) {
    boolean[] found = new boolean[1];
    node.accept(search(found));
    return found[0];
  }

  public static boolean mayRaise(RelNode tree) {
    boolean[] found = new boolean[1];
    new RelVisitor() {
      @Override
      public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
        node.accept(search(found));
        found[0] |= node instanceof Correlate || node instanceof DependentJoin;
        if (node instanceof Aggregate aggregate) {
          found[0] |= aggregate.getAggCallList().stream().anyMatch(Raising::mayRaise);
        }
        if (node instanceof Window window) {
          window.groups.forEach(
              group -> group.aggCalls.forEach(call -> found[0] |= mayRaise(call)));
        }
        super.visit(node, ordinal, parent);
      }
    }.go(tree);
    return found[0];
  }

  /**
   * Whether the condition of an outer join has parts that may raise an error, other than its keys:
   * it must be evaluated for pairs of rows only. Inner joins have none ({@link RaisingConditions}).
   */
  public static boolean isPairwise(Join join) {
    return join.getJoinType() != JoinRelType.INNER && RaisingConditions.areIn(join);
  }

  /** Whether the condition compares the two inputs of a join, or of one below it. */
  public static boolean isKey(RexNode condition, Join join) {
    return RaisingConditions.isKey(condition, join);
  }

  /** A sum may leave its type, but for one of floating-point numbers. */
  static boolean mayRaise(AggregateCall call) {
    return switch (call.getAggregation().getKind()) {
      case COUNT, MIN, MAX, ANY_VALUE, GROUPING, GROUPING_ID -> false;
      case SUM, SUM0 -> !SqlTypeUtil.isApproximateNumeric(call.getType());
      default -> true;
    };
  }

  /** Those that number rows or take a value of another row have one wherever they are asked. */
  private static boolean mayRaise(Window.RexWinAggCall call) {
    return switch (call.getOperator().getKind()) {
      case COUNT, MIN, MAX, ANY_VALUE -> false;
      case ROW_NUMBER, RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST -> false;
      case LEAD, LAG, FIRST_VALUE, LAST_VALUE -> false;
      case SUM, SUM0 -> !SqlTypeUtil.isApproximateNumeric(call.getType());
      default -> true;
    };
  }

  private static RexShuttle search(boolean[] found) {
    TotalCalls total = new TotalCalls();
    return new RexShuttle() {
      @Override
      public RexNode visitCall(RexCall call) {
        found[0] |= !total.isTotal(call);
        return super.visitCall(call);
      }

      @Override
      public RexNode visitSubQuery(RexSubQuery query) {
        found[0] |=
            switch (query.getKind()) {
              case EXISTS, IN, SOME -> mayRaise(query.rel);
              default -> true;
            };
        query.getOperands().forEach(operand -> operand.accept(this));
        return query;
      }
    };
  }
}
