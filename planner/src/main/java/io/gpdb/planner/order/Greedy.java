package io.gpdb.planner.order;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Joins the two trees whose join has the fewest rows, again and again; products of unlinked trees
 * come last, those of the fewest rows first.
 *
 * <p>Source: Fegaras, A new heuristic for optimizing large queries (DEXA 1998).
 */
final class Greedy {
  private final JoinGraph graph;
  private final JoinCosts costs;
  private final List<JoinTree> trees;

  Greedy(JoinGraph graph, JoinCosts costs, List<JoinTree> trees) {
    this.graph = graph;
    this.costs = costs;
    this.trees = new ArrayList<>(trees);
  }

  /** All trees in one; null where what is left cannot be joined. */
  @Nullable JoinTree tree() {
    int n = trees.size();
    @Nullable JoinTree[][] joined = new JoinTree[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) {
        joined[i][j] = linked(trees.get(i), trees.get(j));
      }
    }
    while (n > 1) {
      int a = -1;
      int b = -1;
      JoinTree least = null;
      for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
          JoinTree each = joined[i][j];
          if (each != null && (least == null || isLess(each, least))) {
            least = each;
            a = i;
            b = j;
          }
        }
      }
      if (least == null) {
        return products();
      }
      trees.set(a, least);
      trees.set(b, trees.getLast());
      trees.removeLast();
      n--;
      moved(joined, n, b);
      for (int i = 0; i < n; i++) {
        if (i != a) {
          joined[Math.min(i, a)][Math.max(i, a)] =
              linked(trees.get(Math.min(i, a)), trees.get(Math.max(i, a)));
        }
      }
    }
    return trees.getFirst();
  }

  private static boolean isLess(JoinTree a, JoinTree b) {
    return a.rows() < b.rows() || (a.rows() == b.rows() && a.cost() < b.cost());
  }

  /** The tree at {@code from} is now at {@code to}. */
  private static void moved(@Nullable JoinTree[][] joined, int from, int to) {
    for (int i = 0; i < from; i++) {
      if (i != to) {
        joined[Math.min(i, to)][Math.max(i, to)] = joined[i][from];
      }
    }
  }

  private @Nullable JoinTree linked(JoinTree a, JoinTree b) {
    List<JoinLink> between = graph.between(a.relations(), b.relations());
    return between.isEmpty() ? null : costs.joined(a, b, between);
  }

  /** The trees of fewest rows multiplied first, linked as soon as they can be. */
  private @Nullable JoinTree products() {
    trees.sort((x, y) -> Double.compare(x.rows(), y.rows()));
    JoinTree a = trees.removeFirst();
    JoinTree b = trees.removeFirst();
    if (!graph.between(a.relations(), b.relations()).isEmpty()) {
      return null; // linked, but not in this order
    }
    trees.add(costs.product(a, b));
    return trees.size() == 1 ? trees.getFirst() : tree();
  }
}
