package io.gpdb.planner.window;

import io.gpdb.planner.window.WindowFrame.Unit;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import org.jspecify.annotations.Nullable;

/**
 * The frames of the rows of a partition, each as up to three pieces: ranges of places, in order,
 * none of them empty.
 */
final class Frames {
  private static final int PIECES_MAX = 3;

  private final WindowFrame frame;
  private final SortedRows rows;
  private final @Nullable Amounts lower;
  private final @Nullable Amounts upper;
  private final @Nullable RangeDistance distance;
  private final @Nullable PeerGroups groups;
  private final int[] starts = new int[PIECES_MAX];
  private final int[] ends = new int[PIECES_MAX];
  private int pieces;
  private int from;
  private int to;

  /**
   * @param distance compares places, where the frame has a distance in values
   */
  Frames(
      WindowFrame frame,
      SortedRows rows,
      @Nullable Amounts lower,
      @Nullable Amounts upper,
      @Nullable RangeDistance distance) {
    this.frame = frame;
    this.rows = rows;
    this.lower = lower;
    this.upper = upper;
    this.distance = distance;
    groups = frame.unit() == Unit.GROUPS ? new PeerGroups(rows) : null;
  }

  /** Begins a partition. */
  void begin(int partitionFrom, int partitionTo) {
    from = partitionFrom;
    to = partitionTo;
    if (distance != null) {
      distance.begin(from, to);
    }
    if (groups != null) {
      groups.begin(from, to);
    }
  }

  int pieces() {
    return pieces;
  }

  int start(int piece) {
    return starts[piece];
  }

  int end(int piece) {
    return ends[piece];
  }

  /** Finds the frame of the row at that place. */
  void moveTo(int place) {
    int start = Math.clamp(lower(place), from, to);
    int end = Math.clamp(upper(place), from, to);
    pieces = 0;
    switch (frame.exclusion()) {
      case NOTHING -> add(start, end);
      case CURRENT_ROW -> without(start, end, place, place + 1);
      case GROUP -> without(start, end, rows.peerStart(place), rows.peerEnd(place));
      case TIES -> {
        int peers = rows.peerStart(place);
        int others = rows.peerEnd(place);
        add(start, Math.min(end, peers));
        add(Math.max(start, place), Math.min(end, place + 1));
        add(Math.max(start, others), end);
      }
    }
  }

  private void without(int start, int end, int first, int after) {
    add(start, Math.min(end, first));
    add(Math.max(start, after), end);
  }

  private void add(int start, int end) {
    if (start < end) {
      starts[pieces] = start;
      ends[pieces] = end;
      pieces++;
    }
  }

  private long lower(int place) {
    return switch (frame.lower().side()) {
      case PARTITION_START -> from;
      case PARTITION_END -> to;
      case CURRENT_ROW -> frame.unit() == Unit.ROWS ? place : rows.peerStart(place);
      case PRECEDING -> bound(place, known(lower), -1, true);
      case FOLLOWING -> bound(place, known(lower), 1, true);
    };
  }

  /** Behind the last row. */
  private long upper(int place) {
    return switch (frame.upper().side()) {
      case PARTITION_START -> from;
      case PARTITION_END -> to;
      case CURRENT_ROW -> frame.unit() == Unit.ROWS ? place + 1 : rows.peerEnd(place);
      case PRECEDING -> bound(place, known(upper), -1, false);
      case FOLLOWING -> bound(place, known(upper), 1, false);
    };
  }

  /** The first place of the frame, or that behind its last, at a distance. */
  private long bound(int place, Amounts amounts, int direction, boolean isLower) {
    int row = rows.row(place);
    requireSize(amounts, row);
    PeerGroups known = groups;
    if (known != null) {
      long moved = direction * Math.min(amounts.whole(row), Integer.MAX_VALUE);
      return known.start(place, isLower ? moved : moved + 1);
    }
    if (frame.unit() == Unit.ROWS) {
      return plus(isLower ? place : place + 1, direction * amounts.whole(row));
    }
    RangeDistance distances = distance;
    if (distances == null) {
      throw new IllegalStateException("no order of values");
    }
    return distances.bound(place, amounts, direction, isLower);
  }

  /** Places are fewer than 2^31, so no sum with a number of rows is beyond a BIGINT. */
  private static long plus(int place, long rows) {
    return place + (long) Math.clamp(rows, -Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  private static void requireSize(Amounts amounts, int row) {
    if (amounts.isNull(row)) {
      throw new GpdbException(SqlCondition.INVALID_FRAME, "the distance of a window frame is NULL");
    }
    if (amounts.exact(row).signum() < 0) {
      throw new GpdbException(
          SqlCondition.INVALID_FRAME,
          "the distance of a window frame is negative: " + amounts.exact(row).toPlainString());
    }
  }

  private static Amounts known(@Nullable Amounts amounts) {
    if (amounts == null) {
      throw new IllegalStateException("no distance");
    }
    return amounts;
  }
}
