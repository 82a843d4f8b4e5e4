package io.gpdb.txn.api;

import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.memory.HostBuffer;
import java.util.List;

/**
 * Distinct rows of one tablet that a statement changes.
 *
 * @param rows i32 row in the tablet, n of them
 * @param areLeft whether a scan left the rows, in ascending order, in {@link
 *     TableWriter#memoryForRows}, where they stay; others are copied
 * @param values the new values by set column, n of each in the order of the rows; none where the
 *     rows are deleted
 */
public record TabletRows(
    int tablet, HostBuffer rows, int n, boolean areLeft, List<ColumnView> values) {

  /** Rows in memory of the caller. */
  public TabletRows(int tablet, HostBuffer rows, int n, List<ColumnView> values) {
    this(tablet, rows, n, false, values);
  }
}
