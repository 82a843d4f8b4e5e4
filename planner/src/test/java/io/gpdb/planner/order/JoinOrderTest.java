package io.gpdb.planner.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The search for an order against a search through all orders, on generated hypergraphs. */
class JoinOrderTest {
  private static final int EXHAUSTIVE_MAX = 7;

  /** Costs are added in the order of the search. */
  private static final double ROUNDING = 1e-9;

  @Test
  void dynamicProgrammingFindsTheLeastCostOfAllOrders() {
    LongStream seeds =
        Long.getLong("gpdb.seed") == null
            ? LongStream.range(0, 400)
            : LongStream.of(Long.getLong("gpdb.seed"));
    int[] found = new int[2];
    seeds.forEach(
        seed -> {
          JoinGraph graph = randomGraph(new Random(seed));
          JoinCosts costs = new JoinCosts(graph.relations());
          DpHyp search = new DpHyp(graph, costs, Integer.MAX_VALUE);
          search.search();
          long all = (1L << graph.size()) - 1;
          JoinTree best = search.tree(all);
          JoinTree expected = new Exhaustive(graph, costs).best(all);
          assertThat(best == null).as("-Dgpdb.seed=%d", seed).isEqualTo(expected == null);
          if (best != null && expected != null) {
            assertThat(best.cost() / expected.cost())
                .as("-Dgpdb.seed=%d", seed)
                .isCloseTo(1, within(ROUNDING));
          }
          found[best == null ? 0 : 1]++;
        });
    assertThat(found[1]).isGreaterThan(found[0]);
  }

  private static JoinGraph randomGraph(Random random) {
    int n = 2 + random.nextInt(EXHAUSTIVE_MAX - 1);
    List<Relation> relations = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      double stored = 1 + random.nextInt(10_000);
      long lookedUp = random.nextBoolean() ? 0 : random.nextInt(1 << n);
      relations.add(
          new Relation(
              Math.max(1, stored * random.nextDouble()), stored, random.nextInt(3) == 0, lookedUp));
    }
    List<JoinLink> links = new ArrayList<>();
    for (int i = 1; i < n; i++) {
      links.add(link(random, 1L << random.nextInt(i), 1L << i));
    }
    for (int extra = random.nextInt(3); extra > 0; extra--) {
      long left = random.nextInt(1 << n);
      long right = random.nextInt(1 << n) & ~left;
      if (left != 0 && right != 0) {
        links.add(link(random, left, right));
      }
    }
    return new JoinGraph(relations, links);
  }

  private static JoinLink link(Random random, long left, long right) {
    JoinKind kind = random.nextInt(4) > 0 ? JoinKind.INNER : JoinKind.values()[random.nextInt(4)];
    List<JoinLink.Rule> rules =
        kind == JoinKind.INNER || random.nextBoolean()
            ? List.of()
            : List.of(new JoinLink.Rule(left, left | Long.lowestOneBit(right)));
    return new JoinLink(kind, left, right, random.nextDouble(), -1, false, rules);
  }

  /** All ways to split each set in two that are linked. */
  private static final class Exhaustive {
    private final JoinGraph graph;
    private final JoinCosts costs;
    private final Map<Long, @Nullable JoinTree> known = new HashMap<>();

    Exhaustive(JoinGraph graph, JoinCosts costs) {
      this.graph = graph;
      this.costs = costs;
    }

    @Nullable JoinTree best(long set) {
      if (Long.bitCount(set) == 1) {
        return costs.leaf(Long.numberOfTrailingZeros(set));
      }
      if (known.containsKey(set)) {
        return known.get(set);
      }
      JoinTree best = null;
      for (long part = (set - 1) & set; part != 0; part = (part - 1) & set) {
        long other = set & ~part;
        JoinTree a = part < other && graph.areLinked(part, other) ? best(part) : null;
        JoinTree b = a == null ? null : best(other);
        JoinTree joined =
            a == null || b == null ? null : costs.joined(a, b, graph.between(part, other));
        if (joined != null && (best == null || joined.cost() < best.cost())) {
          best = joined;
        }
      }
      known.put(set, best);
      return best;
    }
  }

  @Test
  void eachRelationIsJoinedOnceHoweverManyThereAre() {
    for (int n : new int[] {1, 2, 12, 30, JoinGraph.RELATIONS_MAX}) {
      for (boolean star : new boolean[] {false, true}) {
        List<Relation> relations = new ArrayList<>();
        List<JoinLink> links = new ArrayList<>();
        for (int i = 0; i < n; i++) {
          relations.add(Relation.of(10 + i));
          if (i > 0) {
            links.add(JoinLink.inner(star ? 1 : 1L << (i - 1), 1L << i, 0.1));
          }
        }
        JoinTree tree = JoinOrder.of(new JoinGraph(relations, links));
        assertThat(tree).isNotNull();
        assertThat(leaves(tree)).hasSize(n).doesNotHaveDuplicates();
        assertThat(productsIn(tree)).isZero();
      }
    }
  }

  @Test
  void unlinkedPartsAreMultipliedLast() {
    List<Relation> relations = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      relations.add(Relation.of(100));
    }
    List<JoinLink> links =
        List.of(
            JoinLink.inner(1, 8, 0.01), JoinLink.inner(2, 16, 0.01), JoinLink.inner(4, 32, 0.01));
    JoinTree tree = JoinOrder.of(new JoinGraph(relations, links));
    assertThat(tree).isInstanceOf(JoinTree.Join.class);
    assertThat(productsIn(tree)).isEqualTo(2);
    assertThat(((JoinTree.Join) tree).links()).isEmpty();
  }

  @Test
  void thePairOfTheFewestRowsIsJoinedFirst() {
    List<Relation> relations =
        List.of(Relation.of(1e6), Relation.of(1e6), Relation.of(10), Relation.of(1e4));
    List<JoinLink> links =
        List.of(JoinLink.inner(1, 2, 1e-6), JoinLink.inner(2, 4, 1e-5), JoinLink.inner(1, 8, 1e-4));
    for (int steps : new int[] {Integer.MAX_VALUE, 0}) {
      JoinTree tree = JoinOrder.of(new JoinGraph(relations, links), steps);
      assertThat(deepest(tree)).isEqualTo(2L | 4L);
    }
  }

  private static long deepest(JoinTree tree) {
    return switch (tree) {
      case JoinTree.Leaf leaf -> leaf.relations();
      case JoinTree.Join join ->
          join.left() instanceof JoinTree.Join
              ? deepest(join.left())
              : join.right() instanceof JoinTree.Join ? deepest(join.right()) : join.relations();
    };
  }

  private static List<Integer> leaves(JoinTree tree) {
    List<Integer> found = new ArrayList<>();
    switch (tree) {
      case JoinTree.Leaf leaf -> found.add(leaf.relation());
      case JoinTree.Join join -> {
        found.addAll(leaves(join.left()));
        found.addAll(leaves(join.right()));
      }
    }
    return found;
  }

  private static int productsIn(JoinTree tree) {
    return switch (tree) {
      case JoinTree.Leaf ignored -> 0;
      case JoinTree.Join join ->
          productsIn(join.left()) + productsIn(join.right()) + (join.links().isEmpty() ? 1 : 0);
    };
  }
}
