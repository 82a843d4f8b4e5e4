package io.gpdb.planner.change;

import io.gpdb.exec.Device;
import io.gpdb.storage.column.ShortLoops;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.RowsByTablet;

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
    /** Fewer rows fit a processor's cache, and are noted before other threads have woken up. */
    private static final int SHARED_ROWS_MIN = 1 << 16;

    private static final int PIECES_MAX = 64;

    private final long[] rows;
    private final int[] next;
    private final boolean[] follows;

    private Lists(long[] rows, int n) {
      this.rows = rows;
      next = new int[n];
      follows = new boolean[n];
    }

    /**
     * By one hash table of all rows.
     *
     * @param rows by place; places with a negative one name no row
     */
    public static Lists of(long[] rows, int n) {
      Lists lists = new Lists(rows, n);
      RowRepeats repeats = new RowRepeats(rows, n);
      for (int i = 0; i < n; i = ShortLoops.end(i, n)) {
        lists.note(repeats, i, ShortLoops.end(i, n));
      }
      return lists;
    }

    /** As {@link #of(long[], int)}; of many rows by an array for each tablet, by all threads. */
    public static Lists of(long[] rows, int n, int tablets, Device device) {
      return n < SHARED_ROWS_MIN
          ? of(rows, n)
          : byTablet(rows, n, new RowsByTablet(rows, n, tablets), device);
    }

    private static Lists byTablet(long[] rows, int n, RowsByTablet order, Device device) {
      Lists lists = new Lists(rows, n);
      int pieces = Math.min(order.tablets(), PIECES_MAX);
      device.share(
          pieces,
          piece -> {
            int[] last = new int[Tablet.ROWS];
            for (int t = piece; t < order.tablets(); t += pieces) {
              StopSignal.poll();
              lists.note(order, order.start(t), order.start(t + 1), last);
            }
          });
      return lists;
    }

    private void note(RowRepeats repeats, int from, int to) {
      for (int i = from; i < to; i++) {
        StopSignal.poll(i);
        int before = rows[i] < 0 ? -1 : repeats.note(i);
        if (before >= 0) {
          follow(before, i);
        }
      }
    }

    /** The rows of one tablet. {@code last} holds zeros before and after. */
    private void note(RowsByTablet order, int from, int to, int[] last) {
      for (int at = from; at < to; at++) {
        int place = order.place(at);
        int row = (int) (rows[place] % Tablet.ROWS);
        if (last[row] != 0) {
          follow(last[row] - 1, place);
        }
        last[row] = place + 1;
      }
      for (int at = from; at < to; at++) {
        last[(int) (rows[order.place(at)] % Tablet.ROWS)] = 0;
      }
    }

    private void follow(int before, int place) {
      next[before] = place;
      follows[place] = true;
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
