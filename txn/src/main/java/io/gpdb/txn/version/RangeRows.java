package io.gpdb.txn.version;

import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.table.KeyBytes;
import io.gpdb.storage.table.OrderedCursor;
import io.gpdb.storage.table.OrderedIndex;
import io.gpdb.storage.table.OrderedRange;
import io.gpdb.txn.api.RowCursor;

/**
 * The rows of a range of an ordered index, in its order, as one reader sees them. An entry counts
 * where the row, as the reader sees it, has the entry's key: so a row comes once, whatever keys it
 * had, and at the place of the key that the reader sees.
 */
public final class RangeRows implements RowCursor {
  private final RowReader reader;
  private final ReadPoint readPoint;
  private final OrderedIndex index;
  private final OrderedRange range;
  private final OrderedCursor cursor;
  private final int[] columns;
  private final long[] values;
  private final boolean[] nulls;
  private final KeyBytes key;
  private int at;

  public RangeRows(
      RowReader reader,
      ReadPoint readPoint,
      OrderedIndex index,
      OrderedRange range,
      boolean descending) {
    this.reader = reader;
    this.readPoint = readPoint;
    this.index = index;
    this.range = range;
    cursor = new OrderedCursor(descending);
    columns = index.columns();
    values = new long[columns.length];
    nulls = new boolean[columns.length];
    key = new KeyBytes(index.keys().room());
  }

  @Override
  public int next(long[] rows) {
    int count = 0;
    while (count < rows.length) {
      if (at == cursor.count()) {
        StopSignal.poll();
        at = 0;
        if (!index.read(range, cursor)) {
          return count;
        }
      }
      long row = cursor.row(at);
      if (reader.read(readPoint, row, columns, values, nulls)) {
        key.clear();
        index.keys().append(key, values, nulls);
        if (cursor.hasKey(at, key)) {
          rows[count++] = row;
        }
      }
      at++;
    }
    return count;
  }
}
