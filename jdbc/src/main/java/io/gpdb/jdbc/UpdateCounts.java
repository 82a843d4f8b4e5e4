package io.gpdb.jdbc;

import io.gpdb.storage.column.ShortLoops;

/** Numbers of changed rows, of the rows of a batch. */
final class UpdateCounts {
  private UpdateCounts() {}

  static int[] asInts(long[] counts) {
    int[] ints = new int[counts.length];
    for (int i = 0; i < ints.length; i = ShortLoops.end(i, ints.length)) {
      asInts(counts, i, ShortLoops.end(i, ints.length), ints);
    }
    return ints;
  }

  private static void asInts(long[] counts, int from, int to, int[] ints) {
    for (int i = from; i < to; i++) {
      ints[i] = StatementOptions.asInt(counts[i]);
    }
  }
}
