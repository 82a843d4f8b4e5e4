package io.gpdb.txn.version;

import io.gpdb.storage.index.OrderedRange;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a serializable transaction has read, so that its commit can be judged (invariants S1 to S4
 * in docs/internals/isolation.md). At most {@link #POINTS_MAX} rows and keys are remembered one by
 * one; beyond, the table with most of them is taken for read as a whole. Thread-safe.
 */
public final class ReadSet {
  public static final int POINTS_MAX = 1 << 16;

  private final IdentityHashMap<TableVersions, TableReads> tables = new IdentityHashMap<>();
  private int points;

  private TableReads of(TableVersions table) {
    return tables.computeIfAbsent(table, TableReads::new);
  }

  /** All rows of the table, these columns of them; without columns, which rows there are. */
  public synchronized void scanned(TableVersions table, int[] columns) {
    of(table).scanned(ColumnMask.of(columns));
  }

  /** One row, whether it was there or not. */
  public synchronized void row(TableVersions table, long row, int[] columns) {
    count(of(table).row(row, ColumnMask.of(columns)));
  }

  /** A key that no row had. */
  synchronized void missing(TableVersions table, int ordinal, long[] key) {
    count(of(table).missing(ordinal, key));
  }

  /** All rows whose keys are in a range of an ordered index, as far as their keys go. */
  public synchronized void range(TableVersions table, int ordinal, OrderedRange range) {
    of(table).range(ordinal, range);
    count(true);
  }

  /** All rows that have a key, none or some. */
  public synchronized void key(TableVersions table, int ordinal, long[] key) {
    missing(table, ordinal, key);
  }

  /** The answer of a look-up by key: the row's key, or that no row has it. */
  public void found(TableVersions table, long row, int ordinal, long[] key, int[] keyColumns) {
    if (row < 0) {
      missing(table, ordinal, key);
    } else {
      row(table, row, keyColumns);
    }
  }

  private void count(boolean isNew) {
    if (isNew && ++points > POINTS_MAX) {
      widenLargest();
    }
  }

  private void widenLargest() {
    TableReads largest = null;
    for (TableReads reads : tables.values()) {
      if (largest == null || reads.points() > largest.points()) {
        largest = reads;
      }
    }
    if (largest != null) {
      points -= largest.points();
      largest.widen();
    }
  }

  /** A table of which something reads otherwise by now, or null. */
  public synchronized @Nullable TableVersions firstChanged(ReadPoint reader) {
    for (TableReads reads : tables.values()) {
      if (!reads.areTrue(reader)) {
        return reads.table();
      }
    }
    return null;
  }
}
