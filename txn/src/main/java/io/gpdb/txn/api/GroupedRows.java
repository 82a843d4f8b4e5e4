package io.gpdb.txn.api;

import io.gpdb.storage.column.ShortLoops;
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
    int[] next = firstOfTablets(rowIds, chosen, n, tabletCount);
    int groups = 0;
    for (int t = 0; t < tabletCount; t++) {
      groups += next[t + 1] > next[t] ? 1 : 0;
    }
    int[] tablets = new int[groups];
    int[] starts = new int[groups + 1];
    int group = 0;
    for (int t = 0; t < tabletCount; t++) {
      if (next[t + 1] > next[t]) {
        tablets[group] = t;
        starts[++group] = next[t + 1];
      }
    }
    int[] rows = new int[n];
    int[] positions = new int[n];
    for (int i = 0; i < n; i = ShortLoops.end(i, n)) {
      place(rowIds, chosen, i, ShortLoops.end(i, n), next, rows, positions);
    }
    return new GroupedRows(tablets, starts, pinned(rows, memory), pinned(positions, memory));
  }

  private static void place(
      long[] rowIds, int[] chosen, int from, int to, int[] next, int[] rows, int[] positions) {
    for (int i = from; i < to; i++) {
      long row = rowIds[chosen[i]];
      int at = next[(int) (row / Tablet.ROWS)]++;
      rows[at] = (int) (row % Tablet.ROWS);
      positions[at] = chosen[i];
    }
  }

  /** Where each tablet's rows begin among those grouped; behind the last the number of all. */
  private static int[] firstOfTablets(long[] rowIds, int[] chosen, int n, int tabletCount) {
    int[] first = new int[tabletCount + 1];
    for (int i = 0; i < n; i = ShortLoops.end(i, n)) {
      count(rowIds, chosen, i, ShortLoops.end(i, n), first);
    }
    for (int t = 0; t < tabletCount; t++) {
      first[t + 1] += first[t];
    }
    return first;
  }

  private static void count(long[] rowIds, int[] chosen, int from, int to, int[] behind) {
    for (int i = from; i < to; i++) {
      behind[(int) (rowIds[chosen[i]] / Tablet.ROWS) + 1]++;
    }
  }

  private static HostBuffer pinned(int[] numbers, BufferAllocator memory) {
    HostBuffer buffer = memory.pin(4L * numbers.length);
    buffer.write(0, numbers, 0, numbers.length);
    return buffer;
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
