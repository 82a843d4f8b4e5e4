package io.gpdb.exec.emulated;

/** Work in pieces that threads claim one after the other until none is left. */
interface ClaimedWork {
  /** Pieces that no thread has claimed yet. */
  int unclaimed();

  /**
   * By how many helpers the work gains at the moment: by none or a few while HotSpot has not
   * compiled its code well, which many threads run no sooner than one, and whose compiler needs the
   * processors that they would take.
   */
  int helpersMax();

  /** Does pieces until none is left to claim. */
  void work();
}
