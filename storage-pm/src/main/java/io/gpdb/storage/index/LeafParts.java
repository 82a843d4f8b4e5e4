package io.gpdb.storage.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Adds sorted entries to the leaves of an ordered index by several threads: the order is divided
 * where leaves begin, so that each leaf, and each it becomes, is that of one thread, as are entries
 * that are there twice. Used under the index's lock.
 */
final class LeafParts {
  /** Entries of a part, about. */
  private static final int PART_ENTRIES = 512;

  private final OrderedIndex index;
  private final OrderedLeaf[] leaves;
  private final SortedEntries entries;

  /** Of each part, its first leaf and its first entry; and where the last one ends. */
  private final int[] firstLeaves;

  private final int[] firstEntries;
  private final @Nullable LeafSpan[] spans;
  private int parts;

  /** Entries from here to there, for an index that has leaves. */
  LeafParts(OrderedIndex index, OrderedLeaf[] leaves, SortedEntries entries, int from, int to) {
    this.index = index;
    this.leaves = leaves;
    this.entries = entries;
    int parts = (to - from) / PART_ENTRIES + 1;
    firstLeaves = new int[parts + 1];
    firstEntries = new int[parts + 1];
    spans = new @Nullable LeafSpan[parts];
    divide(from, to, parts);
  }

  private void divide(int from, int to, int wanted) {
    firstEntries[0] = from;
    parts = 1;
    for (int p = 1; p < wanted; p++) {
      int i = from + (int) ((long) (to - from) * p / wanted);
      int leaf = LeafSearch.find(leaves, entries.bytes(), entries.start(i), entries.length(i));
      if (leaf > firstLeaves[parts - 1]) {
        firstLeaves[parts] = leaf;
        firstEntries[parts] = leaves[leaf].entriesBelow(entries, firstEntries[parts - 1], i);
        parts++;
      }
    }
    firstLeaves[parts] = leaves.length;
    firstEntries[parts] = to;
  }

  /** Adds all entries. */
  void append(SharedWork workers) {
    workers.share(parts, this::append);
  }

  /** By how many entries the index has more, also where some could not be added. */
  int added() {
    int added = 0;
    for (LeafSpan span : spans) {
      added += span == null ? 0 : span.added();
    }
    return added;
  }

  private void append(int part) {
    boolean last = part == parts - 1;
    OrderedLeaf[] own = Arrays.copyOfRange(leaves, firstLeaves[part], firstLeaves[part + 1]);
    LeafSpan span = new LeafSpan(index, own, last, new LeafSort());
    spans[part] = span;
    int from = firstEntries[part];
    span.append(entries, from, entries.dropEqual(from, firstEntries[part + 1]));
  }

  /** The leaves as they are now, also where some entries could not be added. */
  OrderedLeaf[] leaves() {
    int count = 0;
    for (int part = 0; part < parts; part++) {
      count += part(part).length;
    }
    OrderedLeaf[] all = new OrderedLeaf[count];
    int at = 0;
    for (int part = 0; part < parts; part++) {
      OrderedLeaf[] some = part(part);
      System.arraycopy(some, 0, all, at, some.length);
      at += some.length;
    }
    return all;
  }

  private OrderedLeaf[] part(int part) {
    LeafSpan span = spans[part];
    return span == null
        ? Arrays.copyOfRange(leaves, firstLeaves[part], firstLeaves[part + 1])
        : span.leaves();
  }
}
