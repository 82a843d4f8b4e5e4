package io.gpdb.exec.library.move;

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
    long varying = 0;
    for (long value : values) {
      varying |= value ^ values[0];
    }
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

  private static void place(long[] from, long[] to, int shift) {
    int[] ends = new int[DIGITS + 1];
    for (long value : from) {
      ends[((int) (value >>> shift) & DIGITS - 1) + 1]++;
    }
    for (int digit = 0; digit < DIGITS; digit++) {
      ends[digit + 1] += ends[digit];
    }
    for (long value : from) {
      to[ends[(int) (value >>> shift) & DIGITS - 1]++] = value;
    }
  }
}
