package io.gpdb.planner.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What joins are expected to return and to cost. A cost is a number of rows: those that a scan
 * reads, that a hash table takes, that pass it, and that come out. A look-up by index counts as
 * {@link #LOOK_UP} rows, and the scan of the table that it replaces is taken off.
 */
final class JoinCosts {
  /** Rows that could be hashed in the time of one look-up. */
  private static final double LOOK_UP = 4;

  private static final double BUILD = 1.5;

  private final List<Relation> relations;

  JoinCosts(List<Relation> relations) {
    this.relations = relations;
  }

  JoinTree.Leaf leaf(int relation) {
    Relation r = relations.get(relation);
    return new JoinTree.Leaf(relation, r.rows(), r.driven() ? r.rows() : r.stored(), r.driven());
  }

  /** The cheapest join of two trees by those of the links that are between them, or null. */
  @Nullable JoinTree joined(JoinTree a, JoinTree b, List<JoinLink> between) {
    List<JoinLink> used = new ArrayList<>();
    JoinLink other = null;
    boolean exchanged = false;
    for (JoinLink link : between) {
      boolean there = link.isApplicable(a.relations(), b.relations());
      boolean back = !there && link.isApplicable(b.relations(), a.relations());
      if (!there && !back) {
        if (link.inferred()) {
          continue;
        }
        return null;
      }
      if (link.kind() != JoinKind.INNER) {
        if (other != null) {
          return null;
        }
        other = link;
        exchanged = back;
      }
      used.add(link);
    }
    if (other != null) {
      for (JoinLink link : used) {
        if (link.kind() == JoinKind.INNER && !link.inferred()) {
          return null;
        }
      }
      List<JoinLink> only = List.of(other);
      double share = other.selectivity();
      return exchanged
          ? join(other.kind(), b, a, only, share)
          : join(other.kind(), a, b, only, share);
    }
    if (used.isEmpty()) {
      return null;
    }
    double share = selectivity(used);
    JoinTree there = join(JoinKind.INNER, a, b, used, share);
    JoinTree back = join(JoinKind.INNER, b, a, used, share);
    return back.cost() < there.cost() ? back : there;
  }

  /** The product of all rows of two trees. */
  JoinTree product(JoinTree a, JoinTree b) {
    return join(JoinKind.INNER, a, b, List.of(), 1);
  }

  /**
   * The join of two trees.
   *
   * @param share of the pairs of rows that fulfils the links
   */
  private JoinTree join(
      JoinKind kind, JoinTree left, JoinTree right, List<JoinLink> links, double share) {
    double matched = right.rows() * share;
    double rows =
        switch (kind) {
          case INNER -> left.rows() * matched;
          case LEFT -> left.rows() * Math.max(1, matched);
          case SEMI -> left.rows() * Math.min(1, matched);
          case ANTI -> left.rows() * Math.max(0.1, 1 - Math.min(1, matched));
        };
    rows = Math.max(rows, 1e-3);
    boolean inner = kind == JoinKind.INNER;
    double hashed = inner ? Math.min(left.rows(), right.rows()) : right.rows();
    double passed = inner ? Math.max(left.rows(), right.rows()) : left.rows();
    double cost =
        left.cost()
            + right.cost()
            + (links.isEmpty() ? 0 : BUILD * hashed + passed)
            + (links.isEmpty() ? 2 * rows : rows);
    long both = left.relations() | right.relations();
    if (left.driven() && isLookedUp(left, right)) {
      Relation table = relations.get(((JoinTree.Leaf) right).relation());
      double found = Math.max(1, matched * table.stored() / Math.max(1e-3, table.rows()));
      double byIndex = left.cost() + left.rows() * (LOOK_UP + found) + rows;
      if (byIndex < cost) {
        return new JoinTree.Join(both, kind, left, right, links, rows, byIndex, true);
      }
    }
    return new JoinTree.Join(both, kind, left, right, links, rows, cost, false);
  }

  private boolean isLookedUp(JoinTree left, JoinTree right) {
    return right instanceof JoinTree.Leaf leaf
        && (relations.get(leaf.relation()).lookedUp() & left.relations()) != 0;
  }

  /**
   * The share of pairs that fulfil all links. Links of one group count once. Of several conditions
   * between the same relations the strictest counts fully, the next one by its square root, and so
   * on, for columns are seldom independent; and relations cannot have more different values than
   * rows.
   */
  private double selectivity(List<JoinLink> links) {
    if (links.size() == 1) {
      return links.getFirst().selectivity();
    }
    double all = 1;
    for (int i = 0; i < links.size(); i++) {
      long pair = relations(links.get(i));
      boolean known = false;
      for (int j = 0; j < i; j++) {
        known |= relations(links.get(j)) == pair;
      }
      if (!known) {
        all *= selectivity(links, pair);
      }
    }
    return all;
  }

  private static long relations(JoinLink link) {
    return link.left() | link.right();
  }

  private double selectivity(List<JoinLink> links, long pair) {
    double[] shares = new double[links.size()];
    int count = 0;
    double least = 0;
    for (int i = 0; i < links.size(); i++) {
      JoinLink link = links.get(i);
      if (relations(link) == pair && !isCounted(links, i)) {
        shares[count++] = link.selectivity();
        least = 1 / Math.max(largest(link.left()), largest(link.right()));
      }
    }
    Arrays.sort(shares, 0, count);
    double all = 1;
    double weight = 1;
    for (int i = 0; i < count; i++) {
      all *= Math.pow(shares[i], weight);
      weight /= 2;
    }
    return count < 2 ? all : Math.max(all, least);
  }

  /** Whether another link of the group counts: the one that the most pairs fulfil. */
  private static boolean isCounted(List<JoinLink> links, int index) {
    JoinLink link = links.get(index);
    for (int j = 0; j < links.size() && link.group() >= 0; j++) {
      JoinLink other = links.get(j);
      if (j != index
          && other.group() == link.group()
          && (other.selectivity() > link.selectivity()
              || (other.selectivity() == link.selectivity() && j < index))) {
        return true;
      }
    }
    return false;
  }

  private double largest(long set) {
    double rows = 1;
    for (long rest = set; rest != 0; rest &= rest - 1) {
      rows = Math.max(rows, relations.get(Long.numberOfTrailingZeros(rest)).stored());
    }
    return rows;
  }
}
