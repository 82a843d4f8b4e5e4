package io.gpdb.storage.index;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Leaves of an ordered index that are filled from left to right with entries that ascend, and which
 * entries have the key of the one before.
 */
final class BuiltLeaves {
  /** So full, that some entries have room before a leaf splits. */
  private static final long FILLED_BYTES = OrderedIndexLayout.LEAF_BYTES_MAX / 16L * 15;

  private final OrderedIndex index;
  private final boolean unique;
  private final List<OrderedLeaf> leaves = new ArrayList<>();

  /** The first and the last entry. */
  private final SortedEntries edges = new SortedEntries();

  private long entryCount;
  private long duplicate = Long.MAX_VALUE;
  private long[] cut = {};
  private int cutCount;

  BuiltLeaves(OrderedIndex index, boolean unique) {
    this.index = index;
    this.unique = unique;
  }

  /** Stores entries in leaves, for once. */
  void fill(SortedEntries entries) {
    int n = entries.count();
    if (n == 0) {
      return;
    }
    long left = 0;
    for (int i = 0; i < n; i++) {
      left += OrderedLeaf.roomOf(entries.length(i));
    }
    entryCount = n;
    for (int i = 0; i < n; ) {
      long leafCount = (left + FILLED_BYTES - 1) / FILLED_BYTES;
      int end = fillLeaf(entries, i, left / leafCount, leafCount == 1);
      for (; i < end; i++) {
        left -= OrderedLeaf.roomOf(entries.length(i));
        if (unique && i > 0 && entries.haveOneKey(i - 1, i)) {
          suspect(entries, i);
        }
      }
    }
    edges.add(entries, 0);
    edges.add(entries, n - 1);
    edges.sort();
  }

  /** Stores entries of that number of bytes, or all that are left; returns the next one. */
  private int fillLeaf(SortedEntries entries, int from, long entryBytes, boolean last) {
    int start = entries.start(from);
    byte[] low =
        Arrays.copyOfRange(entries.bytes(), start, start + entries.length(from) + Long.BYTES);
    OrderedLeaf leaf = index.newLeaf(OrderedLeaf.bytesFor(entryBytes), low);
    leaves.add(leaf);
    MemorySegment bytes = leaf.chunk().write();
    return OrderedLeaf.append(bytes, entries, from, last ? Long.MAX_VALUE : entryBytes);
  }

  /** Notes an entry whose key is that of the entry before, as far as keys are in entries. */
  private void suspect(SortedEntries entries, int i) {
    int keyLength = entries.length(i) - OrderedIndexLayout.ROW_BYTES;
    if (keyLength == OrderedIndexLayout.KEY_BYTES_MAX) {
      if (cutCount == cut.length) {
        cut = Arrays.copyOf(cut, Math.max(16, cutCount * 2));
      }
      cut[cutCount++] = entries.row(i);
    } else if (!index.keys().hasNull(entries.bytes(), entries.start(i))) {
      duplicate = Math.min(duplicate, entries.row(i));
    }
  }

  /** Judges the first entry, before which are those of other leaves. */
  void follow(BuiltLeaves before) {
    if (unique && edges.haveOneKey(0, before.edges, 1)) {
      suspect(edges, 0);
    }
  }

  boolean isEmpty() {
    return entryCount == 0;
  }

  List<OrderedLeaf> leaves() {
    return leaves;
  }

  long entryCount() {
    return entryCount;
  }

  /** The least row with the key of another before it; Long.MAX_VALUE where there is none. */
  long duplicate() {
    return duplicate;
  }

  /** Rows that may have the key of another before them: the keys were cut. */
  long[] suspects() {
    return Arrays.copyOf(cut, cutCount);
  }

  void discard() {
    for (OrderedLeaf leaf : leaves) {
      leaf.retire();
      leaf.chunk().discard();
    }
    leaves.clear();
  }
}
