package io.gpdb.txn;

import io.gpdb.storage.TableStore;

/** A table as a transaction sees it. */
public interface TableReader {
  TableStore store();

  int tabletCount();

  /** How many rows there are, about. */
  long estimatedRows();

  TabletView open(int tablet, int[] columns);

  /** The row with that key (raw bits, in the index's column order), or -1. */
  long findByKey(int indexOrdinal, long[] key);

  /**
   * Reads one row into {@code values} and {@code nulls}; false when the transaction sees no such
   * row. A NULL reads as 0.
   */
  boolean read(long row, int[] columns, long[] values, boolean[] nulls);

  boolean isLive(long row);
}
