package io.gpdb.txn.api;

import java.util.Locale;

/**
 * How a transaction's changes become durable. The baselines apply to a database as a whole; the
 * others to each change of a tablet, in any mixture.
 */
public enum Protocol {
  /** For each change the one of the next four that costs least by the cost model. */
  AUTO,
  /** A sealed redo record in the log, one sync; the home image follows at checkpoints. */
  REDO,
  /** Old values persisted by the kernel, then stores in place, then the commit mark. */
  UNDO,
  /**
   * Updates: the new version of the column's chunk is written to another extent, and the commit
   * record says which rows take their values from there. Inserts are as in {@link #REDO}.
   */
  VERSIONED,
  /**
   * Inserts: values go to extents of their own, and the commit record has checksums that show
   * whether they arrived. Updates are as in {@link #REDO}.
   */
  CHECKSUMMED,
  /** Baseline: whole changed columns written with the file system and synced. Not atomic. */
  CAP_FS,
  /** Baseline: whole changed columns copied into the mapping by threads and synced. Not atomic. */
  CAP_MM;

  /** As settings and addresses name it: {@code cap-fs}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether it applies to whole databases, without crash atomicity. */
  public boolean isBaseline() {
    return this == CAP_FS || this == CAP_MM;
  }

  /** Whether values are written in place, in home extents. */
  public boolean isInPlace() {
    return this == UNDO || isBaseline();
  }
}
