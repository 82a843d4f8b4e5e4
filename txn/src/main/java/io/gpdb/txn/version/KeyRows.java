package io.gpdb.txn.version;

import io.gpdb.storage.error.StopSignal;
import io.gpdb.txn.api.RowCursor;

/** The rows that have one key, by descending number, as one reader sees them. */
public final class KeyRows implements RowCursor {
  private final RowReader reader;
  private final ReadPoint readPoint;
  private final int ordinal;
  private final long[] key;
  private long last = Long.MAX_VALUE - 1;

  public KeyRows(RowReader reader, ReadPoint readPoint, int ordinal, long[] key) {
    this.reader = reader;
    this.readPoint = readPoint;
    this.ordinal = ordinal;
    this.key = key;
  }

  @Override
  public int next(long[] rows) {
    int count = 0;
    while (count < rows.length && last >= 0) {
      StopSignal.poll(count);
      last = reader.findByKeyBelow(readPoint, ordinal, key, last);
      if (last >= 0) {
        rows[count++] = last;
      }
    }
    return count;
  }
}
