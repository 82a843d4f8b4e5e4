package io.gpdb.planner.order;

import java.util.List;

/** An order of joins, with what it is expected to cost. */
public sealed interface JoinTree {
  /** The relations below. */
  long relations();

  /** Rows that are expected. */
  double rows();

  /** Rows that are handled here and below. */
  double cost();

  /**
   * One relation.
   *
   * @param driven whether an index leads to its few rows
   */
  record Leaf(int relation, double rows, double cost, boolean driven) implements JoinTree {
    @Override
    public long relations() {
      return 1L << relation;
    }
  }

  /**
   * A join.
   *
   * @param relations those of both sides
   * @param links those that it fulfils; none for a product of all rows
   * @param driven whether an index leads to the rows of the right side, from few of the left one
   */
  record Join(
      long relations,
      JoinKind kind,
      JoinTree left,
      JoinTree right,
      List<JoinLink> links,
      double rows,
      double cost,
      boolean driven)
      implements JoinTree {}

  /** Whether an index leads to all its rows. */
  boolean driven();
}
