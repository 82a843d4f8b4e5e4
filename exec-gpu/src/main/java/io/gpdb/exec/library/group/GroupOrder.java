package io.gpdb.exec.library.group;

import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.move.GridRadixSort;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;

/**
 * Groups in the order of their first rows, which all differ. Where groups are not few among the
 * rows, a bit for each row says which rows are first ones, and the number of bits before one is the
 * place of its group: no sort. Used by one thread.
 */
final class GroupOrder {
  /** Words of the bitmap that a group may cost: sorting costs more. */
  private static final int WORDS_PER_GROUP = 16;

  private final Scratch scratch;
  private final HostBuffer groups;
  private final HostBuffer firstRows;
  private HostBuffer order;
  private long rows;
  private int count;

  /**
   * @param most how many groups are added at most
   */
  GroupOrder(Scratch scratch, int most) {
    this.scratch = scratch;
    groups = scratch.pin((long) most << 2);
    firstRows = scratch.pin((long) most << 3);
    order = groups;
  }

  void add(int group, long firstRow) {
    groups.setInt(count, group);
    firstRows.setLong(count, firstRow);
    rows = Math.max(rows, firstRow + 1);
    count++;
  }

  int count() {
    return count;
  }

  /** The group that comes {@code i}-th, once they are sorted. */
  int group(int i) {
    return order.intAt(i);
  }

  void sort(GridRadixSort sort) {
    long words = (rows + Long.SIZE - 1) / Long.SIZE;
    if (words > (long) count * WORDS_PER_GROUP) {
      sort.sort(firstRows, groups, count);
    } else {
      place((int) words);
    }
  }

  private void place(int words) {
    HostBuffer isFirst = scratch.pin((long) words << 3);
    HostBuffer before = scratch.pin((long) words << 2);
    isFirst.fill((byte) 0);
    for (int i = 0; i < count; i++) {
      StopSignal.poll(i);
      long row = firstRows.longAt(i);
      isFirst.setLong(row >>> 6, isFirst.longAt(row >>> 6) | 1L << row);
    }
    int sum = 0;
    for (int w = 0; w < words; w++) {
      before.setInt(w, sum);
      sum += Long.bitCount(isFirst.longAt(w));
    }
    order = scratch.pin((long) count << 2);
    for (int i = 0; i < count; i++) {
      StopSignal.poll(i);
      long row = firstRows.longAt(i);
      long below = isFirst.longAt(row >>> 6) & ((1L << row) - 1);
      order.setInt(before.intAt(row >>> 6) + Long.bitCount(below), groups.intAt(i));
    }
  }
}
