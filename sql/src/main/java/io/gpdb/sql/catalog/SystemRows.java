package io.gpdb.sql.catalog;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TabletView;
import java.util.ArrayList;
import java.util.List;

/** The rows of a system table that a transaction sees. */
final class SystemRows {
  private SystemRows() {}

  /** Each row's number and behind it the raw values of the columns. */
  static List<long[]> of(Transaction transaction, int store, int[] columns) {
    TableReader reader = transaction.reader(store);
    List<long[]> rows = new ArrayList<>();
    for (int t = 0; t < reader.tabletCount(); t++) {
      try (TabletView view = reader.open(t, columns)) {
        for (int r = 0; r < view.rowCount(); r++) {
          if (isLive(view, r)) {
            long[] row = new long[1 + columns.length];
            row[0] = (long) t * Tablet.ROWS + r;
            for (int c = 0; c < columns.length; c++) {
              row[1 + c] = view.column(columns[c]).raw(r);
            }
            rows.add(row);
          }
        }
      }
    }
    return rows;
  }

  private static boolean isLive(TabletView view, int row) {
    return view.allLive() || Bitmaps.testOne(view.live(), row);
  }
}
