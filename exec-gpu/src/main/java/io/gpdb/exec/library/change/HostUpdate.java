package io.gpdb.exec.library.change;

import static io.gpdb.exec.library.change.HostColumn.host;
import static io.gpdb.exec.library.change.HostColumn.isHosts;

import io.gpdb.storage.column.RowWords;
import java.util.ArrayList;
import java.util.List;

/**
 * What the kernels of a {@link GridApplyUpdate} do, in plain loops, as {@link HostBatch} does for
 * batches: for some thousand rows in the host's memory, none of whose values is NULL.
 */
public final class HostUpdate {
  private HostUpdate() {}

  /** Captures, logs where there are logs, and stores; false where a kernel has to. */
  public static boolean redo(List<ColumnUpdate> updates) {
    if (!takes(updates)) {
      return false;
    }
    List<HostColumn> prepared = new ArrayList<>(updates.size());
    for (ColumnUpdate update : updates) {
      int[] rows = HostColumn.ints(host(update.rows), update.n);
      int width = update.element.bytes();
      HostColumn column = new HostColumn(width, rows, host(update.columnValues));
      RowWords values = new RowWords(width, update.n).read(host(update.newValues));
      column.prepare(values, host(update.undoValues), update.log);
      prepared.add(column);
    }
    prepared.forEach(HostColumn::store);
    return true;
  }

  private static boolean takes(List<ColumnUpdate> updates) {
    long rows = 0;
    for (ColumnUpdate update : updates) {
      rows += update.n;
      if (rows > HostBatch.ROWS_MAX
          || !isHosts(update.rows)
          || !isHosts(update.newValues)
          || update.newValidity != null
          || !isHosts(update.columnValues)
          || update.columnValidity != null
          || !isHosts(update.undoValues)
          || !isHosts(update.log)) {
        return false;
      }
    }
    return true;
  }
}
