package io.gpdb.exec.library.move;

import io.gpdb.exec.library.base.HostLoop;
import io.gpdb.storage.memory.HostBuffer;

/**
 * Which values are in which bucket: those below the first bound in the first, and so on; and where
 * those of a bucket are in each piece of a buffer. Threads write different pieces.
 */
final class SortBuckets {
  private final long[] bounds;
  private final int count;

  /** By piece: where each bucket begins in it, and the end of the last. */
  private final int[][] starts;

  /**
   * @param bounds a power of 2 less 1, ascending
   */
  SortBuckets(long[] bounds, int pieces) {
    this.bounds = bounds;
    count = bounds.length + 1;
    starts = new int[pieces][];
  }

  int count() {
    return count;
  }

  private int bucket(long value) {
    int at = 0;
    for (int step = count >> 1; step > 0; step >>= 1) {
      at += bounds[at + step - 1] <= value ? step : 0;
    }
    return at;
  }

  /**
   * The values of a piece bucket by bucket, each in the order in which they came.
   *
   * @param other of as many elements
   */
  long[] divided(int piece, long[] values, long[] other) {
    int[] ends = new int[count + 1];
    short[] of = new short[values.length];
    HostLoop.run(0, values.length, (from, end) -> find(values, from, end, of, ends));
    for (int b = 0; b < count; b++) {
      ends[b + 1] += ends[b];
    }
    starts[piece] = ends.clone();
    HostLoop.run(0, values.length, (from, end) -> move(values, from, end, of, ends, other));
    return other;
  }

  /** {@code counts[b + 1]} = values of bucket b. */
  private void find(long[] values, int from, int end, short[] of, int[] counts) {
    for (int i = from; i < end; i++) {
      int bucket = bucket(values[i]);
      of[i] = (short) bucket;
      counts[bucket + 1]++;
    }
  }

  private static void move(long[] values, int from, int end, short[] of, int[] next, long[] to) {
    for (int i = from; i < end; i++) {
      to[next[of[i]]++] = values[i];
    }
  }

  /** Where each bucket begins among all values. */
  int[] starts() {
    int[] all = new int[count];
    int at = 0;
    for (int b = 0; b < count; b++) {
      all[b] = at;
      for (int[] piece : starts) {
        at += piece[b + 1] - piece[b];
      }
    }
    return all;
  }

  /** The values of a bucket, piece after piece. */
  long[] gathered(int bucket, HostBuffer pieces, int pieceRows) {
    int rows = 0;
    for (int[] piece : starts) {
      rows += piece[bucket + 1] - piece[bucket];
    }
    long[] values = new long[rows];
    int at = 0;
    for (int p = 0; p < starts.length; p++) {
      int from = starts[p][bucket];
      int own = starts[p][bucket + 1] - from;
      pieces.read((long) p * pieceRows + from, values, at, own);
      at += own;
    }
    return values;
  }
}
