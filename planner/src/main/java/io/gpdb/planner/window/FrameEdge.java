package io.gpdb.planner.window;

import io.gpdb.planner.window.WindowCall.Function;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import org.jspecify.annotations.Nullable;

/** FIRST_VALUE, LAST_VALUE and NTH_VALUE: the value of one of the rows of a frame that count. */
final class FrameEdge implements WindowFunction {
  private static final int NONE = -1;

  private final SortedRows rows;
  private final Frames frames;
  private final WindowColumn value;
  private final CountedPlaces counted;
  private final boolean isFromFirst;

  /** Which of the rows, from 1; null for the first. */
  private final @Nullable Amounts numbers;

  private final WindowOutput output;

  FrameEdge(
      Function function,
      SortedRows rows,
      Frames frames,
      WindowColumn value,
      CountedPlaces counted,
      @Nullable Amounts numbers,
      WindowOutput output) {
    this.rows = rows;
    this.frames = frames;
    this.value = value;
    this.counted = counted;
    this.isFromFirst = function == Function.FIRST_VALUE || function == Function.NTH_VALUE;
    this.numbers = numbers;
    this.output = output;
  }

  @Override
  public void compute(int from, int to) {
    frames.begin(from, to);
    counted.begin(from, to);
    for (int place = from; place < to; place++) {
      StopSignal.poll(place);
      frames.moveTo(place);
      int row = rows.row(place);
      int found = numbers != null && numbers.isNull(row) ? NONE : found(number(row) - 1);
      if (found == NONE) {
        output.setNull(row);
      } else {
        output.copy(value, rows.row(found), row);
      }
    }
  }

  private long number(int row) {
    Amounts known = numbers;
    long number = known == null ? 1 : known.whole(row);
    if (number <= 0) {
      throw new GpdbException(
          SqlCondition.INVALID_NTH_VALUE, "NTH_VALUE needs a positive number: " + number);
    }
    return number;
  }

  /** The place of the frame with that number of counting places before it, seen from its end. */
  private int found(long others) {
    long left = others;
    int pieces = frames.pieces();
    for (int i = 0; i < pieces; i++) {
      int piece = isFromFirst ? i : pieces - 1 - i;
      int first = counted.before(frames.start(piece));
      int after = counted.before(frames.end(piece));
      if (left < after - first) {
        return counted.at(isFromFirst ? first + (int) left : after - 1 - (int) left);
      }
      left -= after - first;
    }
    return NONE;
  }
}
