package io.gpdb.storage.index;

import java.lang.foreign.MemorySegment;

/**
 * Brings the entries of a leaf that were appended to it out of order into their places: they are
 * sorted, and merged from the last one on with those that are in order. Used by one thread at a
 * time, which holds the index's lock or is the only one that has the leaf.
 */
final class LeafSort {
  private final SortedEntries appended = new SortedEntries();
  private int[] offsets = {};

  /** Sorts a leaf; returns how many entries were there twice, and are there once now. */
  int sort(OrderedLeaf leaf) {
    int n = leaf.unsorted();
    if (n == 0) {
      return 0;
    }
    MemorySegment bytes = leaf.chunk().write();
    gather(bytes, n);
    int dropped = merge(bytes, n);
    leaf.sorted();
    return dropped;
  }

  private void gather(MemorySegment bytes, int n) {
    if (offsets.length < n) {
      offsets = new int[n];
    }
    appended.clear();
    int first = OrderedLeaf.count(bytes);
    for (int i = 0; i < n; i++) {
      offsets[i] = OrderedLeaf.offset(bytes, first + i);
      appended.add(bytes, first + i);
    }
    appended.sort();
  }

  /** What is merged ends where the appended slots end, and moves down by those left out. */
  private int merge(MemorySegment bytes, int n) {
    int count = OrderedLeaf.count(bytes);
    int end = count + n;
    int to = end;
    int left = count;
    for (int j = n - 1; j >= 0; j--) {
      if (j > 0 && appended.areEqual(j - 1, j)) {
        continue;
      }
      int start = appended.start(j);
      int length = appended.length(j);
      int place = below(bytes, left, start, length);
      boolean present =
          place < left && OrderedLeaf.compare(bytes, place, appended.bytes(), start, length) == 0;
      to -= left - place;
      OrderedLeaf.moveSlots(bytes, place, to, left - place);
      left = place;
      if (!present) {
        OrderedLeaf.setOffset(bytes, --to, offsets[appended.position(j)]);
      }
    }
    OrderedLeaf.moveSlots(bytes, to, left, end - to);
    OrderedLeaf.setCount(bytes, end - (to - left));
    return to - left;
  }

  /**
   * How many of the first entries are below an appended one. The search goes down from the last by
   * steps that double: where many entries are merged, the place is near.
   */
  private int below(MemorySegment bytes, int end, int start, int length) {
    byte[] probe = appended.bytes();
    int to = end;
    int step = 1;
    while (to > 0
        && OrderedLeaf.compare(bytes, Math.max(0, to - step), probe, start, length) >= 0) {
      to = Math.max(0, to - step);
      step *= 2;
    }
    return OrderedLeaf.below(bytes, Math.max(0, to - step), to, probe, start, length);
  }
}
