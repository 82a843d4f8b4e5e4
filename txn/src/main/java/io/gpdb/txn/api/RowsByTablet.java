package io.gpdb.txn.api;

import io.gpdb.storage.column.ShortLoops;
import io.gpdb.storage.tablet.Tablet;

/** The places of a list of rows in the order of their tablets: a counting sort. */
public final class RowsByTablet {
  private final int[] starts;
  private final int[] order;

  /**
   * @param rows by place, the first n count; those that are negative, or behind the last tablet,
   *     are in none
   */
  public RowsByTablet(long[] rows, int n, int tablets) {
    starts = new int[tablets + 1];
    int[] next = new int[tablets + 1];
    for (int i = 0; i < n; i = ShortLoops.end(i, n)) {
      count(rows, tablets, i, ShortLoops.end(i, n), next);
    }
    int at = 0;
    for (int t = 0; t <= tablets; t++) {
      int count = next[t];
      starts[t] = at;
      next[t] = at;
      at += count;
    }
    order = new int[n];
    for (int i = 0; i < n; i = ShortLoops.end(i, n)) {
      place(rows, tablets, i, ShortLoops.end(i, n), next);
    }
  }

  private static void count(long[] rows, int tablets, int from, int to, int[] counts) {
    for (int i = from; i < to; i++) {
      counts[tablet(rows[i], tablets)]++;
    }
  }

  private void place(long[] rows, int tablets, int from, int to, int[] next) {
    for (int i = from; i < to; i++) {
      order[next[tablet(rows[i], tablets)]++] = i;
    }
  }

  private static int tablet(long row, int tablets) {
    return row < 0 || row / Tablet.ROWS >= tablets ? tablets : (int) (row / Tablet.ROWS);
  }

  public int tablets() {
    return starts.length - 1;
  }

  /** Where the tablet's places begin. */
  public int start(int tablet) {
    return starts[tablet];
  }

  /** The place in the list, of those between the tablet's start and the next one's. */
  public int place(int at) {
    return order[at];
  }
}
