package io.gpdb.planner.constraint;

import io.gpdb.planner.run.table.IndexSource;
import io.gpdb.sql.definition.ReferencedKey;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.RowCursor;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TabletView;
import java.util.Arrays;

/**
 * The rows of a child table that have some keys, found by a key over the foreign key's columns or
 * an index that begins with them where there is one, else by one scan. Rows ascend.
 */
final class ChildRows {
  private static final int SOME_ROWS = 256;

  private long[] rows = new long[16];
  private int[] keyNumbers = new int[16];
  private int count;

  private ChildRows() {}

  static ChildRows of(Reference reference, KeyTable keys, Transaction transaction) {
    return of(reference.child(), reference.columns(), keys, transaction);
  }

  /** All rows of a table that have one of the keys in those columns. */
  static ChildRows of(TableDef table, int[] columns, KeyTable keys, Transaction transaction) {
    return find(table, columns, keys, transaction, false);
  }

  /** A row that has one of the keys, or none. */
  static ChildRows any(Reference reference, KeyTable keys, Transaction transaction) {
    return find(reference.child(), reference.columns(), keys, transaction, true);
  }

  private static ChildRows find(
      TableDef table, int[] columns, KeyTable keys, Transaction transaction, boolean firstOnly) {
    ChildRows found = new ChildRows();
    if (keys.count() == 0) {
      return found;
    }
    TableReader reader = transaction.reader(table.tableId());
    ReferencedKey own = ReferencedKey.of(table, columns);
    ChildIndex index = own == null ? ChildIndex.of(table, columns, reader) : null;
    if (own != null) {
      found.byKey(own, keys, reader, firstOnly);
      found.sort();
    } else if (index != null && IndexSource.areFew(keys.count(), reader)) {
      found.byIndex(index, keys, reader, firstOnly);
      found.sort();
    } else {
      found.byScan(columns, keys, reader, firstOnly);
    }
    return found;
  }

  int count() {
    return count;
  }

  long row(int i) {
    return rows[i];
  }

  /** The number of the i-th row's key. */
  int keyNumber(int i) {
    return keyNumbers[i];
  }

  private void add(long row, int keyNumber) {
    if (count == rows.length) {
      rows = Arrays.copyOf(rows, 2 * count);
      keyNumbers = Arrays.copyOf(keyNumbers, 2 * count);
    }
    rows[count] = row;
    keyNumbers[count++] = keyNumber;
  }

  private void byKey(ReferencedKey own, KeyTable keys, TableReader reader, boolean firstOnly) {
    int[] order = own.order();
    long[] ordered = new long[order.length];
    for (int k = 0; k < keys.count() && !(firstOnly && count > 0); k++) {
      StopSignal.poll(k);
      for (int i = 0; i < order.length; i++) {
        ordered[i] = keys.values()[k * order.length + order[i]];
      }
      long row = reader.findByKey(own.key().indexId(), ordered);
      if (row >= 0) {
        add(row, k);
      }
    }
  }

  private void byIndex(ChildIndex index, KeyTable keys, TableReader reader, boolean firstOnly) {
    long[] some = new long[firstOnly ? 1 : SOME_ROWS];
    int width = keys.width();
    for (int k = 0; k < keys.count(); k++) {
      StopSignal.poll(k);
      RowCursor cursor = index.rows(reader, keys.values(), k * width);
      for (int n = cursor.next(some); n > 0; n = cursor.next(some)) {
        for (int i = 0; i < n && !(firstOnly && count > 0); i++) {
          if (index.hasKey(reader, some[i], keys.values(), k * width)) {
            add(some[i], k);
          }
        }
        if (firstOnly && count > 0) {
          return;
        }
      }
    }
  }

  private void sort() {
    Integer[] places = new Integer[count];
    Arrays.setAll(places, i -> i);
    long[] unsorted = Arrays.copyOf(rows, count);
    int[] numbers = Arrays.copyOf(keyNumbers, count);
    Arrays.sort(places, (a, b) -> Long.compare(unsorted[a], unsorted[b]));
    for (int i = 0; i < count; i++) {
      rows[i] = unsorted[places[i]];
      keyNumbers[i] = numbers[places[i]];
    }
  }

  private void byScan(int[] columns, KeyTable keys, TableReader reader, boolean firstOnly) {
    int tablets = reader.tabletCount();
    for (int t = 0; t < tablets && !(firstOnly && count > 0); t++) {
      try (TabletView view = reader.open(t, columns)) {
        scan(view, (long) t * Tablet.ROWS, keys, firstOnly);
      }
    }
  }

  private void scan(TabletView view, long base, KeyTable keys, boolean firstOnly) {
    long[] key = new long[keys.width()];
    for (int r = 0; r < view.rowCount() && !(firstOnly && count > 0); r++) {
      StopSignal.poll(r);
      if (isLive(view, r) && read(view, r, key)) {
        int number = keys.find(key);
        if (number >= 0) {
          add(base + r, number);
        }
      }
    }
  }

  static boolean isLive(TabletView view, int row) {
    return view.allLive() || Bitmaps.testOne(view.live(), row);
  }

  /** Reads the foreign key, which is what the view has; false where a part is NULL. */
  static boolean read(TabletView view, int row, long[] key) {
    for (int c = 0; c < key.length; c++) {
      ColumnView column = view.column(c);
      if (column.isNull(row)) {
        return false;
      }
      key[c] = column.raw(row);
    }
    return true;
  }
}
