package io.gpdb.planner.window;

import io.gpdb.planner.window.WindowCall.Function;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import org.jspecify.annotations.Nullable;

/** ROW_NUMBER, RANK, DENSE_RANK and NTILE. */
final class Numbering implements WindowFunction {
  private final Function function;
  private final SortedRows rows;
  private final @Nullable Amounts tiles;
  private final WindowOutput output;

  Numbering(Function function, SortedRows rows, @Nullable Amounts tiles, WindowOutput output) {
    this.function = function;
    this.rows = rows;
    this.tiles = tiles;
    this.output = output;
  }

  @Override
  public void compute(int from, int to) {
    switch (function) {
      case ROW_NUMBER -> {
        for (int place = from; place < to; place++) {
          StopSignal.poll(place);
          output.set(rows.row(place), place - from + 1L);
        }
      }
      case RANK -> {
        for (int place = from; place < to; place++) {
          StopSignal.poll(place);
          output.set(rows.row(place), rows.peerStart(place) - from + 1L);
        }
      }
      case DENSE_RANK -> {
        long rank = 0;
        for (int place = from; place < to; place++) {
          StopSignal.poll(place);
          rank += rows.peerStart(place) == place ? 1 : 0;
          output.set(rows.row(place), rank);
        }
      }
      default -> tiles(from, to);
    }
  }

  /** The first tiles have one row more than the others, where rows are left over. */
  private void tiles(int from, int to) {
    Amounts known = tiles;
    if (known == null) {
      throw new IllegalStateException("NTILE without a number");
    }
    for (int place = from; place < to; place++) {
      StopSignal.poll(place);
      int row = rows.row(place);
      if (known.isNull(row)) {
        output.setNull(row);
        continue;
      }
      long count = known.whole(row);
      if (count <= 0) {
        throw new GpdbException(
            SqlCondition.INVALID_NTILE, "NTILE needs a positive number: " + count);
      }
      long size = (to - from) / count;
      long longer = (to - from) % count;
      long number = (long) place - from;
      long tile =
          number < longer * (size + 1)
              ? number / (size + 1)
              : longer + (number - longer * (size + 1)) / size;
      output.set(row, tile + 1);
    }
  }
}
