package io.gpdb.planner.constraint;

import java.util.Arrays;

/**
 * Distinct keys of one width in the order in which they were added: a hash table of their numbers,
 * open addressing.
 */
final class KeyTable {
  private static final int SMALLEST = 16;

  private final int width;
  private long[] keys = {};
  private int[] slots = new int[SMALLEST];
  private int count;

  KeyTable(int width) {
    this.width = width;
  }

  int count() {
    return count;
  }

  int width() {
    return width;
  }

  /** All keys, one after the other; not to be changed, and longer than they are. */
  long[] values() {
    return keys;
  }

  long[] key(int number) {
    return Arrays.copyOfRange(keys, number * width, (number + 1) * width);
  }

  /** Adds the key unless it is there; returns its number, or -1 - number where it was there. */
  int add(long[] key) {
    if (2 * (count + 1) > slots.length) {
      grow();
    }
    int at = place(key);
    if (slots[at] != 0) {
      return -slots[at];
    }
    if ((count + 1) * width > keys.length) {
      keys = Arrays.copyOf(keys, Math.max(SMALLEST, 2 * (count + 1) * width));
    }
    System.arraycopy(key, 0, keys, count * width, width);
    slots[at] = ++count;
    return count - 1;
  }

  /** The number of the key, or -1. */
  int find(long[] key) {
    return slots[place(key)] - 1;
  }

  private int place(long[] key) {
    long hash = 0;
    for (int i = 0; i < width; i++) {
      hash = (hash ^ key[i]) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 29;
    }
    int mask = slots.length - 1;
    int at = (int) (hash >>> 32) & mask;
    while (slots[at] != 0 && !isAt((slots[at] - 1) * width, key)) {
      at = at + 1 & mask;
    }
    return at;
  }

  private boolean isAt(int start, long[] key) {
    for (int i = 0; i < width; i++) {
      if (keys[start + i] != key[i]) {
        return false;
      }
    }
    return true;
  }

  private void grow() {
    slots = new int[slots.length * 2];
    for (int i = 0; i < count; i++) {
      slots[place(key(i))] = i + 1;
    }
  }
}
