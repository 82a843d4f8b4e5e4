package io.gpdb.planner.change;

import io.gpdb.sql.definition.KeyDef;
import io.gpdb.storage.column.ColumnView;
import java.util.Arrays;

/**
 * The keys of new rows, as their index compares them, and which rows have the same: a hash table of
 * positions, open addressing. For one thread.
 */
final class NewKeys {
  private final long[] keys;
  private final boolean[] absent;
  private final int width;
  private final int[] table;

  NewKeys(KeyDef key, ColumnView[] data, int n) {
    int[] columns = key.columns();
    width = columns.length;
    keys = new long[n * width];
    absent = new boolean[n];
    for (int k = 0; k < width; k++) {
      ColumnView values = data[columns[k]].onHost();
      for (int i = 0; i < n; i++) {
        absent[i] |= values.isNull(i);
        keys[i * width + k] = values.type().keyOf(values.raw(i));
      }
    }
    table = new int[Integer.highestOneBit(Math.max(1, n)) * 4];
    Arrays.fill(table, -1);
  }

  /** Whether a part of the row's key is NULL, so that no other row has it. */
  boolean isAbsent(int i) {
    return absent[i];
  }

  /** The key's raw values. */
  long[] key(int i) {
    return Arrays.copyOfRange(keys, i * width, (i + 1) * width);
  }

  int width() {
    return width;
  }

  /** The row that was noted with the key of row i, or -1. */
  int noted(int i) {
    return absent[i] ? -1 : table[place(i)];
  }

  /** Notes a row; it takes the place of one with the same key. */
  void note(int i) {
    if (!absent[i]) {
      table[place(i)] = i;
    }
  }

  private int place(int i) {
    long hash = 0;
    for (int k = 0; k < width; k++) {
      hash = (hash ^ keys[i * width + k]) * 0x9E3779B97F4A7C15L;
    }
    int mask = table.length - 1;
    int at = (int) (hash >>> 32) & mask;
    while (table[at] >= 0 && !same(table[at], i)) {
      at = at + 1 & mask;
    }
    return at;
  }

  private boolean same(int a, int b) {
    return Arrays.equals(keys, a * width, (a + 1) * width, keys, b * width, (b + 1) * width);
  }
}
