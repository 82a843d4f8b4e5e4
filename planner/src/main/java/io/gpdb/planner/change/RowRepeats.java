package io.gpdb.planner.change;

import java.util.Arrays;

/**
 * Which rows a batch names again: a hash table of row + 1, open addressing, that counts how often
 * each row was named and remembers which place named it last.
 */
public final class RowRepeats {
  private final long[] keys;
  private final int[] counts;
  private final int[] last;

  public RowRepeats(int rows) {
    int size = Integer.highestOneBit(Math.max(1, rows)) * 4;
    keys = new long[size];
    counts = new int[size];
    last = new int[size];
  }

  /** Notes that {@code position} names the row; returns how often it was named before. */
  public int note(long row, int position) {
    int at = place(row);
    keys[at] = row + 1;
    last[at] = position;
    return counts[at]++;
  }

  public boolean contains(long row) {
    return keys[place(row)] != 0;
  }

  /** The position that named the row last. */
  public int last(long row) {
    return last[place(row)];
  }

  private int place(long row) {
    int mask = keys.length - 1;
    int at = (int) ((row * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (keys[at] != 0 && keys[at] != row + 1) {
      at = (at + 1) & mask;
    }
    return at;
  }

  /**
   * Positions in the order of their rounds, in a round in order.
   *
   * @param rounds by position; -1 for none
   * @param starts takes where each round begins, and the end
   */
  public static int[] byRound(int[] rounds, int n, int[] starts) {
    Arrays.fill(starts, 0);
    for (int i = 0; i < n; i++) {
      if (rounds[i] >= 0) {
        starts[rounds[i] + 1]++;
      }
    }
    for (int r = 1; r < starts.length; r++) {
      starts[r] += starts[r - 1];
    }
    int[] order = new int[starts[starts.length - 1]];
    int[] next = starts.clone();
    for (int i = 0; i < n; i++) {
      if (rounds[i] >= 0) {
        order[next[rounds[i]]++] = i;
      }
    }
    return order;
  }
}
