package io.gpdb.txn.api;

import io.gpdb.storage.memory.BufferAllocator;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;

/**
 * Distinct rows of one table in groups, one for each tablet that has some. Row i of the list is row
 * {@code rows[i]} of its group's tablet and takes the parameters at {@code positions[i]}.
 */
public final class GroupedRows {
  private final int[] tablets;
  private final int[] starts;
  private final HostBuffer rows;
  private final HostBuffer positions;

  private GroupedRows(int[] tablets, int[] starts, HostBuffer rows, HostBuffer positions) {
    this.tablets = tablets;
    this.starts = starts;
    this.rows = rows;
    this.positions = positions;
  }

  /**
   * A counting sort by tablet.
   *
   * @param rowIds by position
   * @param chosen positions, n of them, whose rows are distinct
   */
  public static GroupedRows of(
      long[] rowIds, int[] chosen, int n, int tabletCount, BufferAllocator memory) {
    int[] counts = new int[tabletCount + 1];
    for (int i = 0; i < n; i++) {
      counts[(int) (rowIds[chosen[i]] / Tablet.ROWS) + 1]++;
    }
    int groups = 0;
    for (int t = 1; t < counts.length; t++) {
      groups += counts[t] > 0 ? 1 : 0;
    }
    int[] tablets = new int[groups];
    int[] starts = new int[groups + 1];
    int group = 0;
    for (int t = 0; t < tabletCount; t++) {
      int count = counts[t + 1];
      counts[t + 1] += counts[t];
      if (count > 0) {
        tablets[group] = t;
        starts[++group] = counts[t + 1];
      }
    }
    HostBuffer rows = memory.pin(4L * n);
    HostBuffer positions = memory.pin(4L * n);
    for (int i = 0; i < n; i++) {
      long row = rowIds[chosen[i]];
      int at = counts[(int) (row / Tablet.ROWS)]++;
      rows.setInt(at, (int) (row % Tablet.ROWS));
      positions.setInt(at, chosen[i]);
    }
    return new GroupedRows(tablets, starts, rows, positions);
  }

  public int groupCount() {
    return tablets.length;
  }

  /** Rows of all groups. */
  public int count() {
    return starts[tablets.length];
  }

  public int tablet(int group) {
    return tablets[group];
  }

  /** The list's number of the group's first row. */
  public int start(int group) {
    return starts[group];
  }

  public int count(int group) {
    return starts[group + 1] - starts[group];
  }

  /** Of all groups: i32 row in the tablet. */
  public HostBuffer rows() {
    return rows;
  }

  public HostBuffer rows(int group) {
    return rows.slice(4L * starts[group], 4L * count(group));
  }

  public HostBuffer positions(int group) {
    return positions.slice(4L * starts[group], 4L * count(group));
  }
}
