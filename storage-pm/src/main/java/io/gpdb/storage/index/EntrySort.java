package io.gpdb.storage.index;

/**
 * Sorts entries of an ordered index, which are next to each other in one array, by their bytes:
 * eight bytes at a time as numbers without a sign, and where these are equal by the next eight. A
 * radix sort from the most significant bits that differ on, which ends where few have them in
 * common. Used by one thread at a time; its arrays are kept from batch to batch.
 */
final class EntrySort {
  /** The most bits that entries are divided by at a time: counts and lines stay in the cache. */
  private static final int DIGIT_BITS_MAX = 11;

  /** So many entries or fewer are inserted one by one: counting digits would take longer. */
  private static final int INSERTED_MAX = 24;

  private byte[] bytes = {};
  private int[] starts = {};
  private int[] order = {};
  private long[] prefixes = {};
  private long[] otherPrefixes = {};
  private int[] otherOrder = {};

  /**
   * Puts the numbers of n entries, which ascend, into the order of the entries. None is the
   * beginning of another one.
   *
   * @param entryBytes the entries, and eight bytes more
   * @param entryStarts where each entry begins, and where the last one ends
   */
  void sort(byte[] entryBytes, int[] entryStarts, int[] numbers, int n) {
    bytes = entryBytes;
    starts = entryStarts;
    order = numbers;
    if (isAscending(n)) {
      return;
    }
    if (otherOrder.length < n) {
      otherOrder = new int[n];
      prefixes = new long[n];
      otherPrefixes = new long[n];
    }
    sort(0, n, 0);
  }

  private boolean isAscending(int n) {
    for (int i = 1; i < n; i++) {
      if (compare(i - 1, i) > 0) {
        return false;
      }
    }
    return true;
  }

  private int compare(int a, int b) {
    return KeyBytes.compare(
        bytes, starts[a], starts[a + 1] - starts[a], bytes, starts[b], starts[b + 1] - starts[b]);
  }

  /** Sorts some, which have that number of first bytes in common. */
  private void sort(int from, int to, int common) {
    if (common >= starts[order[from] + 1] - starts[order[from]]) {
      return; // one entry several times
    }
    for (int i = from; i < to; i++) {
      prefixes[i] = KeyBytes.longAt(bytes, starts[order[i]] + common);
    }
    sortByPrefixes(from, to, common);
  }

  /** Sorts some whose prefixes are those behind the bytes they have in common. */
  private void sortByPrefixes(int from, int to, int common) {
    if (to - from <= INSERTED_MAX) {
      insert(from, to);
      return;
    }
    long differing = 0;
    for (int i = from + 1; i < to; i++) {
      differing |= prefixes[i] ^ prefixes[from];
    }
    if (differing == 0) {
      sort(from, to, common + Long.BYTES);
      return;
    }
    int bits = Math.min(DIGIT_BITS_MAX, Integer.SIZE - Integer.numberOfLeadingZeros(to - from) - 2);
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(differing) - bits);
    int[] ends = new int[1 << bits];
    spread(from, to, shift, ends);
    int start = from;
    for (int end : ends) {
      if (end - start > 1) {
        sortByPrefixes(start, end, common);
      }
      start = end;
    }
  }

  /** Divides some by the bits from there on; {@code ends} takes where the parts end. */
  private void spread(int from, int to, int shift, int[] ends) {
    int mask = ends.length - 1;
    for (int i = from; i < to; i++) {
      ends[(int) (prefixes[i] >>> shift) & mask]++;
    }
    int at = from;
    for (int digit = 0; digit <= mask; digit++) {
      int count = ends[digit];
      ends[digit] = at;
      at += count;
    }
    for (int i = from; i < to; i++) {
      int place = ends[(int) (prefixes[i] >>> shift) & mask]++;
      otherPrefixes[place] = prefixes[i];
      otherOrder[place] = order[i];
    }
    System.arraycopy(otherPrefixes, from, prefixes, from, to - from);
    System.arraycopy(otherOrder, from, order, from, to - from);
  }

  /** Inserts one after the other among those before it. */
  private void insert(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      long prefix = prefixes[i];
      int number = order[i];
      int at = i;
      for (; at > from && isAbove(at - 1, prefix, number); at--) {
        prefixes[at] = prefixes[at - 1];
        order[at] = order[at - 1];
      }
      prefixes[at] = prefix;
      order[at] = number;
    }
  }

  /** Whether the entry at a place comes after another one. */
  private boolean isAbove(int at, long prefix, int number) {
    return prefixes[at] == prefix
        ? compare(order[at], number) > 0
        : Long.compareUnsigned(prefixes[at], prefix) > 0;
  }
}
