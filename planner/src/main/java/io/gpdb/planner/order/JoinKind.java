package io.gpdb.planner.order;

/**
 * How two sets of relations are joined, and which pairs of joins may change places. The rules hold
 * for conditions that no row with NULLs alone fulfils.
 *
 * <p>Source: Moerkotte, Fender, Eich, On the correct and complete enumeration of the core search
 * space (SIGMOD 2013), tables 2 and 3.
 */
public enum JoinKind {
  INNER,
  LEFT,
  SEMI,
  ANTI;

  /** Whether the fields of the right side come out. */
  boolean keepsRight() {
    return this == INNER || this == LEFT;
  }

  /** Whether {@code (1 this 2) upper 3} is {@code 1 this (2 upper 3)}. */
  public boolean isAssociative(JoinKind upper) {
    return this == INNER || (this == LEFT && upper == LEFT);
  }

  /** Whether {@code 1 this (2 lower 3)}, linked 1 to 3, is {@code 2 lower (1 this 3)}. */
  public boolean isRightExchangeable(JoinKind lower) {
    return this == INNER && lower == INNER;
  }
}
