package io.gpdb.planner.run;

import io.gpdb.storage.column.KeyHash;
import io.gpdb.storage.memory.HostBuffer;

/**
 * How rows are kept as words, one row after the other: the first words say which row it is, the
 * others come with it.
 *
 * @param width words of a row
 * @param compared how many of them say which row it is
 */
record WordRow(int width, int compared) {
  long bytes() {
    return (long) width * Long.BYTES;
  }

  long hash(long[] row) {
    long hash = 0;
    for (int i = 0; i < compared; i++) {
      hash = KeyHash.hash(hash * 31 + row[i]);
    }
    return hash;
  }

  void read(HostBuffer words, long number, long[] row) {
    words.read(number * width, row, 0, width);
  }

  /** Whether the row of a number is that one. */
  boolean isAt(HostBuffer words, long number, long[] row) {
    for (int i = 0; i < compared; i++) {
      if (words.longAt(number * width + i) != row[i]) {
        return false;
      }
    }
    return true;
  }
}
