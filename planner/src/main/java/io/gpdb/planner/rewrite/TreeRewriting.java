package io.gpdb.planner.rewrite;

import io.gpdb.sql.tree.Raising;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites a tree before it is mapped: averages to sums and counts, conditions down to where they
 * are cheapest ({@link ConditionPushDown}), first rows likewise ({@link LimitPushDown}), equal
 * parts to one ({@link SharedTrees}), joins in a better order ({@link OrderedJoins}), groups below
 * joins ({@link EagerGroups}). A tree of one table that needs none of it stays as it is.
 */
public final class TreeRewriting {
  private final Estimates estimates;
  private final boolean movesAll;

  /**
   * @param movesAll whether semi and anti joins move, too, whose right input may raise errors
   */
  private TreeRewriting(Estimates estimates, boolean movesAll) {
    this.estimates = estimates;
    this.movesAll = movesAll;
  }

  /** The tree rewritten for tables of that size. */
  public static RelNode rewritten(RelNode tree, TableFacts facts) {
    Shape shape = Shape.of(tree);
    if (shape.simple) {
      return tree;
    }
    RelNode known = ConditionPushDown.applied(Averages.replaced(tree));
    RelNode pushed = SharedTrees.in(LimitPushDown.applied(known));
    return shape.joins ? new TreeRewriting(new Estimates(facts), true).ordered(pushed) : pushed;
  }

  private RelNode ordered(RelNode tree) {
    if (tree instanceof SharedTree) {
      return tree; // its rows have a plan of their own
    }
    if (JoinRegion.isRoot(tree)) {
      JoinRegion region = JoinRegion.of(tree, this::ordered, movesAll ? this::orderedToAsk : null);
      if (region != null) {
        RelNode best = OrderedJoins.of(region, tree.getRowType(), estimates);
        if (best != null) {
          return best;
        }
      }
    }
    List<RelNode> inputs = new ArrayList<>();
    for (RelNode input : tree.getInputs()) {
      inputs.add(ordered(input));
    }
    RelNode known = inputs.equals(tree.getInputs()) ? tree : tree.copy(tree.getTraitSet(), inputs);
    return switch (known) {
      case Join join -> withKeys(join);
      case Aggregate aggregate -> EagerGroups.of(aggregate, estimates);
      default -> known;
    };
  }

  /** A tree that is run if an error is to be asked for: no such tree is made for it in turn. */
  private RelNode orderedToAsk(RelNode tree) {
    return new TreeRewriting(estimates, false).ordered(tree);
  }

  /**
   * The join with what it compares as fields of its inputs, unless that may raise an error: it is
   * meant for pairs of rows, and an input has rows that are in no pair.
   */
  private static RelNode withKeys(Join join) {
    return Raising.isPairwise(join)
        ? join
        : RelOptUtil.pushDownJoinConditions(
            join, RelFactories.LOGICAL_BUILDER.create(join.getCluster(), null));
  }

  /** What a tree is made of. */
  private static final class Shape extends RelVisitor {
    boolean simple = true;
    boolean joins;

    static Shape of(RelNode tree) {
      Shape shape = new Shape();
      shape.go(tree);
      return shape;
    }

    @Override
    public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
      joins |= node instanceof Join;
      if (node instanceof Aggregate aggregate) {
        simple &= !(parent instanceof Filter);
        for (AggregateCall call : aggregate.getAggCallList()) {
          switch (call.getAggregation().getKind()) {
            case COUNT, SUM, SUM0, MIN, MAX, SINGLE_VALUE -> {}
            default -> simple = false;
          }
        }
      } else {
        simple &=
            node instanceof Filter
                || (node instanceof Project project && !project.containsOver())
                || node instanceof Sort
                || node instanceof TableScan;
      }
      super.visit(node, ordinal, parent);
    }
  }
}
