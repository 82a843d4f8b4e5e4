package io.gpdb.exec.library.group;

import io.gpdb.exec.Device;
import io.gpdb.exec.library.group.accumulator.AccumulatorLayout;
import io.gpdb.exec.library.group.partition.RowPartitions;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;

/**
 * Adds the states that blocks have left in regions to the totals of their groups, where the host
 * reads the device's memory: its threads share pieces, some groups of one word, and pass over all
 * regions for each. Whole numbers alone, so their order does not matter. Called by {@link
 * FewGroups}.
 */
final class RegionFold {
  /** Groups of a piece, and turns of a loop at a call. */
  private static final int PIECE_GROUPS = RowPartitions.CALL_ROWS;

  private final AccumulatorLayout layout;
  private final int groups;
  private final HostBuffer totals;

  /**
   * @param totals of each group, all its words
   */
  RegionFold(AccumulatorLayout layout, int groups, HostBuffer totals) {
    this.layout = layout;
    this.groups = groups;
    this.totals = totals;
  }

  /**
   * Adds regions.
   *
   * @param states of each region a word of all groups, then the next word of all
   */
  void add(Device device, HostBuffer states, int[] regions) {
    int piecesOfWord = Math.ceilDiv(groups, PIECE_GROUPS);
    device.share(
        piecesOfWord * layout.words().size(),
        piece -> {
          StopSignal.poll();
          int first = piece % piecesOfWord * PIECE_GROUPS;
          addPiece(states, regions, piece / piecesOfWord, first);
        });
  }

  private void addPiece(HostBuffer states, int[] regions, int word, int first) {
    int count = Math.min(PIECE_GROUPS, groups - first);
    int words = layout.words().size();
    long[] sums = new long[count];
    for (int i = 0; i < count; i++) {
      sums[i] = totals.longAt((long) (first + i) * words + word);
    }
    long[] more = new long[count];
    long inRegion = (long) word * groups + first;
    for (int region : regions) {
      states.read((long) region * groups * words + inRegion, more, 0, count);
      switch (layout.words().get(word).op()) {
        case ADD -> add(sums, more);
        case MIN -> least(sums, more);
        case MAX -> greatest(sums, more);
        case AND, OR, EXCHANGE, CAS -> throw new IllegalStateException("no accumulator does that");
      }
    }
    for (int i = 0; i < count; i++) {
      totals.setLong((long) (first + i) * words + word, sums[i]);
    }
  }

  private static void add(long[] sums, long[] more) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += more[i];
    }
  }

  private static void least(long[] sums, long[] more) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] = Math.min(sums[i], more[i]);
    }
  }

  private static void greatest(long[] sums, long[] more) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] = Math.max(sums[i], more[i]);
    }
  }
}
