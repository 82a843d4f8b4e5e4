package io.gpdb.txn.api;

import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.index.KeyRange;
import io.gpdb.storage.table.TableGarbage;
import org.jspecify.annotations.Nullable;

/**
 * A table as a transaction sees it. All that a serializable transaction learns of stored rows comes
 * through here or through {@link TableWriter}, which both note it (invariant S1).
 */
public interface TableReader {
  /** The strings of a column; null where it has none. */
  @Nullable CodedStrings strings(int column);

  /** Numbers of columns are below this. */
  int columnCount();

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

  /**
   * Asked before the first tablet is opened: what says later whether another reader sees the same,
   * if the views of all tablets turn out to have no copies. Null where this transaction has written
   * to the table.
   */
  @Nullable TableSight sight();

  /**
   * Whether views of all tablets, opened now, would show these columns as the earlier reader saw
   * them, whose views had no copies. Counts as reading them.
   */
  boolean seesAs(TableSight earlier, int[] columns);

  /** The row with that key (raw bits, in the index's column order), or -1. */
  long findByKey(int indexOrdinal, long[] key);

  /**
   * As above, with columns of the row as {@link #read} has them, in one look at it.
   *
   * @param keyAt where among {@code columns} those of the index are, in its order
   */
  long readByKey(
      int indexOrdinal, long[] key, int[] keyAt, int[] columns, long[] values, boolean[] nulls);

  IndexKind indexKind(int indexOrdinal);

  /**
   * About how many entries an index has for a range of keys: those of rows that nobody sees any
   * more among them. A hash index answers for whole keys without a NULL, up to {@code most}.
   */
  long estimate(int indexOrdinal, KeyRange range, long most);

  /**
   * The rows whose keys are in the range, in the index's order or the opposite one. Of a hash
   * index, the rows of a whole key without a NULL, in no order.
   */
  RowCursor scan(int indexOrdinal, KeyRange range, boolean descending);

  /** Says that the caller knows without looking that no row has the key that it wants. */
  void noteMissing(int indexOrdinal);

  /**
   * Reads one row into {@code values} and {@code nulls}; false when the transaction sees no such
   * row. A NULL reads as 0.
   */
  boolean read(long row, int[] columns, long[] values, boolean[] nulls);

  /** As {@link #read} for the first n of the rows, together. */
  RowBlock read(long[] rows, int n, int[] columns);

  boolean isLive(long row);

  /**
   * Raises {@code SERIALIZATION_CONFLICT} where another transaction has made or unmade one of the
   * rows, or changed one of the columns, and this one does not see it.
   */
  void requireUnchanged(long[] rows, int n, int[] columns);

  /**
   * Whether no other transaction has made or unmade a row, or changed one of the columns, unseen by
   * this one. Like {@link #requireUnchanged}, it refuses a table that others dropped or rewrote.
   */
  boolean seesNewest(int[] columns);

  /**
   * Raises {@code SERIALIZATION_CONFLICT} where another transaction has inserted a row, or changed
   * one of the columns, unseen by this one, and the row's values match in any state that may be
   * left of it.
   */
  void requireNoneUnseen(int[] columns, RowTest test);
}
