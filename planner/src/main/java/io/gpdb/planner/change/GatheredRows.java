package io.gpdb.planner.change;

import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.GroupedRows;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TableWriter;
import java.util.Arrays;

/**
 * Distinct rows of many tablets with their new values, which are changed together: for protocols
 * that wait for the medium with each change.
 */
final class GatheredRows implements AutoCloseable {
  private static final int ROWS_MAX = 4 * Tablet.ROWS;

  private final TableWriter writer;
  private final TableReader reader;
  private final int[] columns;
  private final ElementType[] elements;
  private final long[] rows;
  private final RowBuffer values;
  private int count;

  GatheredRows(TableWriter writer, TableReader reader, int[] columns, ElementType[] elements) {
    this.writer = writer;
    this.reader = reader;
    this.columns = columns;
    this.elements = elements;
    long capacity = Math.clamp(reader.rowLimit(), 1, ROWS_MAX);
    rows = new long[(int) capacity];
    values = new RowBuffer(elements, rows.length);
  }

  /**
   * Takes n rows; changes those so far when there is no room.
   *
   * @param rowIds i64[n]
   * @param data the new values, by column
   */
  void add(HostBuffer rowIds, int n, ColumnView[] data) {
    for (int from = 0; from < n; ) {
      if (count == rows.length) {
        flush();
      }
      int part = Math.min(n - from, rows.length - count);
      rowIds.read(from, rows, count, part);
      for (int c = 0; c < data.length; c++) {
        copy(c, data[c], from, part);
      }
      count += part;
      from += part;
    }
  }

  private void copy(int c, ColumnView data, int from, int n) {
    long bytes = elements[c].bytes();
    values.values(c).copyFrom(data.values(), from * bytes, count * bytes, n * bytes);
    DeviceBuffer bits = data.validity();
    HostBuffer validity = bits == null ? null : bits.onHost();
    for (int i = 0; validity != null && i < n; i++) {
      if (!Bitmaps.test(validity, from + i)) {
        values.setNull(c, count + i);
      }
    }
  }

  /** Changes everything gathered. */
  void flush() {
    if (count == 0) {
      return;
    }
    int[] all = new int[count];
    Arrays.setAll(all, i -> i);
    try (BatchMemory memory = new BatchMemory()) {
      writer.update(
          GroupedRows.of(rows, all, count, reader.tabletLimit(), memory),
          columns,
          values.columns());
    }
    values.clear();
    count = 0;
  }

  @Override
  public void close() {
    values.close();
  }
}
