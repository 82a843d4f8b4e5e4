package io.gpdb.planner.mapping;

import io.gpdb.planner.bridge.JoinRules;
import java.util.EnumSet;
import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.rules.AggregateReduceFunctionsRule;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites a tree before it is mapped: averages to sums and counts, conditions down to where they
 * are cheapest, three and more inner joins in a better order. A tree without joins and aggregates
 * stays as it is.
 */
final class TreeRewriting {
  private static final int JOINS_TO_REORDER = 2;

  private static final RelOptRule REDUCE_SPREADS =
      AggregateReduceFunctionsRule.Config.DEFAULT
          .withOperandFor(org.apache.calcite.rel.logical.LogicalAggregate.class)
          .withFunctionsToReduce(
              EnumSet.of(
                  SqlKind.STDDEV_POP, SqlKind.STDDEV_SAMP, SqlKind.VAR_POP, SqlKind.VAR_SAMP))
          .toRule();

  private static final HepProgram PUSH_DOWN =
      new HepProgramBuilder()
          .addRuleInstance(REDUCE_SPREADS)
          .addRuleCollection(
              List.of(
                  CoreRules.FILTER_MERGE,
                  CoreRules.FILTER_PROJECT_TRANSPOSE,
                  CoreRules.FILTER_AGGREGATE_TRANSPOSE,
                  CoreRules.FILTER_SET_OP_TRANSPOSE,
                  JoinRules.FILTER_INTO,
                  JoinRules.CONDITION_PUSH))
          .addRuleInstance(JoinRules.PUSH_EXPRESSIONS)
          .addRuleInstance(CoreRules.PROJECT_MERGE)
          .build();

  private static final HepProgram JOIN_ORDER =
      new HepProgramBuilder()
          .addRuleInstance(CoreRules.JOIN_TO_HYPER_GRAPH)
          .addRuleInstance(CoreRules.HYPER_GRAPH_OPTIMIZE)
          .build();

  private TreeRewriting() {}

  static RelNode rewritten(RelNode tree) {
    Shape shape = Shape.of(tree);
    if (shape.simple) {
      return tree;
    }
    RelNode pushed = run(PUSH_DOWN, Averages.replaced(tree));
    if (shape.innerJoins < JOINS_TO_REORDER || shape.otherJoins > 0) {
      return pushed;
    }
    return run(PUSH_DOWN, reordered(pushed));
  }

  /** The best order, or the tree itself where the search finds none. */
  private static RelNode reordered(RelNode tree) {
    try {
      RelNode best = run(JOIN_ORDER, tree);
      return best.getRowType().getFieldCount() == tree.getRowType().getFieldCount() ? best : tree;
    } catch (RuntimeException | AssertionError e) {
      return tree; // the order as written is right, only slower
    }
  }

  private static RelNode run(HepProgram program, RelNode tree) {
    HepPlanner planner = new HepPlanner(program);
    planner.setRoot(tree);
    return planner.findBestExp();
  }

  /** What a tree is made of. */
  private static final class Shape extends RelVisitor {
    boolean simple = true;
    int innerJoins;
    int otherJoins;

    static Shape of(RelNode tree) {
      Shape shape = new Shape();
      shape.go(tree);
      return shape;
    }

    @Override
    public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
      if (node instanceof Join join) {
        if (join.getJoinType() == JoinRelType.INNER) {
          innerJoins++;
        } else {
          otherJoins++;
        }
      }
      if (node instanceof Aggregate aggregate) {
        simple &= aggregate.getAggCallList().stream().allMatch(TreeRewriting::isPlain);
      } else {
        simple &=
            node instanceof Filter
                || node instanceof Project
                || node instanceof Sort
                || node instanceof TableScan;
      }
      super.visit(node, ordinal, parent);
    }
  }

  private static boolean isPlain(org.apache.calcite.rel.core.AggregateCall call) {
    return switch (call.getAggregation().getKind()) {
      case COUNT, SUM, SUM0, MIN, MAX, SINGLE_VALUE -> true;
      default -> false;
    };
  }
}
