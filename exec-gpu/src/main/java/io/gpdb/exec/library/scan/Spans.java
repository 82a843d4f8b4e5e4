package io.gpdb.exec.library.scan;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.SelectedRows;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.ArrayList;
import java.util.List;

/** The places of tablets' rows in buffers that they share. */
final class Spans {
  private final List<Long> starts = new ArrayList<>();
  private final List<Integer> counts = new ArrayList<>();
  private final int alignment;
  private long end;

  /**
   * @param alignment each tablet's rows begin at a multiple of it
   */
  Spans(int alignment) {
    this.alignment = alignment;
  }

  /** How many tablets there are. */
  int count() {
    return counts.size();
  }

  /** Where the rows of the last tablet end. */
  long end() {
    return end;
  }

  /** Where the next tablet's rows begin. */
  long next() {
    return (end + alignment - 1) / alignment * alignment;
  }

  void add(int count) {
    starts.add(next());
    counts.add(count);
    end = starts.getLast() + count;
  }

  /** Binds each tablet's part of a buffer. */
  void bind(int buffer, int width, DeviceBuffer all, List<Arguments> arguments) {
    for (int g = 0; g < arguments.size(); g++) {
      DeviceBuffer own = all.slice(starts.get(g) * width, (long) counts.get(g) * width);
      arguments.get(g).buffer(buffer, own);
    }
  }

  /** A tablet's rows, which begin at a multiple of 8. */
  SelectedRows of(int tablet, SelectedRows all) {
    long start = starts.get(tablet);
    int count = counts.get(tablet);
    List<DenseColumn> columns = new ArrayList<>();
    for (DenseColumn column : all.columns()) {
      long width = column.element().bytes();
      DeviceBuffer bitmap = column.validity();
      columns.add(
          new DenseColumn(
              column.element(),
              column.values().slice(start * width, count * width),
              bitmap == null
                  ? null
                  : bitmap.slice(start / Byte.SIZE, DenseColumn.bitmapBytes(count))));
    }
    DeviceBuffer ids = all.rowIds();
    DeviceBuffer own = ids == null ? null : ids.slice(start << 2, (long) count << 2);
    return new SelectedRows(count, own, columns);
  }
}
