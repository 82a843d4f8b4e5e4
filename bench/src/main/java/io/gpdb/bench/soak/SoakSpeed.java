package io.gpdb.bench.soak;

/** A load whose speed is compared. */
enum SoakSpeed {
  /** Strings that are always new, released when no row has them. */
  NEW(true, true),
  /** The same, never released. */
  KEPT(true, false),
  /** Each row has one of two strings. */
  SAME(false, true);

  private final boolean fresh;
  private final boolean released;

  SoakSpeed(boolean fresh, boolean released) {
    this.fresh = fresh;
    this.released = released;
  }

  boolean fresh() {
    return fresh;
  }

  boolean released() {
    return released;
  }
}
