package io.gpdb.exec.emulated;

/** Work in pieces that threads claim one after the other until none is left. */
interface ClaimedWork {
  /** Pieces that no thread has claimed yet. */
  int unclaimed();

  /** Does pieces until none is left to claim. */
  void work();
}
