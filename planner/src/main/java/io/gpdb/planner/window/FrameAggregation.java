package io.gpdb.planner.window;

import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.storage.error.StopSignal;
import java.util.function.Supplier;

/**
 * An aggregate over frames. As long as frames move on, rows are added that come and taken out that
 * leave, where the aggregate can; any other frame is put together of the summaries of a tree.
 */
final class FrameAggregation implements WindowFunction {
  private final SortedRows rows;
  private final Frames frames;
  private final Accumulator held;
  private final Accumulator other;
  private final FrameTree tree;
  private final WindowOutput output;

  /** The places whose rows are held. */
  private int start;

  private int end;

  /** The row that has the aggregate of the held rows, -1 where none has it. */
  private int written;

  /**
   * @param rowsMax how many rows a partition may have
   */
  FrameAggregation(
      SortedRows rows,
      int rowsMax,
      Frames frames,
      Supplier<Accumulator> aggregate,
      WindowOutput output,
      BatchMemory memory) {
    this.rows = rows;
    this.frames = frames;
    this.held = aggregate.get();
    this.other = aggregate.get();
    this.tree = new FrameTree(rows, rowsMax, aggregate.get(), memory);
    this.output = output;
  }

  @Override
  public void compute(int from, int to) {
    frames.begin(from, to);
    tree.begin(from, to);
    held.clear();
    start = from;
    end = from;
    written = -1;
    for (int place = from; place < to; place++) {
      StopSignal.poll(place);
      frames.moveTo(place);
      int row = rows.row(place);
      if (frames.pieces() != 1 || !moves()) {
        apart().write(output, row);
      } else if (written >= 0 && output.holds(written)) {
        output.repeat(written, row);
      } else {
        held.write(output, row);
        written = row;
      }
    }
  }

  /** Makes the held rows those of the frame, where that costs no more than the rows between. */
  private boolean moves() {
    int first = frames.start(0);
    int last = frames.end(0);
    if (first < start || last < end || (first > start && !held.removes())) {
      return false;
    }
    if (first != start || last != end) {
      written = -1;
    }
    if (first >= end) {
      held.clear();
      start = first;
      end = first;
    }
    while (end < last) {
      StopSignal.poll(end);
      held.add(rows.row(end++));
    }
    while (start < first) {
      StopSignal.poll(start);
      held.remove(rows.row(start++));
    }
    return true;
  }

  private Accumulator apart() {
    other.clear();
    for (int i = 0; i < frames.pieces(); i++) {
      tree.addTo(other, frames.start(i), frames.end(i));
    }
    return other;
  }
}
