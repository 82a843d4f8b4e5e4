package io.gpdb.planner.keyed;

import java.util.Arrays;

/** The keys of rows that a batch inserts: a hash table, open addressing. For one thread. */
final class InsertedKeys {
  private static final long[] NONE = new long[0];

  private final int width;
  private final int mask;
  private long[] keys = NONE;
  private boolean[] used = new boolean[0];

  /**
   * @param most keys are added
   */
  InsertedKeys(int width, int most) {
    this.width = width;
    mask = Integer.highestOneBit(Math.max(1, most)) * 4 - 1;
  }

  boolean isEmpty() {
    return used.length == 0;
  }

  boolean contains(long[] key) {
    return !isEmpty() && used[place(key)];
  }

  void add(long[] key) {
    if (isEmpty()) {
      keys = new long[(mask + 1) * width];
      used = new boolean[mask + 1];
    }
    int at = place(key);
    used[at] = true;
    System.arraycopy(key, 0, keys, at * width, width);
  }

  private int place(long[] key) {
    long hash = 0;
    for (long part : key) {
      hash = (hash ^ part) * 0x9E3779B97F4A7C15L;
    }
    int at = (int) (hash >>> 32) & mask;
    while (used[at] && !Arrays.equals(keys, at * width, (at + 1) * width, key, 0, width)) {
      at = (at + 1) & mask;
    }
    return at;
  }
}
