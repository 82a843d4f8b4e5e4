package io.gpdb.storage;

import org.jspecify.annotations.Nullable;

/** One table: its tablets, its dictionaries and its indexes. */
@SuppressWarnings("DoNotCallSuggester")
public final class TableStore {
  TableStore() {}

  public int tableId() {
    throw Skeleton.absent();
  }

  public TableShape shape() {
    throw Skeleton.absent();
  }

  /** Rows ever appended. */
  public long rowLimit() {
    throw Skeleton.absent();
  }

  /** Reserves n row ids and returns the first; new rows are not live. */
  public long appendRows(int n) {
    throw Skeleton.absent();
  }

  /** Makes at least {@code rows} row ids exist, for recovery. */
  public void ensureRowLimit(long rows) {
    throw Skeleton.absent();
  }

  public int tabletCount() {
    throw Skeleton.absent();
  }

  public Tablet tablet(int i) {
    throw Skeleton.absent();
  }

  public @Nullable Dictionary dictionary(int column) {
    throw Skeleton.absent();
  }

  public HashIndex index(int ordinal) {
    throw Skeleton.absent();
  }

  public int indexCount() {
    throw Skeleton.absent();
  }

  /** Puts these columns (and live) of every tablet in place; durable with the next checkpoint. */
  public void adoptInPlace(int[] columns) {
    throw Skeleton.absent();
  }

  /** Ends in-place writing; the next checkpoint seals the extents. */
  public void leaveInPlace() {
    throw Skeleton.absent();
  }
}
