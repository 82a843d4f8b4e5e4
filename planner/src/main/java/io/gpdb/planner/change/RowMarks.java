package io.gpdb.planner.change;

import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import java.util.HashMap;
import java.util.Map;

/** Rows of a table that a statement has named: a bit for each row of the tablets that have any. */
final class RowMarks implements AutoCloseable {
  private final BatchMemory memory = new BatchMemory();
  private final Map<Long, HostBuffer> marks = new HashMap<>();

  /** Marks a row; false where it was marked before. */
  boolean add(long row) {
    HostBuffer ofTablet =
        marks.computeIfAbsent(row / Tablet.ROWS, tablet -> memory.bitmap(Tablet.ROWS));
    int at = (int) (row % Tablet.ROWS);
    if (Bitmaps.test(ofTablet, at)) {
      return false;
    }
    Bitmaps.set(ofTablet, at, true);
    return true;
  }

  @Override
  public void close() {
    memory.close();
  }
}
