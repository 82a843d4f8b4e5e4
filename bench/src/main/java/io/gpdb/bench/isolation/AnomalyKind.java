package io.gpdb.bench.isolation;

import io.gpdb.txn.api.IsolationLevel;

/**
 * What can be wrong with a history, by the names of Adya's thesis and of Elle (Kingsbury, Alvaro,
 * 2020). A cycle is named after its dependencies: ww (overwrites), wr (reads from), rw (is
 * overwritten after a read); the order in real time counts as a dependency, too.
 */
public enum AnomalyKind {
  /** An element that nobody appended, or that is there twice. */
  WRONG_ELEMENT(IsolationLevel.READ_COMMITTED),
  /** An acknowledged append that the last read of its list lacks. */
  LOST_APPEND(IsolationLevel.READ_COMMITTED),
  /** Two reads of a list, neither of which begins with the other. */
  INCOMPATIBLE_ORDER(IsolationLevel.READ_COMMITTED),
  /** A transaction that does not see its own append. */
  OWN_APPEND_UNSEEN(IsolationLevel.READ_COMMITTED),
  /** A cycle of ww. */
  G0(IsolationLevel.READ_COMMITTED),
  /** A read of what a transaction appended that did not commit. */
  G1A(IsolationLevel.READ_COMMITTED),
  /** A read of a list that was not yet finished. */
  G1B(IsolationLevel.READ_COMMITTED),
  /** A cycle of ww and wr. */
  G1C(IsolationLevel.READ_COMMITTED),
  /** Two reads of a list in one transaction that differ by what others did. */
  UNREPEATABLE_READ(IsolationLevel.SNAPSHOT),
  /** A cycle with one rw. */
  G_SINGLE(IsolationLevel.SNAPSHOT),
  /** A cycle with several rw, no two of them in a row. */
  G_NONADJACENT(IsolationLevel.SNAPSHOT),
  /** Any other cycle with rw: write skew. */
  G2_ITEM(IsolationLevel.SERIALIZABLE);

  private final IsolationLevel weakestWithout;

  AnomalyKind(IsolationLevel weakestWithout) {
    this.weakestWithout = weakestWithout;
  }

  /** Whether the level promises that it never happens. */
  public boolean isForbiddenAt(IsolationLevel level) {
    return level.compareTo(weakestWithout) >= 0;
  }
}
