package io.gpdb.planner.window;

import io.gpdb.exec.library.base.HostLoop;
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
    if (function == Function.NTILE) {
      tiles(from, to);
      return;
    }
    if (function == Function.ROW_NUMBER) {
      HostLoop.run(from, to, (first, end) -> number(from, first, end));
      return;
    }
    long rank = 0;
    for (int first = from; first < to; first += WindowPieces.CALL_PLACES) {
      int end = Math.min(to, first + WindowPieces.CALL_PLACES);
      switch (function) {
        case RANK -> rank(from, first, end);
        default -> rank = rankDensely(rank, first, end);
      }
    }
  }

  /**
   * @param from where the partition begins
   */
  private void number(int from, int first, int end) {
    StopSignal.poll();
    output.number(rows.numbers(first, end), first - from + 1L);
  }

  private void rank(int from, int first, int end) {
    for (int place = first; place < end; place++) {
      StopSignal.poll(place);
      output.set(rows.row(place), rows.peerStart(place) - from + 1L);
    }
  }

  /** Returns the rank of the last place, given that of the one before the first. */
  private long rankDensely(long before, int first, int end) {
    long rank = before;
    for (int place = first; place < end; place++) {
      StopSignal.poll(place);
      rank += rows.peerStart(place) == place ? 1 : 0;
      output.set(rows.row(place), rank);
    }
    return rank;
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
