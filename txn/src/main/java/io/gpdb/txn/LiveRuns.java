package io.gpdb.txn;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.Arrays;

/** The live rows of a tablet as runs of neighbours, to copy columns without the others. */
final class LiveRuns {
  private int[] from = new int[16];
  private int[] to = new int[16];
  private int runs;
  private int rows;

  /** The runs of set bits among the first n. */
  LiveRuns(HostBuffer live, int n) {
    int at = Bitmaps.next(live, 0, n, true);
    while (at < n) {
      int end = Bitmaps.next(live, at, n, false);
      add(at, end);
      at = Bitmaps.next(live, end, n, true);
    }
  }

  private void add(int start, int end) {
    if (runs == from.length) {
      from = Arrays.copyOf(from, runs * 2);
      to = Arrays.copyOf(to, runs * 2);
    }
    from[runs] = start;
    to[runs++] = end;
    rows += end - start;
  }

  /** How many rows are live. */
  int rows() {
    return rows;
  }

  /** Copies the live rows' values of that width next to each other. */
  void copyValues(DeviceBuffer source, int width, HostBuffer target) {
    long at = 0;
    for (int i = 0; i < runs; i++) {
      long bytes = (long) (to[i] - from[i]) * width;
      target.copyFrom(source, (long) from[i] * width, at, bytes);
      at += bytes;
    }
  }

  /** Copies the live rows' bits next to each other. */
  void copyBits(HostBuffer source, HostBuffer target) {
    int at = 0;
    for (int i = 0; i < runs; i++) {
      int n = to[i] - from[i];
      Bitmaps.copyRange(source, from[i], target, at, n);
      at += n;
    }
  }
}
