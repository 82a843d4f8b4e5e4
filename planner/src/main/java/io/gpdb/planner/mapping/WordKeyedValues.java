package io.gpdb.planner.mapping;

import io.gpdb.storage.column.KeyHash;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Values by keys of one word for each column, in open addressing: about 50 bytes for a key of two,
 * where a map of lists takes 200.
 */
final class WordKeyedValues {
  private static final int LEAST_SLOTS = 1024;
  private static final Object NULL = new Null();

  /** In the place of a value that is NULL. */
  private record Null() {}

  private final int width;
  private final long[] sought;
  private long[] keys;

  /** Null where a slot is free. */
  private @Nullable Object[] values;

  private int size;

  /**
   * Makes one without keys.
   *
   * @param width words of a key
   */
  WordKeyedValues(int width) {
    this.width = width;
    this.sought = new long[width];
    this.keys = new long[LEAST_SLOTS * width];
    this.values = new Object[LEAST_SLOTS];
  }

  int size() {
    return size;
  }

  /** The key that the next {@link #put} or {@link #find} is about, one word at a time. */
  void seek(int column, long word) {
    sought[column] = word;
  }

  /** Adds the value of the key, or replaces it. */
  void put(@Nullable Object value) {
    if (2 * size >= values.length) {
      grow();
    }
    int slot = slot();
    if (values[slot] == null) {
      size++;
      System.arraycopy(sought, 0, keys, slot * width, width);
    }
    values[slot] = value == null ? NULL : value;
  }

  /** The key's value in an array of one; null where there is no such key. */
  @Nullable Object @Nullable [] find() {
    Object value = values[slot()];
    return value == null ? null : new @Nullable Object[] {value instanceof Null ? null : value};
  }

  /** Where the key is, or is to be put. */
  private int slot() {
    int mask = values.length - 1;
    int slot = (int) KeyHash.of(sought, 0, width) & mask;
    while (values[slot] != null && !isSought(slot)) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private boolean isSought(int slot) {
    int from = slot * width;
    return Arrays.equals(keys, from, from + width, sought, 0, width);
  }

  private void grow() {
    long[] oldKeys = keys;
    @Nullable Object[] oldValues = values;
    long[] current = sought.clone();
    keys = new long[2 * oldKeys.length];
    values = new Object[2 * oldValues.length];
    for (int old = 0; old < oldValues.length; old++) {
      if (oldValues[old] != null) {
        System.arraycopy(oldKeys, old * width, sought, 0, width);
        int slot = slot();
        System.arraycopy(sought, 0, keys, slot * width, width);
        values[slot] = oldValues[old];
      }
    }
    System.arraycopy(current, 0, sought, 0, width);
  }
}
