package io.gpdb.txn.version;

import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.index.KeyBytes;
import io.gpdb.storage.index.OrderedCursor;
import io.gpdb.storage.index.OrderedIndex;
import io.gpdb.storage.index.OrderedRange;
import io.gpdb.txn.api.RowCursor;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a range of an ordered index, in its order, as one reader sees them. An entry counts
 * where the row, as the reader sees it, has the entry's key: so a row comes once, whatever keys it
 * had, and at the place of the key that the reader sees.
 */
public final class RangeRows implements RowCursor {
  /** Below that number of entries it costs less to meet them again. */
  private static final int GONE_MIN = 32;

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

  /** Whether the rows of all entries so far are gone for every reader. */
  private boolean isLeading;

  private long gone;
  private byte @Nullable [] lastGone;

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
    isLeading = !descending && !range.lowExcluded();
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
        lastGone = isLeading && at > 0 ? cursor.entry(at - 1) : null;
        at = 0;
        if (!index.read(range, cursor)) {
          endLeading();
          return count;
        }
      }
      long row = cursor.row(at);
      boolean isRead = reader.read(readPoint, row, columns, values, nulls);
      if (isLeading) {
        lead(isRead, row);
      }
      if (isRead) {
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

  private void lead(boolean isRead, long row) {
    if (!isRead && reader.isGone(row)) {
      gone++;
    } else {
      if (at > 0) {
        lastGone = cursor.entry(at - 1);
      }
      endLeading();
    }
  }

  /** The next readers of the range begin behind what is gone. */
  private void endLeading() {
    byte[] last = lastGone;
    if (isLeading && last != null && gone >= GONE_MIN) {
      index.noteGone(range, cursor, last, gone);
    }
    isLeading = false;
    lastGone = null;
  }
}
