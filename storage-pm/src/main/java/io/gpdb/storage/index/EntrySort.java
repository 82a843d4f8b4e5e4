package io.gpdb.storage.index;

import java.util.Arrays;

/**
 * Sorts entries of an ordered index, which are next to each other in one array, by their bytes:
 * eight bytes at a time as numbers without a sign, by a radix sort, and where these are equal by
 * the next eight. Used by one thread at a time; its arrays are kept from batch to batch.
 */
final class EntrySort {
  private static final int DIGIT_BITS = 8;
  private static final int DIGITS = 1 << DIGIT_BITS;

  /** Fewer entries are merged: counting 256 digits would take longer. */
  private static final int MERGED_MAX = 200;

  private byte[] bytes = {};
  private int[] starts = {};
  private long[] prefixes = {};
  private long[] otherPrefixes = {};
  private int[] otherOrder = {};
  private int[] counts = {};

  /**
   * Puts the numbers of n entries into their order. No two entries are equal, and none is the
   * beginning of another.
   *
   * @param entryBytes the entries, and eight bytes more
   * @param entryStarts where each entry begins, and where the last one ends
   */
  void sort(byte[] entryBytes, int[] entryStarts, int[] order, int n) {
    bytes = entryBytes;
    starts = entryStarts;
    int common = commonBytes(n);
    if (common < 0) {
      return; // in order
    }
    if (otherOrder.length < n) {
      otherOrder = new int[n];
    }
    sort(order, 0, n, common);
  }

  /** How many bytes all entries begin with; -1 where they are in order as they are. */
  private int commonBytes(int n) {
    if (n < 2) {
      return -1;
    }
    int first = starts[0];
    int common = starts[1] - first;
    boolean ascending = true;
    for (int i = 1; i < n; i++) {
      int at = starts[i];
      if (KeyBytes.longAt(bytes, first) != KeyBytes.longAt(bytes, at) || common > Long.BYTES) {
        int differs = Arrays.mismatch(bytes, first, first + common, bytes, at, starts[i + 1]);
        common = differs < 0 ? common : Math.min(common, differs);
      }
      ascending = ascending && compare(i - 1, i) < 0;
    }
    return ascending ? -1 : common;
  }

  private int compare(int a, int b) {
    return KeyBytes.compare(
        bytes, starts[a], starts[a + 1] - starts[a], bytes, starts[b], starts[b + 1] - starts[b]);
  }

  /** Sorts some, which have the first {@code common} bytes in common. */
  private void sort(int[] order, int from, int to, int common) {
    if (common >= starts[order[from] + 1] - starts[order[from]]) {
      return; // one entry several times
    }
    if (to - from <= MERGED_MAX) {
      merge(order, from, to);
      return;
    }
    sortByPrefixes(order, from, to, common);
    for (int i = from; i < to; ) {
      int end = i + 1;
      while (end < to && prefixes[end] == prefixes[i]) {
        end++;
      }
      if (end - i > 1) {
        sort(order, i, end, common + Long.BYTES);
        // What was sorted within has left its own prefixes behind.
        Arrays.fill(prefixes, i, end, KeyBytes.longAt(bytes, starts[order[i]] + common));
      }
      i = end;
    }
  }

  private void sortByPrefixes(int[] order, int from, int to, int common) {
    if (prefixes.length < otherOrder.length) {
      prefixes = new long[otherOrder.length];
      otherPrefixes = new long[otherOrder.length];
      counts = new int[DIGITS];
    }
    long differing = 0;
    for (int i = from; i < to; i++) {
      prefixes[i] = KeyBytes.longAt(bytes, starts[order[i]] + common);
      differing |= prefixes[i] ^ prefixes[from];
    }
    long[] keys = prefixes;
    long[] otherKeys = otherPrefixes;
    int[] numbers = order;
    int[] otherNumbers = otherOrder;
    boolean odd = false;
    for (int shift = 0; shift < Long.SIZE; shift += DIGIT_BITS) {
      if ((differing >>> shift & (DIGITS - 1)) != 0) {
        spread(keys, numbers, otherKeys, otherNumbers, from, to, shift);
        long[] swappedKeys = keys;
        keys = otherKeys;
        otherKeys = swappedKeys;
        int[] swapped = numbers;
        numbers = otherNumbers;
        otherNumbers = swapped;
        odd = !odd;
      }
    }
    if (odd) {
      System.arraycopy(numbers, from, order, from, to - from);
      System.arraycopy(keys, from, otherKeys, from, to - from);
    }
  }

  /** One pass of the radix sort, which keeps the order of equal digits. */
  private void spread(
      long[] keys, int[] numbers, long[] toKeys, int[] toNumbers, int from, int to, int shift) {
    Arrays.fill(counts, 0);
    for (int i = from; i < to; i++) {
      counts[(int) (keys[i] >>> shift) & (DIGITS - 1)]++;
    }
    int at = from;
    for (int digit = 0; digit < DIGITS; digit++) {
      int count = counts[digit];
      counts[digit] = at;
      at += count;
    }
    for (int i = from; i < to; i++) {
      int place = counts[(int) (keys[i] >>> shift) & (DIGITS - 1)]++;
      toKeys[place] = keys[i];
      toNumbers[place] = numbers[i];
    }
  }

  /** Merges runs of 1, 2, 4, … entries. */
  private void merge(int[] order, int start, int end) {
    int[] from = order;
    int[] to = otherOrder;
    for (int run = 1; run < end - start; run *= 2) {
      for (int left = start; left < end; left += 2 * run) {
        merge(from, to, left, Math.min(end, left + run), Math.min(end, left + 2 * run));
      }
      int[] swapped = from;
      from = to;
      to = swapped;
    }
    System.arraycopy(from, start, order, start, end - start); // may be the same
  }

  private void merge(int[] from, int[] to, int left, int middle, int end) {
    int a = left;
    int b = middle;
    for (int i = left; i < end; i++) {
      boolean takesLeft = b >= end || (a < middle && compare(from[a], from[b]) <= 0);
      to[i] = takesLeft ? from[a++] : from[b++];
    }
  }
}
