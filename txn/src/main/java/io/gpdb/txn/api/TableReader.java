package io.gpdb.txn.api;

import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.table.TableGarbage;
import org.jspecify.annotations.Nullable;

/**
 * A table as a transaction sees it. All that a serializable transaction learns of stored rows comes
 * through here or through {@link TableWriter}, which both note it (invariant S1).
 */
public interface TableReader {
  /** The strings of a column; null where it has none. */
  @Nullable CodedStrings strings(int column);

  /** Numbers of rows are below this, seen or not. */
  long rowLimit();

  /** Numbers of tablets are below this; asking does not count as reading them. */
  int tabletLimit();

  /** How many tablets there are to open. */
  int tabletCount();

  /** How many rows there are, about. */
  long estimatedRows();

  /** How much of the table is provably garbage, for all readers together. */
  TableGarbage garbage();

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
