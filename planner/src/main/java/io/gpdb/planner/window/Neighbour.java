package io.gpdb.planner.window;

import io.gpdb.planner.window.WindowCall.Function;
import io.gpdb.storage.error.StopSignal;
import org.jspecify.annotations.Nullable;

/** LAG and LEAD: the value of the row some places before or behind, NULL where there is none. */
final class Neighbour implements WindowFunction {
  private final SortedRows rows;
  private final @Nullable WindowColumn value;
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
      Amounts offsets,
      WindowOutput output) {
    this.rows = rows;
    this.value = value;
    this.offsets = offsets;
    this.isBefore = function == Function.LAG || function == Function.HAS_LAG;
    this.output = output;
  }

  @Override
  public void compute(int from, int to) {
    for (int place = from; place < to; place++) {
      StopSignal.poll(place);
      int row = rows.row(place);
      if (offsets.isNull(row)) {
        write(row, -1, true);
        continue;
      }
      long offset = Math.clamp(offsets.whole(row), -Integer.MAX_VALUE, Integer.MAX_VALUE);
      long other = isBefore ? place - offset : place + offset;
      boolean exists = from <= other && other < to;
      write(row, exists ? rows.row((int) other) : -1, exists);
    }
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
