package io.gpdb.planner.window;

import io.gpdb.planner.window.WindowCall.Function;
import io.gpdb.storage.error.StopSignal;
import org.jspecify.annotations.Nullable;

/**
 * LAG and LEAD: the value of the row that is some places that count before or behind, NULL where
 * there is none.
 */
final class Neighbour implements WindowFunction {
  private final SortedRows rows;
  private final @Nullable WindowColumn value;
  private final CountedPlaces counted;
  private final Amounts offsets;
  private final boolean isBefore;
  private final WindowOutput output;

  /**
   * @param value null where the result is whether the row exists
   */
  Neighbour(
      Function function,
      SortedRows rows,
      @Nullable WindowColumn value,
      CountedPlaces counted,
      Amounts offsets,
      WindowOutput output) {
    this.rows = rows;
    this.value = value;
    this.counted = counted;
    this.offsets = offsets;
    this.isBefore = function == Function.LAG || function == Function.HAS_LAG;
    this.output = output;
  }

  @Override
  public void compute(int from, int to) {
    counted.begin(from, to);
    for (int place = from; place < to; place++) {
      StopSignal.poll(place);
      int row = rows.row(place);
      if (offsets.isNull(row)) {
        write(row, -1, true);
        continue;
      }
      long offset = Math.clamp(offsets.whole(row), -Integer.MAX_VALUE, Integer.MAX_VALUE);
      int other = other(place, isBefore ? -offset : offset);
      write(row, other < 0 ? other : rows.row(other), other >= 0);
    }
  }

  /** The place that is {@code offset} counting places behind, or -1. */
  private int other(int place, long offset) {
    if (offset == 0) {
      return place;
    }
    long i = offset < 0 ? counted.before(place) + offset : counted.before(place + 1) + offset - 1;
    return i >= 0 && i < counted.count() ? counted.at((int) i) : -1;
  }

  private void write(int row, int other, boolean exists) {
    WindowColumn known = value;
    if (known == null && exists) {
      output.set(row, 1);
    } else if (known == null || other < 0) {
      output.setNull(row);
    } else {
      output.copy(known, other, row);
    }
  }
}
