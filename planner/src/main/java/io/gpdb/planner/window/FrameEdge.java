package io.gpdb.planner.window;

import io.gpdb.storage.error.StopSignal;

/** FIRST_VALUE and LAST_VALUE: the value of the first or last row of a frame. */
final class FrameEdge implements WindowFunction {
  private final SortedRows rows;
  private final Frames frames;
  private final WindowColumn value;
  private final boolean isFirst;
  private final WindowOutput output;

  FrameEdge(
      SortedRows rows, Frames frames, WindowColumn value, boolean isFirst, WindowOutput output) {
    this.rows = rows;
    this.frames = frames;
    this.value = value;
    this.isFirst = isFirst;
    this.output = output;
  }

  @Override
  public void compute(int from, int to) {
    frames.begin(from, to);
    for (int place = from; place < to; place++) {
      StopSignal.poll(place);
      frames.moveTo(place);
      int row = rows.row(place);
      int pieces = frames.pieces();
      if (pieces == 0) {
        output.setNull(row);
      } else {
        int edge = isFirst ? frames.start(0) : frames.end(pieces - 1) - 1;
        output.copy(value, rows.row(edge), row);
      }
    }
  }
}
