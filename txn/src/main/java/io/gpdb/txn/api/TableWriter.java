package io.gpdb.txn.api;

import io.gpdb.exec.library.change.GridApplyBatch;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.memory.HostBuffer;
import java.util.List;

/**
 * Changes one table for one transaction. A row that another transaction has written, unless that
 * one committed before this transaction's snapshot, raises {@code SERIALIZATION_CONFLICT} at once.
 * A call that throws may have changed part of its rows: the caller makes statements atomic by
 * {@code Transaction.savepoint} and {@code Transaction.rollbackTo}.
 */
public interface TableWriter {
  /**
   * Appends n rows and returns the first one's number; {@code columns} are all of the table's, in
   * its order.
   *
   * @throws KeyViolation naming the first row whose key exists, in the table or earlier in the
   *     batch
   */
  long insert(ColumnView[] columns, int n);

  /** Stores new values of {@code columns} in the rows (i32[n], distinct, of this tablet). */
  void update(int tablet, HostBuffer rowsInTablet, int n, int[] columns, ColumnView[] values);

  void delete(int tablet, HostBuffer rowsInTablet, int n);

  /**
   * Stores the values that the kernel computes in rows of any tablets, by one launch. No set column
   * belongs to a unique index.
   *
   * @param bindings the kernel's inputs that are columns of the batch, bound
   * @throws io.gpdb.exec.KernelTrap of the kernel's programs
   */
  void update(GroupedRows rows, GridApplyBatch kernel, LaneBindings bindings);

  /** Room for numbers of rows that are going to be changed, until the transaction has ended. */
  HostBuffer memoryForRows(long bytes);

  /** As {@link #update(int, HostBuffer, int, int[], ColumnView[])}, of several tablets together. */
  void update(List<TabletRows> parts, int[] columns);

  /** As {@link #delete(int, HostBuffer, int)}, of several tablets by one launch. */
  void delete(List<TabletRows> parts);

  /** Deletes rows of any tablets by one launch. */
  void delete(GroupedRows rows);

  /**
   * Checks the keys that this statement updated.
   *
   * @throws KeyViolation naming the first updated row whose key another row has
   */
  void finishStatement();

  /** As {@link TableReader#findByKey}. */
  long findByKey(int indexOrdinal, long[] key);

  /**
   * As {@link #findByKey} for n keys at once.
   *
   * @param keys one key after the other
   * @param rows takes the number of each key's row
   */
  void findByKeys(int indexOrdinal, long[] keys, int n, long[] rows);

  /** As {@link #update} of one row, without a kernel; keys are checked at once. */
  void updateRow(long row, int[] columns, long[] values, boolean[] nulls);

  /**
   * Locks n rows (of any tablets, in any order, also one several times): until the transaction has
   * ended they count as written by it, although nothing of them changes.
   */
  void lock(long[] rows, int n);

  /** As {@link #lock} of one row; false where another transaction has written or locked it. */
  boolean tryLock(long row);

  /** As {@link #delete} of one row, without a kernel. */
  void deleteRow(long row);
}
