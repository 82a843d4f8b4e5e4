package io.gpdb.planner.constraint;

import io.gpdb.planner.batch.ChosenRows;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TabletView;
import java.util.BitSet;

/** What a statement has done to the rows of one table, as far as constraints must know. */
final class TableChanges {
  private static final int ROWS_READ_ONE_BY_ONE = 32;

  private final ConstrainedTable table;
  private final ChosenRows rows;
  private final BitSet changedColumns = new BitSet();
  private OldKeys oldKeys;

  TableChanges(ConstrainedTable table) {
    this.table = table;
    this.rows = new ChosenRows(table.table().tableId());
    this.oldKeys = new OldKeys(table.referenced());
  }

  ConstrainedTable table() {
    return table;
  }

  void inserted(long first, int n) {
    if (table.concernsRows()) {
      rows.addNew(first, n);
      changedColumns.set(0, table.table().columns().size());
    }
  }

  void updating(TableReader reader, int tablet, HostBuffer rowsInTablet, int n, int[] columns) {
    if (table.isAnyReferenced(columns)) {
      keep(reader, tablet, rowsInTablet, n);
    }
    if (table.concerns(columns)) {
      for (int i = 0; i < n; i++) {
        rows.add(tablet, rowsInTablet.intAt(i));
      }
      for (int column : columns) {
        changedColumns.set(column);
      }
    }
  }

  void deleting(TableReader reader, int tablet, HostBuffer rowsInTablet, int n) {
    if (table.isReferenced()) {
      keep(reader, tablet, rowsInTablet, n);
    }
  }

  private void keep(TableReader reader, int tablet, HostBuffer rowsInTablet, int n) {
    int[] columns = oldKeys.columns();
    long base = (long) tablet * Tablet.ROWS;
    long[] values = new long[columns.length];
    boolean[] nulls = new boolean[columns.length];
    if (n <= ROWS_READ_ONE_BY_ONE) {
      for (int i = 0; i < n; i++) {
        long row = base + rowsInTablet.intAt(i);
        if (reader.read(row, columns, values, nulls)) {
          oldKeys.add(row, values, nulls);
        }
      }
      return;
    }
    try (TabletView view = reader.open(tablet, columns)) {
      HostBuffer live = view.live().onHost();
      for (int i = 0; i < n; i++) {
        StopSignal.poll(i);
        int r = rowsInTablet.intAt(i);
        if (Bitmaps.test(live, r)) {
          for (int c = 0; c < columns.length; c++) {
            nulls[c] = view.column(c).isNull(r);
            values[c] = nulls[c] ? 0 : view.column(c).raw(r);
          }
          oldKeys.add(base + r, values, nulls);
        }
      }
    }
  }

  /** Rows that are new or have new values. */
  ChosenRows rows() {
    return rows;
  }

  /** The columns of which some row has a new value. */
  BitSet changedColumns() {
    return changedColumns;
  }

  boolean hasOldKeys() {
    return oldKeys.count() > 0;
  }

  /** The keys of rows that were changed or deleted since the last call. */
  OldKeys takeOldKeys() {
    OldKeys taken = oldKeys;
    oldKeys = new OldKeys(table.referenced());
    return taken;
  }
}
