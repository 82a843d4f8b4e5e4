package io.gpdb.sql.tree;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
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

  /** A sum may leave its type. */
  static boolean mayRaise(AggregateCall call) {
    return switch (call.getAggregation().getKind()) {
      case COUNT, MIN, MAX -> false;
      default -> true;
    };
  }

  private static RexShuttle search(boolean[] found) {
    return new RexShuttle() {
      @Override
      public RexNode visitCall(RexCall call) {
        found[0] |= !isSafe(call);
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

  private static boolean isSafe(RexCall call) {
    return switch (call.getKind()) {
      case AND, OR, NOT, CASE, COALESCE, SEARCH -> true;
      case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL -> true;
      case GREATER_THAN, GREATER_THAN_OR_EQUAL, IS_DISTINCT_FROM, IS_NOT_DISTINCT_FROM -> true;
      case IS_NULL, IS_NOT_NULL, IS_TRUE, IS_NOT_TRUE, IS_FALSE, IS_NOT_FALSE -> true;
      case IS_UNKNOWN, LIKE -> true;
      case CAST -> RexUtil.isLosslessCast(call);
      case TRIM -> isCharacter(call.getOperands().get(1));
      default -> false;
    };
  }

  /** What TRIM takes without an error; comparisons of CHAR trim blanks. */
  private static boolean isCharacter(RexNode cut) {
    String text = cut instanceof RexLiteral literal ? literal.getValueAs(String.class) : null;
    return text != null && text.codePointCount(0, text.length()) == 1;
  }
}
