package io.gpdb.storage.index;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Puts the entries of a batch into the leaves of an ordered index, those that belong into one leaf
 * at once: its slots are moved once. A search in a leaf waits for memory at each of its steps, so
 * each step is done for all entries before the next one, and the waits overlap. Used by one thread,
 * which holds the index's lock.
 */
final class LeafRuns {
  private static final int ENTRIES_MAX = 1024;

  private final SortedEntries entries;
  private final KeyBatch batch;
  private final int n;
  private final int @Nullable [] suspects;
  private int suspectCount;
  private final int[] numbers;
  private final int[] places;
  private final long[] prefixes;
  private int added;
  private int place;

  /** Where the last entry's leaf was. */
  private int leaf;

  /**
   * @param suspects takes the positions in the batch of entries whose key had an entry before; null
   *     where nobody asks
   */
  LeafRuns(SortedEntries entries, KeyBatch batch, int @Nullable [] suspects) {
    this.entries = entries;
    this.batch = batch;
    this.suspects = suspects;
    n = batch.n();
    numbers = new int[Math.min(n, ENTRIES_MAX)];
    places = new int[numbers.length];
    prefixes = new long[numbers.length];
  }

  SortedEntries entries() {
    return entries;
  }

  /** Entries that the last call stored. */
  int added() {
    return added;
  }

  /** The number of suspects, which are in ascending order now. */
  int suspects() {
    if (suspects != null) {
      Arrays.sort(suspects, 0, suspectCount);
    }
    return suspectCount;
  }

  /** The leaf of an entry. */
  int find(OrderedLeaf[] leaves, int i) {
    leaf = LeafSearch.findFrom(leaves, leaf, entries.bytes(), entries.start(i), entries.length(i));
    return leaf;
  }

  /**
   * Stores entries from there on in their leaf, up to the first that belongs into another one or
   * has no room; returns that one.
   */
  int insert(OrderedLeaf[] leaves, int at, int from) {
    MemorySegment leaf = leaves[at].chunk().write();
    int end = end(leaves, at, from);
    findPlaces(leaf, from, end);
    int count = OrderedLeaf.count(leaf);
    int free = OrderedLeaf.freeBytes(leaf);
    byte[] bytes = entries.bytes();
    added = 0;
    int i = from;
    for (; i < end; i++) {
      int start = entries.start(i);
      int length = entries.length(i);
      place = places[i - from];
      boolean present =
          (place < count && OrderedLeaf.compare(leaf, place, bytes, start, length) == 0)
              || (i > from && entries.areEqual(i - 1, i));
      if (!present) {
        free -= OrderedLeaf.roomOf(length);
        if (free < 0) {
          break;
        }
        numbers[added] = i;
        places[added++] = place;
      }
      judge(leaves, at, present, i);
    }
    OrderedLeaf.insertAll(leaf, entries, numbers, places, added);
    return i;
  }

  /** The first entry behind {@code from} that belongs into another leaf, or is one too many. */
  private int end(OrderedLeaf[] leaves, int at, int from) {
    int end = Math.min(n, from + places.length);
    if (at + 1 < leaves.length) {
      OrderedLeaf above = leaves[at + 1];
      for (int i = from + 1; i < end; i++) {
        if (above.isNotAbove(entries.bytes(), entries.start(i), entries.length(i), false)) {
          return i;
        }
      }
    }
    return end;
  }

  /** Finds how many entries of the leaf are below each of those from here to there. */
  private void findPlaces(MemorySegment leaf, int from, int end) {
    int count = OrderedLeaf.count(leaf);
    byte[] bytes = entries.bytes();
    if (count == 0
        || OrderedLeaf.compare(leaf, count - 1, bytes, entries.start(from), entries.length(from))
            < 0) {
      Arrays.fill(places, 0, end - from, count);
      return;
    }
    int common = commonBytes(leaf, count, from, end);
    for (int i = from; i < end; i++) {
      prefixes[i - from] = KeyBytes.longAt(bytes, entries.start(i) + common);
    }
    OrderedLeaf.belowAll(leaf, common, prefixes, end - from, places);
    for (int i = from; i < end; i++) {
      places[i - from] = exact(leaf, places[i - from], count, i, prefixes[i - from], common);
    }
  }

  /** How many bytes all entries of the leaf, and those from here to there, begin with. */
  private int commonBytes(MemorySegment leaf, int count, int from, int end) {
    byte[] bytes = entries.bytes();
    int first = entries.start(from);
    int common =
        Arrays.mismatch(
            bytes,
            first,
            first + entries.length(from),
            bytes,
            entries.start(end - 1),
            entries.start(end - 1) + entries.length(end - 1));
    common = common < 0 ? entries.length(from) : common;
    common = OrderedLeaf.commonBytes(leaf, 0, bytes, first, common);
    return OrderedLeaf.commonBytes(leaf, count - 1, bytes, first, common);
  }

  /**
   * The place of entry i, of which is known how many prefixes are below its own. Where prefixes are
   * equal, all bytes count. An entry that ends within its prefix may be behind itself.
   */
  private int exact(MemorySegment leaf, int below, int count, int i, long prefix, int common) {
    byte[] bytes = entries.bytes();
    int start = entries.start(i);
    int length = entries.length(i);
    if (below < count && OrderedLeaf.prefix(leaf, below, common) == prefix) {
      return OrderedLeaf.below(leaf, below, count, bytes, start, length);
    }
    boolean isBehindItself =
        length < common + Long.BYTES
            && below > 0
            && OrderedLeaf.compare(leaf, below - 1, bytes, start, length) == 0;
    return isBehindItself ? below - 1 : below;
  }

  /** Notes whether entry i, whose key has no NULL, has the key of an entry from before. */
  private void judge(OrderedLeaf[] leaves, int at, boolean present, int i) {
    if (suspects == null) {
      return;
    }
    byte[] bytes = entries.bytes();
    int start = entries.start(i);
    int keyLength = entries.length(i) - OrderedIndexLayout.ROW_BYTES;
    boolean suspect =
        (i > 0 && entries.haveOneKey(i - 1, i))
            || LeafSearch.hasKeyBefore(leaves, at, place, bytes, start, keyLength)
            || LeafSearch.hasKeyFrom(
                leaves, at, present ? place + 1 : place, bytes, start, keyLength);
    if (suspect && !batch.isNull(entries.position(i))) {
      suspects[suspectCount++] = entries.position(i);
    }
  }

  /** Bytes that entries from there on take which belong into one leaf, or more than it can have. */
  int bytesFrom(int from, OrderedLeaf[] leaves, int at) {
    OrderedLeaf above = at + 1 < leaves.length ? leaves[at + 1] : null;
    int sum = 0;
    for (int i = from; i < n && sum < OrderedIndexLayout.LEAF_BYTES_MAX; i++) {
      int start = entries.start(i);
      int length = entries.length(i);
      if (above != null && above.isNotAbove(entries.bytes(), start, length, false)) {
        break;
      }
      sum += OrderedLeaf.roomOf(length);
    }
    return sum;
  }
}
