package io.gpdb.storage.index;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Entries of an ordered index that were gathered, in their order. Keys that are equal are in the
 * order of their rows. Used by one thread at a time; its arrays are kept from batch to batch.
 */
final class SortedEntries {
  private final KeyBytes bytes = new KeyBytes(0);
  private final EntrySort sort = new EntrySort();
  private int[] ends = {0};
  private int[] order = {};
  private int count;

  /** Takes the entries of a batch alone. */
  void set(OrderedKeys keys, KeyBatch batch) {
    clear();
    add(keys, batch);
    sort();
  }

  void clear() {
    bytes.clear();
    count = 0;
  }

  int count() {
    return count;
  }

  /** Gathers the entries of a batch. */
  void add(OrderedKeys keys, KeyBatch batch) {
    require(batch.n());
    keys.appendAll(bytes, batch, ends, count);
    count += batch.n();
  }

  /** Gathers n entries, whose ends the caller adds one by one; returns where they begin. */
  int addAll(MemorySegment source, long from, int length, int n) {
    require(n);
    int start = bytes.length();
    bytes.addAll(source, from, length);
    return start;
  }

  /** The end of the next entry. */
  void end(int at) {
    ends[++count] = at;
  }

  /** Gathers entry i of a leaf. */
  void add(MemorySegment leaf, int i) {
    require(1);
    OrderedLeaf.copyTo(leaf, i, bytes);
    end(bytes.length());
  }

  /** Gathers an entry of others. */
  void add(SortedEntries others, int i) {
    require(1);
    bytes.addAll(others.bytes(), others.start(i), others.length(i));
    end(bytes.length());
  }

  private void require(int more) {
    int needed = Math.addExact(count, more) + 1;
    if (ends.length < needed) {
      ends = Arrays.copyOf(ends, Math.max(needed, ends.length * 3 / 2));
    }
  }

  /** Sorts what was gathered. */
  void sort() {
    if (order.length < count) {
      order = new int[count];
    }
    for (int i = 0; i < count; i++) {
      order[i] = i;
    }
    sort.sort(bytes.array(), ends, order, count);
  }

  /**
   * Leaves out entries from here to there of the order that are there twice; returns where those
   * that are left end.
   */
  int dropEqual(int from, int to) {
    int end = from;
    for (int i = from; i < to; i++) {
      if (end == from || !areEqual(end - 1, i)) {
        order[end++] = order[i];
      }
    }
    return end;
  }

  /** Bytes that entries from here to there take in a leaf, or more than it can have. */
  int roomFrom(int from, int to) {
    int sum = 0;
    for (int i = from; i < to && sum < OrderedIndexLayout.LEAF_BYTES_MAX; i++) {
      sum += OrderedLeaf.roomOf(length(i));
    }
    return sum;
  }

  byte[] bytes() {
    return bytes.array();
  }

  /** Where entry i of the order begins. */
  int start(int i) {
    return ends[order[i]];
  }

  int length(int i) {
    return ends[order[i] + 1] - ends[order[i]];
  }

  /** The place among those gathered of entry i of the order. */
  int position(int i) {
    return order[i];
  }

  /** Whether entries i and j have one key, apart from what was cut. */
  boolean haveOneKey(int i, int j) {
    return haveOneKey(i, this, j);
  }

  /** Whether entry i has the key of entry j of others, apart from what was cut. */
  boolean haveOneKey(int i, SortedEntries others, int j) {
    int length = length(i) - OrderedIndexLayout.ROW_BYTES;
    return length == others.length(j) - OrderedIndexLayout.ROW_BYTES
        && KeyBytes.compare(bytes(), start(i), length, others.bytes(), others.start(j), length)
            == 0;
  }

  /** Whether entries i and j have one key and one row. */
  boolean areEqual(int i, int j) {
    return KeyBytes.compare(bytes(), start(i), length(i), bytes(), start(j), length(j)) == 0;
  }

  /** The row of entry i. */
  long row(int i) {
    int at = start(i) + length(i) - OrderedIndexLayout.ROW_BYTES;
    return KeyBytes.longAt(bytes(), at) >>> (Long.SIZE - OrderedIndexLayout.ROW_BYTES * Byte.SIZE);
  }
}
