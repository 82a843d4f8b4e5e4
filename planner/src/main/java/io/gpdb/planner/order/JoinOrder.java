package io.gpdb.planner.order;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order in which relations are joined: the cheapest by {@link DpHyp} for each connected part of
 * the graph, or where that would look at more than {@link #STEPS_MAX} sets (a chain of 30 or a star
 * of 11 relations), one by {@link Greedy}, which also multiplies the parts.
 */
public final class JoinOrder {
  private static final int STEPS_MAX = 12_000;

  private JoinOrder() {}

  /** The order; null where links of other than inner joins leave none. */
  public static @Nullable JoinTree of(JoinGraph graph) {
    return of(graph, STEPS_MAX);
  }

  static @Nullable JoinTree of(JoinGraph graph, int stepsMax) {
    JoinCosts costs = new JoinCosts(graph.relations());
    DpHyp search = new DpHyp(graph, costs, stepsMax);
    List<JoinTree> trees = new ArrayList<>();
    if (search.search()) {
      for (long part : graph.parts()) {
        JoinTree tree = search.tree(part);
        if (tree == null) {
          return null;
        }
        trees.add(tree);
      }
    } else {
      for (int i = 0; i < graph.size(); i++) {
        trees.add(costs.leaf(i));
      }
    }
    return new Greedy(graph, costs, trees).tree();
  }
}
