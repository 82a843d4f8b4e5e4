package io.gpdb.planner.batch;

import io.gpdb.planner.expression.StringDomain;
import io.gpdb.storage.error.StopSignal;
import java.util.Arrays;

/**
 * The codes of a domain's strings, in the order of their bytes: a merge sort by the eight bytes
 * behind those that all strings begin with, and by the strings themselves where these are equal. So
 * few strings are read, which may lie in a file.
 */
final class StringOrder {
  private final StringDomain domain;
  private final long[] keys;
  private final StopSignal stop = StopSignal.current();

  private StringOrder(StringDomain domain, int size) {
    this.domain = domain;
    keys = new long[size];
    int shared = shared(domain, size);
    for (int code = 0; code < size; code++) {
      StopSignal.poll(code);
      keys[code] = key(domain.bytes(code), shared) ^ Long.MIN_VALUE;
    }
  }

  /**
   * Codes by rank.
   *
   * @param size of the domain, or as many of its first strings
   */
  static int[] of(StringDomain domain, int size) {
    return new StringOrder(domain, size).sorted();
  }

  /** How many bytes all strings begin with. */
  private static int shared(StringDomain domain, int size) {
    byte[] first = size == 0 ? new byte[0] : domain.bytes(0);
    int shared = first.length;
    for (int code = 1; code < size && shared > 0; code++) {
      StopSignal.poll(code);
      byte[] bytes = domain.bytes(code);
      int most = Math.min(shared, bytes.length);
      int mismatch = Arrays.mismatch(first, 0, most, bytes, 0, most);
      shared = mismatch < 0 ? most : mismatch;
    }
    return shared;
  }

  /** Eight bytes from a place on, zeros behind the end. */
  private static long key(byte[] bytes, int from) {
    long key = 0;
    for (int i = from; i < from + Long.BYTES; i++) {
      key = (key << 8) | (i < bytes.length ? bytes[i] & 0xff : 0);
    }
    return key;
  }

  private int[] sorted() {
    int[] from = new int[keys.length];
    for (int i = 0; i < from.length; i++) {
      from[i] = i;
    }
    int[] to = new int[from.length];
    for (long width = 1; width < from.length; width *= 2) {
      for (long begin = 0; begin < from.length; begin += 2 * width) {
        int middle = (int) Math.min(begin + width, from.length);
        merge(from, to, (int) begin, middle, (int) Math.min(begin + 2 * width, from.length));
      }
      int[] swapped = from;
      from = to;
      to = swapped;
    }
    return from;
  }

  private void merge(int[] from, int[] to, int begin, int middle, int end) {
    int left = begin;
    int right = middle;
    for (int at = begin; at < end; at++) {
      boolean takesLeft = right == end || (left < middle && compare(from[left], from[right]) <= 0);
      to[at] = takesLeft ? from[left++] : from[right++];
    }
  }

  private int compare(int a, int b) {
    if (keys[a] != keys[b]) {
      return keys[a] < keys[b] ? -1 : 1;
    }
    stop.check();
    return Arrays.compareUnsigned(domain.bytes(a), domain.bytes(b));
  }
}
