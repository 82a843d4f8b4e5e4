package io.gpdb.txn.api;

import java.util.Locale;

/** The layout of the log entries of one update. */
public enum LogKind {
  /** Hierarchical coalesced log: slots follow from the lane, words striped over warps. */
  HCL,
  /** Locked partitions, entries row by row. */
  CONVENTIONAL;

  /** As settings and addresses write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
