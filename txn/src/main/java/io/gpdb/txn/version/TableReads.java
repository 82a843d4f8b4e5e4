package io.gpdb.txn.version;

import io.gpdb.storage.index.Index;
import io.gpdb.storage.index.OrderedCursor;
import io.gpdb.storage.index.OrderedIndex;
import io.gpdb.storage.index.OrderedRange;
import io.gpdb.storage.tablet.Tablet;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a serializable transaction has read of one table: rows with the columns, keys that it did
 * not find, ranges of keys, or the whole table with the columns. Judged by the leader of a group
 * commit.
 */
final class TableReads {
  private final TableVersions table;
  private boolean scanned;
  private long scannedColumns = ColumnMask.NONE;
  private RowMasks rows = new RowMasks();
  private Set<MissingKey> missing = new HashSet<>(0);

  private List<KeysRead> ranges = new ArrayList<>(0);

  /** A range of an ordered index, whose rows were found by their keys. */
  private record KeysRead(int ordinal, OrderedRange range) {}

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
    return rows.count() + missing.size() + ranges.size();
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

  void range(int ordinal, OrderedRange range) {
    ranges.add(new KeysRead(ordinal, range));
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
    for (KeysRead read : ranges) {
      columns |= keyColumns(read.ordinal);
    }
    scanned(columns);
    ranges = new ArrayList<>(0);
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
    for (KeysRead read : ranges) {
      if (hasChanged(reader, read)) {
        return false;
      }
    }
    return true;
  }

  /** Rows that are in the range, were, or came into it have an entry there (K1). */
  private boolean hasChanged(ReadPoint reader, KeysRead read) {
    long columns = keyColumns(read.ordinal);
    if (covers(columns)) {
      return false; // the scan was judged
    }
    OrderedIndex index = (OrderedIndex) table.store().index(read.ordinal);
    long rowLimit = table.store().rowLimit();
    OrderedCursor cursor = new OrderedCursor(false);
    while (index.read(read.range, cursor)) {
      for (int i = 0; i < cursor.count(); i++) {
        long row = cursor.row(i);
        if (row < rowLimit && rowHasChanged(reader, row, columns)) {
          return true;
        }
      }
    }
    return false;
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
