package io.gpdb.planner.window;

import io.gpdb.storage.error.StopSignal;
import java.util.Arrays;

/** The groups of peers of a partition, in order. */
final class PeerGroups {
  private static final int GROUPS_BEGIN = 16;

  private final SortedRows rows;

  /** The first place of each group, and behind the last the partition's end. */
  private int[] starts = new int[GROUPS_BEGIN];

  private int count;

  PeerGroups(SortedRows rows) {
    this.rows = rows;
  }

  /** Begins a partition. */
  void begin(int from, int to) {
    count = 0;
    for (int place = from; place < to; place = rows.peerEnd(place)) {
      StopSignal.poll(place);
      if (count + 1 == starts.length) {
        starts = Arrays.copyOf(starts, 2 * starts.length);
      }
      starts[count++] = place;
    }
    starts[count] = to;
  }

  /**
   * The first place of the group that is {@code groups} groups behind that of a place, or the
   * partition's nearest end.
   */
  int start(int place, long groups) {
    int own = Arrays.binarySearch(starts, 0, count, rows.peerStart(place));
    return starts[Math.clamp(own + Math.clamp(groups, -count, count), 0, count)];
  }
}
