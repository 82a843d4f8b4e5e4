package io.gpdb.planner.change;

import io.gpdb.storage.column.ShortLoops;
import io.gpdb.storage.error.StopSignal;

/**
 * Which rows a batch names several times: a hash table of places in the batch, open addressing,
 * which keeps of each row the place that named it last.
 */
public final class RowRepeats {
  private final long[] rows;

  /** Place + 1; 0 where nothing is. */
  private final int[] table;

  /**
   * @param rows by place; the first n count
   */
  public RowRepeats(long[] rows, int n) {
    this.rows = rows;
    table = new int[Integer.highestOneBit(Math.max(1, n)) * 4];
  }

  /** Notes that a place names its row; returns the place noted before for that row, or -1. */
  public int note(int place) {
    int at = slot(place);
    int before = table[at] - 1;
    table[at] = place + 1;
    return before;
  }

  /** The place noted last that names the same row, or -1. */
  public int noted(int place) {
    return table[slot(place)] - 1;
  }

  private int slot(int place) {
    long row = rows[place];
    int mask = table.length - 1;
    int at = (int) ((row * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (table[at] != 0 && rows[table[at] - 1] != row) {
      at = (at + 1) & mask;
    }
    return at;
  }

  /** The places of each row as a list from the first to the last. */
  public static final class Lists {
    private final int[] next;
    private final boolean[] follows;

    /**
     * @param rows by place; places with a negative one name no row
     */
    public Lists(long[] rows, int n) {
      next = new int[n];
      follows = new boolean[n];
      RowRepeats repeats = new RowRepeats(rows, n);
      for (int i = 0; i < n; i = ShortLoops.end(i, n)) {
        note(repeats, i, ShortLoops.end(i, n));
      }
    }

    private void note(RowRepeats repeats, int from, int to) {
      for (int i = from; i < to; i++) {
        StopSignal.poll(i);
        int before = repeats.rows[i] < 0 ? -1 : repeats.note(i);
        if (before >= 0) {
          next[before] = i;
          follows[i] = true;
        }
      }
    }

    /** Whether no place after it names the row. */
    public boolean isLast(int place) {
      return next[place] == 0;
    }

    /** Whether no place before it names the row. */
    public boolean isFirst(int place) {
      return !follows[place];
    }

    /** The next place that names the row, 0 behind the last. */
    public int next(int place) {
      return next[place];
    }
  }
}
