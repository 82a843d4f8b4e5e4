package io.gpdb.exec.library.change;

import io.gpdb.storage.column.ShortLoops;
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
    this.bitmap = bitmap;
    first = ShortLoops.least(rows) >>> 5;
    words = new int[(ShortLoops.greatest(rows) >>> 5) - first + 1];
    bitmap.read(first, words, 0, words.length);
  }

  void clear(int row) {
    words[(row >>> 5) - first] &= ~(1 << row);
  }

  void clear(int[] rows) {
    for (int i = 0; i < rows.length; i = ShortLoops.end(i, rows.length)) {
      clear(rows, i, ShortLoops.end(i, rows.length));
    }
  }

  private void clear(int[] rows, int from, int to) {
    for (int i = from; i < to; i++) {
      clear(rows[i]);
    }
  }

  void set(int row) {
    words[(row >>> 5) - first] |= 1 << row;
  }

  void write() {
    bitmap.write(first, words, 0, words.length);
  }
}
