package io.gpdb.planner.order;

import org.jspecify.annotations.Nullable;

/**
 * Finds the cheapest tree without products by dynamic programming over pairs of connected sets of
 * relations, each pair once.
 *
 * <p>Source: Moerkotte, Neumann, Dynamic programming strikes back (SIGMOD 2008), section 3.
 */
final class DpHyp {
  private final JoinGraph graph;
  private final JoinCosts costs;
  private final int stepsMax;
  private final TreesOfSets best = new TreesOfSets();
  private int steps;

  /**
   * @param stepsMax sets and pairs of sets that are looked at before the search gives up
   */
  DpHyp(JoinGraph graph, JoinCosts costs, int stepsMax) {
    this.graph = graph;
    this.costs = costs;
    this.stepsMax = stepsMax;
  }

  /** Searches; false where it gave up. */
  boolean search() {
    for (int i = 0; i < graph.size(); i++) {
      best.put(costs.leaf(i));
    }
    for (int i = graph.size() - 1; i >= 0 && !isOver(); i--) {
      long set = 1L << i;
      emitSet(set);
      growSet(set, upTo(i));
    }
    return !isOver();
  }

  /** The cheapest tree of those relations that was found; null where all have products. */
  @Nullable JoinTree tree(long set) {
    return best.get(set);
  }

  private boolean isOver() {
    return steps > stepsMax;
  }

  /** The relation and those before it. */
  private static long upTo(int relation) {
    return (1L << relation) | ((1L << relation) - 1);
  }

  private void growSet(long set, long excluded) {
    long next = graph.neighbourhood(set, excluded);
    for (long part = first(next); part != 0 && !isOver(); part = after(part, next)) {
      steps++;
      if (best.get(set | part) != null) {
        emitSet(set | part);
      }
    }
    for (long part = first(next); part != 0 && !isOver(); part = after(part, next)) {
      growSet(set | part, excluded | next);
    }
  }

  /** Pairs of the set with all others whose relations come after its first one. */
  private void emitSet(long set) {
    long excluded = set | upTo(Long.numberOfTrailingZeros(set));
    long next = graph.neighbourhood(set, excluded);
    for (long rest = next; rest != 0 && !isOver(); ) {
      int relation = Long.SIZE - 1 - Long.numberOfLeadingZeros(rest);
      long other = 1L << relation;
      rest ^= other;
      if (graph.areLinked(set, other)) {
        emitPair(set, other);
      }
      growOther(set, other, excluded | (upTo(relation) & next));
    }
  }

  private void growOther(long set, long other, long excluded) {
    long next = graph.neighbourhood(other, excluded);
    for (long part = first(next); part != 0 && !isOver(); part = after(part, next)) {
      steps++;
      if (best.get(other | part) != null && graph.areLinked(set, other | part)) {
        emitPair(set, other | part);
      }
    }
    for (long part = first(next); part != 0 && !isOver(); part = after(part, next)) {
      growOther(set, other | part, excluded | next);
    }
  }

  private void emitPair(long a, long b) {
    steps++;
    JoinTree left = best.get(a);
    JoinTree right = best.get(b);
    if (left == null || right == null) {
      return;
    }
    JoinTree joined = costs.joined(left, right, graph.between(a, b));
    JoinTree known = best.get(a | b);
    if (joined != null && (known == null || joined.cost() < known.cost())) {
      best.put(joined);
    }
  }

  /** The subsets of a set, smallest number first; 0 after the last one. */
  private static long first(long set) {
    return Long.lowestOneBit(set);
  }

  private static long after(long part, long set) {
    return (part - set) & set;
  }
}
