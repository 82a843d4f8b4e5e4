package io.gpdb.simulation.medium;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The sizes that a crash may leave of a memory that was grown or cut. A file grows with the writes
 * of its pages, which the system makes durable in any order: so of a growth each page, and the size
 * behind it, may arrive alone, and a page that did not arrive reads as zero.
 */
final class CrashSizes {
  /**
   * Growths of at most this number of pages are found cut behind each of them, others behind some.
   */
  private static final int PAGES_ALL = 8;

  private CrashSizes() {}

  /** The sizes in their order, and after each those on the way to the next. */
  static long[] between(long[] ends) {
    if (ends.length == 1) {
      return ends;
    }
    List<Long> sizes = new ArrayList<>();
    for (int i = 0; i < ends.length; i++) {
      if (i > 0) {
        NavigableSet<Long> way =
            way(Math.min(ends[i - 1], ends[i]), Math.max(ends[i - 1], ends[i]));
        sizes.addAll(ends[i - 1] < ends[i] ? way : way.descendingSet());
      }
      sizes.add(ends[i]);
    }
    return sizes.stream().mapToLong(Long::longValue).toArray();
  }

  /** Multiples of a page between the two: all, or those a power of two from either end. */
  private static NavigableSet<Long> way(long least, long most) {
    NavigableSet<Long> sizes = new TreeSet<>();
    boolean all = most - least <= (long) PAGES_ALL * CrashPage.BYTES;
    for (long step = CrashPage.BYTES; step < most - least; ) {
      sizes.add(least + step);
      sizes.add(most - step);
      step = all ? step + CrashPage.BYTES : step * 2;
    }
    return sizes;
  }
}
