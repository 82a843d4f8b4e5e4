package io.gpdb.txn.api;

import java.util.Locale;

/** How the log entries of one update lie. */
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
