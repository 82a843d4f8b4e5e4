package io.gpdb.planner.window;

import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Summaries of 16, 256, 4096 … rows of one partition, so that an aggregate of any range of its
 * places is made of few of them. Made when the first long range is asked for.
 */
final class FrameTree {
  private static final int FANOUT = 16;

  private final SortedRows rows;
  private final BatchMemory memory;
  private final Accumulator maker;
  private final int words;

  private final int rowsMax;

  /** By level, room for the summaries of a partition. */
  private final List<HostBuffer> room = new ArrayList<>();

  private int from;
  private int to;
  private int levels;
  private boolean isMade;

  /**
   * @param rowsMax how many rows a partition may have
   * @param maker makes the summaries
   */
  FrameTree(SortedRows rows, int rowsMax, Accumulator maker, BatchMemory memory) {
    this.rows = rows;
    this.rowsMax = rowsMax;
    this.maker = maker;
    this.memory = memory;
    words = maker.summaryWords();
  }

  /** Begins a partition. */
  void begin(int partitionFrom, int partitionTo) {
    from = partitionFrom;
    to = partitionTo;
    isMade = false;
    levels = 0;
  }

  /** Adds the rows of a range of places. */
  void addTo(Accumulator target, int start, int end) {
    boolean isLong = end - start >= 2 * FANOUT && words > 0;
    if (isLong && !isMade) {
      make();
    }
    add(target, 0, start - from, end - from, isLong);
  }

  /** Adds units of a level, of which level 0 is rows. */
  private void add(Accumulator target, int level, int start, int end, boolean above) {
    int first = (start + FANOUT - 1) / FANOUT;
    int last = end / FANOUT;
    if (above && level < levels && first < last) {
      addEach(target, level, start, first * FANOUT);
      add(target, level + 1, first, last, true);
      addEach(target, level, last * FANOUT, end);
    } else {
      addEach(target, level, start, end);
    }
  }

  private void addEach(Accumulator target, int level, int start, int end) {
    if (level == 0) {
      for (int i = start; i < end; i++) {
        StopSignal.poll(i);
        target.add(rows.row(from + i));
      }
      return;
    }
    HostBuffer summaries = room.get(level - 1);
    for (int i = start; i < end; i++) {
      target.merge(summaries, (long) i * words);
    }
  }

  /** Only whole groups of units have a summary. */
  private void make() {
    int units = (to - from) / FANOUT;
    int capacity = rowsMax / FANOUT;
    for (int level = 0; units > 0; level++) {
      if (level == room.size()) {
        room.add(memory.pin((long) capacity * words * Long.BYTES));
      }
      HostBuffer summaries = room.get(level);
      for (int i = 0; i < units; i++) {
        StopSignal.poll(i);
        maker.clear();
        addEach(maker, level, i * FANOUT, (i + 1) * FANOUT);
        maker.store(summaries, (long) i * words);
      }
      levels = level + 1;
      units /= FANOUT;
      capacity /= FANOUT;
    }
    isMade = true;
  }
}
