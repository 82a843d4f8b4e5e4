package io.gpdb.planner.window;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a batch in the order of a window: partition after partition, each by the order. A row
 * has a place in this order and a number in the batch.
 */
final class SortedRows {
  private final int count;
  private final @Nullable HostBuffer order;
  private final List<WindowColumn> partition;
  private final List<WindowColumn> keys;
  private @Nullable HostBuffer peerStarts;
  private @Nullable HostBuffer peerEnds;
  private boolean seeksPeers;

  /** The peers that were asked for last. */
  private int soughtStart;

  private int soughtEnd;

  /**
   * @param order the number of the row at each place, null where the rows are in order
   */
  SortedRows(
      int count,
      @Nullable HostBuffer order,
      List<WindowColumn> partition,
      List<WindowColumn> keys) {
    this.count = count;
    this.order = order;
    this.partition = List.copyOf(partition);
    this.keys = List.copyOf(keys);
  }

  int count() {
    return count;
  }

  int row(int place) {
    HostBuffer known = order;
    return known == null ? place : known.intAt(place);
  }

  /** The place behind the last of the partition that begins there. */
  int partitionEnd(int from) {
    if (partition.isEmpty()) {
      return count;
    }
    int end = from + 1;
    int before = row(from);
    while (end < count) {
      StopSignal.poll(end);
      int row = row(end);
      if (!areSame(partition, before, row)) {
        return end;
      }
      before = row;
      end++;
    }
    return count;
  }

  boolean isPartitioned() {
    return !partition.isEmpty();
  }

  /**
   * Sets the bits of the places at which partitions begin; writes no word of the bitmap that
   * belongs to other places.
   */
  void markPartitions(HostBuffer starts, int from, int to) {
    int first = Math.max(from - 1, 0);
    int[] numbers = numbers(first, to);
    boolean[] begins = new boolean[numbers.length];
    begins[0] = from == 0;
    for (WindowColumn column : partition) {
      StopSignal.poll();
      column.markChanges(numbers, begins);
    }
    for (int place = from; place < to; place++) {
      if (begins[place - first]) {
        Bitmaps.set(starts, place, true);
      }
    }
  }

  /** The numbers of the rows at places {@code from} to {@code to}-1. */
  int[] numbers(int from, int to) {
    int[] numbers = new int[to - from];
    HostBuffer known = order;
    if (known == null) {
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = from + i;
      }
    } else {
      known.read(from, numbers, 0, numbers.length);
    }
    return numbers;
  }

  /** Gives room for the peers of all rows. */
  void keepPeers(HostBuffer starts, HostBuffer ends) {
    peerStarts = starts;
    peerEnds = ends;
  }

  /** Finds the peers of the rows of whole partitions, those with equal keys in one of them. */
  void findPeers(int from, int to) {
    HostBuffer starts = known(peerStarts);
    HostBuffer ends = known(peerEnds);
    int start = from;
    for (int place = from + 1; place <= to; place++) {
      StopSignal.poll(place);
      if (place == to || !arePeers(row(place - 1), row(place))) {
        for (int peer = start; peer < place; peer++) {
          starts.setInt(peer, start);
          ends.setInt(peer, place);
        }
        start = place;
      }
    }
  }

  private boolean arePeers(int a, int b) {
    return areSame(keys, a, b) && areSame(partition, a, b);
  }

  private static boolean areSame(List<WindowColumn> columns, int a, int b) {
    for (int i = 0; i < columns.size(); i++) {
      if (!columns.get(i).isSame(a, b)) {
        return false;
      }
    }
    return true;
  }

  /** From now on peers are found when they are asked for, fast where places ascend. */
  void seekPeers() {
    seeksPeers = true;
  }

  private void seek(int place) {
    if (place < soughtStart) {
      soughtStart = 0;
      soughtEnd = 0;
    }
    while (place >= soughtEnd) {
      soughtStart = soughtEnd++;
      while (soughtEnd < count && arePeers(row(soughtEnd - 1), row(soughtEnd))) {
        StopSignal.poll(soughtEnd);
        soughtEnd++;
      }
    }
  }

  /** The first place of the row's peers, which must have been found. */
  int peerStart(int place) {
    if (seeksPeers) {
      seek(place);
      return soughtStart;
    }
    return known(peerStarts).intAt(place);
  }

  /** The place behind the row's peers, which must have been found. */
  int peerEnd(int place) {
    if (seeksPeers) {
      seek(place);
      return soughtEnd;
    }
    return known(peerEnds).intAt(place);
  }

  private static HostBuffer known(@Nullable HostBuffer places) {
    if (places == null) {
      throw new IllegalStateException("peers were not asked for");
    }
    return places;
  }

  /** The only key of the order. */
  WindowColumn key() {
    return keys.getFirst();
  }
}
