package io.gpdb.planner.expression;

/** An expression or operator that this tier does not cover; the caller takes the next tier. */
public final class NotCovered extends Exception {
  private static final long serialVersionUID = 1L;

  public NotCovered(String what) {
    super(what, null, false, false);
  }
}
