package io.gpdb.planner.order;

import java.util.List;

/**
 * A condition that links relations: an edge of the hypergraph. Sets of relations are bits of a
 * long.
 *
 * @param left relations that its one side reads; for other than inner joins, of the left input
 * @param right relations that its other side reads
 * @param selectivity the share of pairs of rows that fulfil it
 * @param group links of one group say the same where a set holds several of them; -1 for none
 * @param inferred whether it follows from others, so that it may be left out
 * @param rules what must be on the join's sides together
 */
public record JoinLink(
    JoinKind kind,
    long left,
    long right,
    double selectivity,
    int group,
    boolean inferred,
    List<Rule> rules) {

  /** If a join has any relation of {@code any}, it must have all of {@code all}. */
  public record Rule(long any, long all) {}

  public JoinLink {
    rules = List.copyOf(rules);
    if (left == 0 || right == 0 || (left & right) != 0) {
      throw new IllegalArgumentException("link of " + left + " with " + right);
    }
  }

  /** An equality or another condition of an inner join that may be asked anywhere. */
  public static JoinLink inner(long left, long right, double selectivity) {
    return new JoinLink(JoinKind.INNER, left, right, selectivity, -1, false, List.of());
  }

  /** Whether one side is in the one set and the other in the other. */
  boolean links(long a, long b) {
    return (isWithin(left, a) && isWithin(right, b)) || (isWithin(left, b) && isWithin(right, a));
  }

  /** Whether the join may be done with those inputs, in that order. */
  boolean isApplicable(long a, long b) {
    boolean sides =
        (isWithin(left, a) && isWithin(right, b))
            || (kind == JoinKind.INNER && isWithin(left, b) && isWithin(right, a));
    if (!sides) {
      return false;
    }
    for (Rule rule : rules) {
      if (!holds(rule, a | b)) {
        return false;
      }
    }
    return true;
  }

  private static boolean holds(Rule rule, long all) {
    return (rule.any & all) == 0 || isWithin(rule.all, all);
  }

  private static boolean isWithin(long part, long whole) {
    return (part & ~whole) == 0;
  }
}
