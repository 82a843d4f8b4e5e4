package io.gpdb.planner.run;

import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;

/**
 * Rows of words in the order of the first bits of their hashes, found by counting. Rows with the
 * same bits are a bucket.
 *
 * @param bits of a hash that count, fewer than 32
 */
record HashOrder(WordRow layout, int bits) {
  /** An order in which a bucket has about so many rows. */
  static HashOrder of(WordRow layout, long rows, int rowsOfBucket) {
    long buckets = Math.max(1, rows / rowsOfBucket);
    return new HashOrder(layout, Long.SIZE - 1 - Long.numberOfLeadingZeros(buckets));
  }

  int buckets() {
    return 1 << bits;
  }

  int bucket(long[] row) {
    return bits == 0 ? 0 : (int) (layout.hash(row) >>> (Long.SIZE - bits));
  }

  /**
   * Orders rows of some buckets.
   *
   * @param words of rows
   * @param from the first row
   * @param count of rows
   * @param first bucket
   * @param buckets how many there are from the first on
   * @param ends by bucket, from the first on, the place after its last row, and that of the first
   *     row before; two more than buckets, of which those before the first are known
   * @param order the numbers of the rows, from {@code from} on, in that order
   */
  void sort(
      HostBuffer words,
      int from,
      int count,
      int first,
      int buckets,
      HostBuffer ends,
      HostBuffer order) {
    int begin = ends.intAt(first);
    for (int i = 1; i < buckets + 2; i++) {
      ends.setInt(first + i, 0);
    }
    long[] row = new long[layout.width()];
    for (int i = from; i < from + count; i++) {
      StopSignal.poll(i);
      int place = bucket(words, i, row) + 2;
      ends.setInt(place, ends.intAt(place) + 1);
    }
    ends.setInt(first + 1, begin);
    for (int i = first + 2; i < first + buckets + 2; i++) {
      ends.setInt(i, ends.intAt(i) + ends.intAt(i - 1));
    }
    for (int i = from; i < from + count; i++) {
      StopSignal.poll(i);
      int place = bucket(words, i, row) + 1;
      int at = ends.intAt(place);
      order.setInt(at - begin, i);
      ends.setInt(place, at + 1);
    }
  }

  private int bucket(HostBuffer words, int number, long[] row) {
    layout.read(words, number, row);
    return bucket(row);
  }
}
