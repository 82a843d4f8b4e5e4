package io.gpdb.exec.library.change;

import io.gpdb.storage.memory.HostBuffer;

/**
 * The bits of some rows of a bitmap, changed in an array and written back together: loops over
 * buffers are slow until they are compiled. Nobody else changes the bitmap meanwhile.
 */
final class HostBits {
  private final HostBuffer bitmap;
  private final int first;
  private final int[] words;

  /** Of at least one row. */
  HostBits(HostBuffer bitmap, int[] rows) {
    int least = rows[0];
    int greatest = rows[0];
    for (int row : rows) {
      least = Math.min(least, row);
      greatest = Math.max(greatest, row);
    }
    this.bitmap = bitmap;
    first = least >>> 5;
    words = new int[(greatest >>> 5) - first + 1];
    bitmap.read(first, words, 0, words.length);
  }

  void clear(int row) {
    words[(row >>> 5) - first] &= ~(1 << row);
  }

  void set(int row) {
    words[(row >>> 5) - first] |= 1 << row;
  }

  void write() {
    bitmap.write(first, words, 0, words.length);
  }
}
