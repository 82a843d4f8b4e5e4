package io.gpdb.sql.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Keeps conditions that may raise an error where the query has them: below a join, a grouping or a
 * set operation they would meet rows that the query does not ask about. They go into a {@link
 * DependentCalc}, which no rule moves. An equality of two inputs of a join is a key and stays.
 *
 * <pre>
 *   Filter(a AND 1 / x > 0)  J     =>   DependentCalc(1 / x > 0)  Filter(a)  J
 *   InnerJoin(k AND 1 / x > 0)     =>   DependentCalc(1 / x > 0)  InnerJoin(k)
 * </pre>
 */
public final class RaisingConditions extends RelHomogeneousShuttle {
  private RaisingConditions() {}

  public static RelNode kept(RelNode tree) {
    return tree.accept(new RaisingConditions());
  }

  @Override
  public RelNode visit(RelNode node) {
    RelNode known = super.visit(node);
    return switch (known) {
      case Filter filter when isMoved(filter.getInput()) -> filter(filter);
      case Join join when join.getJoinType() == JoinRelType.INNER -> join(join);
      case Aggregate aggregate -> FilteredArguments.guarded(aggregate);
      default -> known;
    };
  }

  /** Whether a condition on such rows may be brought below something that leaves out rows. */
  private static boolean isMoved(RelNode rows) {
    return switch (rows) {
      case Filter filter -> isMoved(filter.getInput());
      case Project project -> isMoved(project.getInput());
      case TableScan ignored -> false;
      case Values ignored -> false;
      default -> true;
    };
  }

  private static RelNode filter(Filter filter) {
    Split split = Split.of(filter.getCondition(), filter.getInput());
    return split.raising.isEmpty()
        ? filter
        : split.above(
            split.safe.isEmpty()
                ? filter.getInput()
                : LogicalFilter.create(filter.getInput(), split.all(split.safe)));
  }

  private static RelNode join(Join join) {
    Split split = Split.of(join.getCondition(), join);
    return split.raising.isEmpty()
        ? join
        : split.above(
            LogicalJoin.create(
                join.getLeft(),
                join.getRight(),
                join.getHints(),
                split.all(split.safe),
                Set.of(),
                JoinRelType.INNER));
  }

  /** The conditions that stay below and those that are done above. */
  private record Split(RexBuilder builder, List<RexNode> safe, List<RexNode> raising) {
    static Split of(RexNode condition, RelNode rows) {
      Split split =
          new Split(rows.getCluster().getRexBuilder(), new ArrayList<>(), new ArrayList<>());
      RexNode apart = CommonFactors.extracted(split.builder, condition, Raising::mayRaise);
      for (RexNode part : RelOptUtil.conjunctions(apart)) {
        (isKey(part, rows) || !Raising.mayRaise(part) ? split.safe : split.raising).add(part);
      }
      return split;
    }

    RexNode all(List<RexNode> conditions) {
      return RexUtil.composeConjunction(builder, conditions);
    }

    RelNode above(RelNode rows) {
      return DependentCalc.filter(rows, all(raising));
    }
  }

  /** Whether the condition compares expressions over different inputs of the rows' joins. */
  static boolean isKey(RexNode condition, RelNode rows) {
    if (condition.getKind() != SqlKind.EQUALS) {
      return false;
    }
    ImmutableBitSet a = fields(((RexCall) condition).getOperands().get(0));
    ImmutableBitSet b = fields(((RexCall) condition).getOperands().get(1));
    return !a.isEmpty() && !b.isEmpty() && isKey(a, b, 0, rows);
  }

  private static boolean isKey(ImmutableBitSet a, ImmutableBitSet b, int first, RelNode rows) {
    if (!(rows instanceof Join join) || !join.getJoinType().projectsRight()) {
      return false;
    }
    int middle = first + join.getLeft().getRowType().getFieldCount();
    ImmutableBitSet both = a.union(b);
    if (both.nth(0) >= middle) {
      return isKey(a, b, middle, join.getRight());
    }
    if (both.length() <= middle) {
      return isKey(a, b, first, join.getLeft());
    }
    return a.length() <= middle ? b.nth(0) >= middle : b.length() <= middle && a.nth(0) >= middle;
  }

  private static ImmutableBitSet fields(RexNode node) {
    return RelOptUtil.InputFinder.bits(node);
  }

  /** Whether the condition of a join has parts that may raise an error, other than its keys. */
  static boolean areIn(Join join) {
    return !Split.of(join.getCondition(), join).raising.isEmpty();
  }
}
