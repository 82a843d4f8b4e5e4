package io.gpdb.storage.index;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Neighbouring leaves of an ordered index, to which one thread adds entries and leaves: all of
 * them, or those of a part of the order while other threads have the other parts. Whoever made it
 * holds the index's lock, and puts its leaves in the place of those that it was given.
 */
final class LeafSpan {
  private final OrderedIndex index;
  private final boolean last;
  private final LeafSort sort;
  private OrderedLeaf[] leaves;
  private int added;

  /**
   * @param last whether no leaf of the index is behind them
   */
  LeafSpan(OrderedIndex index, OrderedLeaf[] leaves, boolean last, LeafSort sort) {
    this.index = index;
    this.leaves = leaves;
    this.last = last;
    this.sort = sort;
  }

  /** The leaves as they are now; the array is another one where leaves are others. */
  OrderedLeaf[] leaves() {
    return leaves;
  }

  /** By how many there are more entries than at the beginning. */
  int added() {
    return added;
  }

  /** Adds entries from here to there, which belong into these leaves. */
  void append(SortedEntries entries, int from, int to) {
    int at = 0;
    for (int i = from; i < to; ) {
      byte[] bytes = entries.bytes();
      at = LeafSearch.findFrom(leaves, at, bytes, entries.start(i), entries.length(i));
      int end = at + 1 < leaves.length ? leaves[at + 1].entriesBelow(entries, i + 1, to) : to;
      int next = leaves[at].append(entries, i, end);
      added += next - i;
      if (next < end) {
        int start = entries.start(next);
        makeRoom(at, bytes, start, entries.length(next), entries.roomFrom(next, end));
      }
      i = next;
    }
  }

  /**
   * Makes another leaf, where an entry has no room; it may need one more.
   *
   * @param more bytes of entries that are to have room
   */
  void makeRoom(int at, byte[] entry, int start, int length, int more) {
    OrderedLeaf full = leaves[at];
    added -= sort.sort(full);
    MemorySegment bytes = full.bytes();
    int count = OrderedLeaf.count(bytes);
    int size = (int) bytes.byteSize();
    int used = OrderedLeaf.bytesOf(bytes, count);
    int wanted = used > size / 2 ? 2 * size : size; // the same where entries were taken out
    if (wanted <= OrderedIndexLayout.LEAF_BYTES_MAX) {
      wanted = Math.max(wanted, OrderedLeaf.bytesFor(used + (long) more));
      OrderedLeaf next = index.newLeaf(wanted, full.low());
      OrderedLeaf.copyRange(bytes, 0, count, next.chunk().write());
      replace(at, 1, next);
    } else if (last
        && at == leaves.length - 1
        && OrderedLeaf.compare(bytes, count - 1, entry, start, length) < 0) {
      byte[] low = Arrays.copyOfRange(entry, start, start + length + Long.BYTES);
      replace(at + 1, 0, index.newLeaf(OrderedLeaf.bytesFor(more), low));
      return;
    } else {
      int half = OrderedLeaf.half(bytes, used);
      // Both are made first: if memory ran out for the second, the first would be a hole.
      OrderedLeaf left = index.newLeaf(size, full.low());
      OrderedLeaf right = index.newLeaf(size, OrderedLeaf.entry(bytes, half));
      OrderedLeaf.copyRange(bytes, 0, half, left.chunk().write());
      OrderedLeaf.copyRange(bytes, half, count, right.chunk().write());
      replace(at, 1, left, right);
    }
    full.retire();
    full.chunk().discard();
  }

  /** Puts leaves in the place of {@code count} ones. */
  private void replace(int at, int count, OrderedLeaf... next) {
    OrderedLeaf[] old = leaves;
    OrderedLeaf[] changed = Arrays.copyOf(old, old.length + next.length - count);
    System.arraycopy(next, 0, changed, at, next.length);
    System.arraycopy(old, at + count, changed, at + next.length, old.length - at - count);
    leaves = changed;
  }
}
