package io.gpdb.exec.library.scan;

import io.gpdb.exec.Device;
import io.gpdb.exec.library.base.HostLoop;
import io.gpdb.exec.library.scan.PassingRows.Column;
import io.gpdb.storage.column.ElementType;
import java.util.List;

/**
 * Says which rows have numbers within ranges, one for each of some columns. The loops know nothing
 * of the query, so that HotSpot has compiled them soon, and take no branch by what they read.
 * Immutable; used by any number of threads.
 */
public final class RangeFilter {
  private final Device device;
  private final List<Range> ranges;

  /**
   * A range of the numbers of a column.
   *
   * @param element I32 or I64
   * @param least may be greater than the greatest: then no row passes
   */
  public record Range(ElementType element, long least, long greatest) {
    public Range {
      if (element != ElementType.I32 && element != ElementType.I64) {
        throw new IllegalArgumentException("range of " + element);
      }
    }
  }

  public RangeFilter(Device device, List<Range> ranges) {
    this.device = device;
    this.ranges = List.copyOf(ranges);
  }

  /**
   * Says which rows pass: those with numbers in all ranges, none of them NULL.
   *
   * @param columns for each of the rows, the columns of the ranges
   * @return how many do, of each
   */
  public int[] pass(List<PassingRows.Rows> all, List<List<Column>> columns) {
    return PassingRows.of(
        device,
        all,
        (of, from, count, passing) -> {
          for (int i = 0; i < ranges.size(); i++) {
            if (i == 0 || isAnySet(passing)) {
              find(ranges.get(i), columns.get(of).get(i), from, count, i == 0, passing);
            }
          }
        });
  }

  private static boolean isAnySet(int[] words) {
    int any = 0;
    for (int word : words) {
      any |= word;
    }
    return any != 0;
  }

  private static void find(
      Range range, Column column, int from, int count, boolean isFirst, int[] passing) {
    int turns = passing.length * PassingRows.WORD_ROWS;
    int[] found = isFirst ? passing : new int[passing.length];
    byte[] flags = new byte[turns];
    if (range.element == ElementType.I64) {
      long[] numbers = new long[turns];
      column.values().read(from, numbers, 0, count);
      HostLoop.run(
          0,
          turns,
          (i, end) -> {
            find(numbers, range.least, range.greatest, i, end, flags);
            PassingRows.pack(flags, i, end, found);
          });
    } else {
      int[] numbers = new int[turns];
      column.values().read(from, numbers, 0, count);
      long least = Math.clamp(range.least, Integer.MIN_VALUE, 1L << Integer.SIZE);
      long greatest = Math.clamp(range.greatest, -(1L << Integer.SIZE), Integer.MAX_VALUE);
      HostLoop.run(
          0,
          turns,
          (i, end) -> {
            find(numbers, least, greatest, i, end, flags);
            PassingRows.pack(flags, i, end, found);
          });
    }
    if (!isFirst) {
      for (int i = 0; i < passing.length; i++) {
        passing[i] &= found[i];
      }
    }
    PassingRows.and(passing, column.validity(), from);
  }

  /** The sign of {@code least <= n <= greatest} is that of differences that cannot overflow. */
  private static void find(
      int[] numbers, long least, long greatest, int from, int end, byte[] flags) {
    for (int i = from; i < end; i++) {
      long n = numbers[i];
      flags[i] = (byte) (~((n - least) | (greatest - n)) >>> 63);
    }
  }

  /** With what is below: Warren, Hacker's Delight, 2-12 (comparison predicates). */
  private static void find(
      long[] numbers, long least, long greatest, int from, int end, byte[] flags) {
    for (int i = from; i < end; i++) {
      long n = numbers[i];
      flags[i] = (byte) (~(isLess(n, least) | isLess(greatest, n)) >>> 63);
    }
  }

  /** Its sign bit is set where a is less than b. */
  private static long isLess(long a, long b) {
    return (a & ~b) | (~(a ^ b) & (a - b));
  }
}
