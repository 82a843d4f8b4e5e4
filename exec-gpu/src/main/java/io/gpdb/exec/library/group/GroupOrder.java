package io.gpdb.exec.library.group;

import io.gpdb.exec.Device;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.group.accumulator.AccumulatorLayout;
import io.gpdb.exec.library.group.partition.RowPartitions;
import io.gpdb.exec.library.move.GridRadixSort;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;

/**
 * The groups that have rows, in the order of their first rows, which all differ. Where groups are
 * not few among the rows, the host's threads share pieces of the groups, which they divide by
 * ranges of rows, then the ranges, in each of which a table has the group of each first row: no
 * sort. Used by one thread.
 */
final class GroupOrder {
  private static final int PIECE_GROUPS = 1 << 13;

  /** Rows that a group may cost in the tables: sorting costs more. */
  private static final int ROWS_PER_GROUP = 512;

  /** Elements that a loop takes at a call, as those of {@link RowPartitions}. */
  private static final int CALL_GROUPS = RowPartitions.CALL_ROWS;

  private static final int RANGE_BITS_MIN = 16;
  private static final int RANGES_MAX = 1024;

  /** A first row's distance from its range's is above these bits, the group's number in them. */
  private static final int GROUP_BITS = 31;

  private final Device device;
  private final HostBuffer accumulators;
  private final int words;
  private final int groups;
  private final Scratch scratch;
  private HostBuffer order = HostBuffer.NONE;
  private int count;

  private GroupOrder(
      Device device, HostBuffer accumulators, int words, int groups, Scratch scratch) {
    this.device = device;
    this.accumulators = accumulators;
    this.words = words;
    this.groups = groups;
    this.scratch = scratch;
  }

  /**
   * Finds the order.
   *
   * @param words i64 words that each group has in the accumulators, of which one is its first row
   * @param rows above the numbers of all rows
   */
  static GroupOrder of(
      Device device,
      GridRadixSort sort,
      HostBuffer accumulators,
      int words,
      int groups,
      long rows,
      Scratch scratch) {
    GroupOrder order = new GroupOrder(device, accumulators, words, groups, scratch);
    if (rows > (long) groups * ROWS_PER_GROUP) {
      order.sort(sort);
    } else {
      order.place(rows);
    }
    return order;
  }

  int count() {
    return count;
  }

  /** The groups' numbers, i32. */
  HostBuffer groups() {
    return order;
  }

  private void sort(GridRadixSort sort) {
    order = scratch.pin((long) groups << 2);
    HostBuffer firstRows = scratch.pin((long) groups << 3);
    for (int g = 0; g < groups; g++) {
      StopSignal.poll(g);
      long firstRow = accumulators.longAt((long) g * words + AccumulatorLayout.FIRST_ROW);
      if (firstRow != AccumulatorLayout.NO_ROW) {
        order.setInt(count, g);
        firstRows.setLong(count++, firstRow);
      }
    }
    sort.sort(firstRows, order, count);
  }

  private void place(long rows) {
    int bits = RANGE_BITS_MIN;
    while (rows >> bits >= RANGES_MAX) {
      bits++;
    }
    int rangeBits = bits;
    int ranges = (int) (rows >> rangeBits) + 1;
    int[][] starts = new int[Math.ceilDiv(groups, PIECE_GROUPS)][];
    HostBuffer entries = scratch.pin((long) groups << 3);
    device.share(starts.length, piece -> starts[piece] = divide(piece, rangeBits, ranges, entries));
    int[] ends = new int[ranges + 1];
    for (int range = 0; range < ranges; range++) {
      ends[range + 1] = ends[range];
      for (int[] ofPiece : starts) {
        ends[range + 1] += ofPiece[range + 1] - ofPiece[range];
      }
    }
    count = ends[ranges];
    order = scratch.pin((long) count << 2);
    device.share(
        ranges,
        range -> {
          StopSignal.poll();
          int n = ends[range + 1] - ends[range];
          int[] numbers = inOrder(gathered(range, n, starts, entries), rangeBits);
          order.write(ends[range], numbers, 0, n);
        });
  }

  /** Puts the piece's groups in the order of their ranges; returns where each begins, and ends. */
  private int[] divide(int piece, int rangeBits, int ranges, HostBuffer entries) {
    StopSignal.poll();
    int first = piece * PIECE_GROUPS;
    int n = Math.min(PIECE_GROUPS, groups - first);
    long[] records = new long[n * words];
    accumulators.read((long) first * words, records, 0, records.length);
    int[] starts = new int[ranges + 1];
    for (int i = 0; i < n; i += CALL_GROUPS) {
      count(records, words, i, Math.min(n, i + CALL_GROUPS), rangeBits, starts);
    }
    for (int range = 1; range <= ranges; range++) {
      starts[range] += starts[range - 1];
    }
    long[] divided = new long[n];
    int[] next = starts.clone();
    for (int i = 0; i < n; i += CALL_GROUPS) {
      divide(records, words, i, Math.min(n, i + CALL_GROUPS), rangeBits, first, next, divided);
    }
    entries.write(first, divided, 0, starts[ranges]);
    return starts;
  }

  private static void count(
      long[] records, int words, int from, int end, int rangeBits, int[] counts) {
    for (int i = from; i < end; i++) {
      long row = records[i * words + AccumulatorLayout.FIRST_ROW];
      if (row != AccumulatorLayout.NO_ROW) {
        counts[(int) (row >> rangeBits) + 1]++;
      }
    }
  }

  private static void divide(
      long[] records,
      int words,
      int from,
      int end,
      int rangeBits,
      int firstGroup,
      int[] next,
      long[] divided) {
    long mask = (1L << rangeBits) - 1;
    for (int i = from; i < end; i++) {
      long row = records[i * words + AccumulatorLayout.FIRST_ROW];
      if (row != AccumulatorLayout.NO_ROW) {
        divided[next[(int) (row >> rangeBits)]++] = ((row & mask) << GROUP_BITS) | (firstGroup + i);
      }
    }
  }

  private static long[] gathered(int range, int n, int[][] starts, HostBuffer entries) {
    long[] gathered = new long[n];
    int to = 0;
    for (int piece = 0; piece < starts.length; piece++) {
      int from = starts[piece][range];
      int some = starts[piece][range + 1] - from;
      if (some > 0) {
        entries.read((long) piece * PIECE_GROUPS + from, gathered, to, some);
        to += some;
      }
    }
    return gathered;
  }

  private static int[] inOrder(long[] entries, int rangeBits) {
    int[] after = new int[1 << rangeBits]; // of a first row, the number after its group's
    for (int i = 0; i < entries.length; i += CALL_GROUPS) {
      put(entries, i, Math.min(entries.length, i + CALL_GROUPS), after);
    }
    int[] numbers = new int[entries.length];
    int n = 0;
    for (int i = 0; i < after.length; i += CALL_GROUPS) {
      n = take(after, i, i + CALL_GROUPS, numbers, n);
    }
    return numbers;
  }

  private static void put(long[] entries, int from, int end, int[] after) {
    for (int i = from; i < end; i++) {
      after[(int) (entries[i] >>> GROUP_BITS)] = (int) (entries[i] & Integer.MAX_VALUE) + 1;
    }
  }

  private static int take(int[] after, int from, int end, int[] numbers, int first) {
    int n = first;
    for (int i = from; i < end; i++) {
      if (after[i] != 0) {
        numbers[n++] = after[i] - 1;
      }
    }
    return n;
  }
}
