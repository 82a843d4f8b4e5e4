package io.gpdb.exec.library.move;

import io.gpdb.exec.library.base.HostLoop;
import java.util.Arrays;

/** Packed words that one thread sorts, in arrays that a core's cache mostly holds. */
final class PackedRuns {
  private static final int DIGIT_BITS = 8;
  private static final int DIGITS = 1 << DIGIT_BITS;

  /** Fewer are sorted by comparisons. */
  private static final int RADIX_MIN = 512;

  private PackedRuns() {}

  /**
   * The values in order, in this array or another.
   *
   * @param values not negative; those that agree in all bits from {@code firstBit} on are in order
   */
  static long[] sorted(long[] values, int firstBit) {
    if (values.length < RADIX_MIN) {
      Arrays.sort(values);
      return values;
    }
    long varying = varying(values);
    long[] from = values;
    long[] to = new long[values.length];
    int shift = firstBit;
    while (shift < Long.SIZE && varying >>> shift != 0) {
      if ((varying >>> shift & 1) == 0) {
        shift++;
        continue;
      }
      place(from, to, shift);
      long[] next = from;
      from = to;
      to = next;
      shift += DIGIT_BITS;
    }
    return from;
  }

  /** The bits in which not all values agree. */
  private static long varying(long[] values) {
    long varying = 0;
    for (int i = 0; i < values.length; i += HostLoop.CALL_TURNS) {
      varying |= varying(values, i, Math.min(values.length, i + HostLoop.CALL_TURNS));
    }
    return varying;
  }

  private static long varying(long[] values, int first, int end) {
    long varying = 0;
    for (int i = first; i < end; i++) {
      varying |= values[i] ^ values[0];
    }
    return varying;
  }

  private static void place(long[] from, long[] to, int shift) {
    int[] ends = new int[DIGITS + 1];
    HostLoop.run(0, from.length, (first, end) -> count(from, first, end, shift, ends));
    for (int digit = 0; digit < DIGITS; digit++) {
      ends[digit + 1] += ends[digit];
    }
    HostLoop.run(0, from.length, (first, end) -> move(from, first, end, shift, ends, to));
  }

  /** {@code counts[d + 1]} = values with the digit d. */
  private static void count(long[] values, int first, int end, int shift, int[] counts) {
    for (int i = first; i < end; i++) {
      counts[((int) (values[i] >>> shift) & DIGITS - 1) + 1]++;
    }
  }

  private static void move(long[] values, int first, int end, int shift, int[] next, long[] to) {
    for (int i = first; i < end; i++) {
      to[next[(int) (values[i] >>> shift) & DIGITS - 1]++] = values[i];
    }
  }
}
