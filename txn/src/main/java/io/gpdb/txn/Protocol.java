package io.gpdb.txn;

/** How a transaction's changes come to the medium. */
public enum Protocol {
  /** A sealed redo record in the log, one sync; the home image follows at checkpoints. */
  REDO,
  /** Old values persisted by the kernel, then stores in place, then the commit mark. */
  UNDO,
  /** Baseline: whole changed columns written with the file system and synced. Not atomic. */
  CAP_FS,
  /** Baseline: whole changed columns copied into the mapping by threads and synced. Not atomic. */
  CAP_MM
}
