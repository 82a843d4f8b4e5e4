package io.gpdb.txn.api;

import java.util.Locale;

/**
 * How a transaction's changes come to the medium. The baselines hold for a database as a whole; the
 * others for each change of a tablet, in any mixture.
 */
public enum Protocol {
  /** For each change that one of the next four of which the cost model expects least. */
  AUTO,
  /** A sealed redo record in the log, one sync; the home image follows at checkpoints. */
  REDO,
  /** Old values persisted by the kernel, then stores in place, then the commit mark. */
  UNDO,
  /**
   * Updates: the new version of the column's chunk is written beside the old, and the commit record
   * says which rows take their values from there. Inserts are as in {@link #REDO}.
   */
  VERSIONED,
  /**
   * Inserts: values go to extents of their own, and the commit record holds checksums that tell
   * whether they arrived. Updates are as in {@link #REDO}.
   */
  CHECKSUMMED,
  /** Baseline: whole changed columns written with the file system and synced. Not atomic. */
  CAP_FS,
  /** Baseline: whole changed columns copied into the mapping by threads and synced. Not atomic. */
  CAP_MM;

  /** As settings, addresses and people write it: {@code cap-fs}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether the whole database is under it, without crash atomicity. */
  public boolean isBaseline() {
    return this == CAP_FS || this == CAP_MM;
  }

  /** Whether the values lie in home extents that are written in place. */
  public boolean isInPlace() {
    return this == UNDO || isBaseline();
  }
}
