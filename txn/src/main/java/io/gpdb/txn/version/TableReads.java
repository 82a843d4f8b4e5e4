package io.gpdb.txn.version;

import io.gpdb.storage.table.Index;
import io.gpdb.storage.table.Tablet;
import java.nio.LongBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * What a serializable transaction has read of one table: rows with the columns, keys that it did
 * not find, or the whole table with the columns. Judged by the leader of a group commit.
 */
final class TableReads {
  private final TableVersions table;
  private boolean scanned;
  private long scannedColumns = ColumnMask.NONE;
  private RowMasks rows = new RowMasks();
  private Set<MissingKey> missing = new HashSet<>(0);

  /** A key that no row had. */
  private record MissingKey(int ordinal, LongBuffer key) {}

  TableReads(TableVersions table) {
    this.table = table;
  }

  TableVersions table() {
    return table;
  }

  /** Rows and keys remembered one by one. */
  int points() {
    return rows.count() + missing.size();
  }

  void scanned(long columns) {
    scanned = true;
    scannedColumns |= columns;
  }

  /** Returns whether that takes memory. */
  boolean row(long row, long columns) {
    return !covers(columns) && rows.add(row, columns);
  }

  /** Returns whether that takes memory. */
  boolean missing(int ordinal, long[] key) {
    return !covers(keyColumns(ordinal))
        && missing.add(new MissingKey(ordinal, LongBuffer.wrap(key.clone())));
  }

  private boolean covers(long columns) {
    return scanned && (columns & ~scannedColumns) == 0;
  }

  private long keyColumns(int ordinal) {
    return ColumnMask.of(table.keyColumns(ordinal));
  }

  /** Takes the whole table for read, and so forgets rows and keys. */
  void widen() {
    long columns = rows.union();
    for (MissingKey absent : missing) {
      columns |= keyColumns(absent.ordinal);
    }
    scanned(columns);
    rows = new RowMasks();
    missing = new HashSet<>(0);
  }

  /** Whether all of it reads the same after the transactions that have their place in the log. */
  boolean areTrue(ReadPoint reader) {
    CommitStamp dropper = table.dropper();
    if (dropper != null && !reader.sees(dropper) && dropper.isOrdered()) {
      return false; // dropped, or rewritten: the rows are elsewhere
    }
    if (scanned) {
      for (int t = 0, n = table.store().tabletCount(); t < n; t++) {
        if (hasChanged(reader, t, scannedColumns)) {
          return false;
        }
      }
    }
    for (long row : rows.sortedRows()) {
      if (rowHasChanged(reader, row, rows.mask(row))) {
        return false;
      }
    }
    for (MissingKey absent : missing) {
      if (mayExist(reader, absent)) {
        return false;
      }
    }
    return true;
  }

  private boolean hasChanged(ReadPoint reader, int tabletNumber, long columns) {
    TabletVersions versions = table.tablet(tabletNumber);
    if (versions == null) {
      return false;
    }
    Tablet tablet = table.store().tablet(tabletNumber);
    lockShared(tablet);
    try {
      return !versions.isEmpty() && versions.hasChanged(reader, columns);
    } finally {
      tablet.latch().readLock().unlock();
    }
  }

  private boolean rowHasChanged(ReadPoint reader, long row, long columns) {
    int tabletNumber = (int) (row / Tablet.ROWS);
    TabletVersions versions = table.tablet(tabletNumber);
    if (versions == null) {
      return false;
    }
    Tablet tablet = table.store().tablet(tabletNumber);
    lockShared(tablet);
    try {
      return !versions.isEmpty()
          && !versions.seesAll(reader)
          && versions.rowHasChanged(reader, (int) (row % Tablet.ROWS), columns);
    } finally {
      tablet.latch().readLock().unlock();
    }
  }

  /** A candidate is enough: a row has an entry before it has the key for others (K1). */
  private boolean mayExist(ReadPoint reader, MissingKey absent) {
    Index index = table.store().index(absent.ordinal);
    long columns = keyColumns(absent.ordinal);
    long rowLimit = table.store().rowLimit();
    long[] key = absent.key.array();
    for (long row = index.firstCandidate(key); row >= 0; row = index.nextCandidate(key, row)) {
      if (row < rowLimit && rowHasChanged(reader, row, columns)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Not queueing behind a writer that waits for an open view: whoever holds the latch exclusively
   * waits for nothing (R3), so this ends.
   */
  private static void lockShared(Tablet tablet) {
    while (!tablet.latch().readLock().tryLock()) {
      Thread.onSpinWait();
    }
  }
}
