package io.gpdb.planner.mapping;

import io.gpdb.planner.rewrite.Estimates;
import io.gpdb.planner.rewrite.TableFacts;
import io.gpdb.planner.run.join.JoinSource;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.jspecify.annotations.Nullable;

/**
 * What the model of the joins' order says of the tree that is being mapped, and who is told. For
 * the making of one plan.
 *
 * @param shows whether the plan is made to be shown, and its operators told what is expected
 * @param estimates null where nobody asks
 * @param ordered whether the tree's joins are in an order that the model chose, so that the plan is
 *     made again when tables have other sizes
 */
record PlanModel(boolean shows, @Nullable Estimates estimates, boolean ordered) {
  static final PlanModel NOT_ASKED = new PlanModel(false, null, false);

  /** For a plan that is shown, before its tree is known. */
  static final PlanModel SHOWN = new PlanModel(true, null, false);

  /**
   * The model for a tree.
   *
   * @param ordered whether the model chose the order of its joins
   */
  PlanModel of(TableFacts facts, boolean ordered) {
    return shows || ordered
        ? new PlanModel(shows, new Estimates(facts), ordered)
        : this.ordered ? NOT_ASKED : this;
  }

  /** For choices that a plan seldom has. */
  Estimates estimates(TableFacts facts) {
    return estimates == null ? new Estimates(facts) : estimates;
  }

  /** The pipeline of a tree, with what is expected of it where the plan is shown. */
  Pipeline expecting(RelNode tree, Pipeline mapped) {
    return shows && estimates != null ? mapped.expecting(estimates.rows(tree)) : mapped;
  }

  /** The pairs of a join by its keys, or all pairs, with what is expected of them. */
  Pipeline expectingKeys(Join join, Pipeline pairs) {
    return shows && estimates != null ? pairs.expecting(estimates.rowsByKeys(join)) : pairs;
  }

  /** The sizes by which a join chooses the side that it keeps. */
  JoinSource.Sizes sizes(Join join) {
    return ordered && estimates != null
        ? new JoinSource.Sizes(estimates.rows(join.getLeft()), estimates.rows(join.getRight()))
        : JoinSource.Sizes.UNKNOWN;
  }
}
