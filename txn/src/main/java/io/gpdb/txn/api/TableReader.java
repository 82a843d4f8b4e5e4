package io.gpdb.txn.api;

import io.gpdb.storage.table.TableStore;

/**
 * A table as a transaction sees it. All that a serializable transaction learns of stored rows comes
 * through here or through {@link TableWriter}, which both note it (invariant S1).
 */
public interface TableReader {
  TableStore store();

  /** How many tablets there are to open. */
  int tabletCount();

  /** How many rows there are, about. */
  long estimatedRows();

  TabletView open(int tablet, int[] columns);

  /** The row with that key (raw bits, in the index's column order), or -1. */
  long findByKey(int indexOrdinal, long[] key);

  /** Says that the caller knows without looking that no row has the key that it wants. */
  void noteMissing(int indexOrdinal);

  /**
   * Reads one row into {@code values} and {@code nulls}; false when the transaction sees no such
   * row. A NULL reads as 0.
   */
  boolean read(long row, int[] columns, long[] values, boolean[] nulls);

  boolean isLive(long row);
}
