package io.gpdb.planner.run;

import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows that are added one by one, and come out, those that were never added before, in the order in
 * which they were added. They are a set in memory; where memory does not have room for more, they
 * are written as a run and forgotten. From then on, which rows of the set are in a run is found for
 * many of them together. For one thread.
 *
 * <pre>
 *              taken      settled     count
 *   the set:  | came out | will come | may be in a run |
 * </pre>
 */
final class KnownRows implements AutoCloseable {
  /** So many runs of one size become one of the next. */
  private static final int RUNS_MERGED = 8;

  /** Fewer rows are not worth asking for them apart. */
  private static final int SETTLED_MIN = 1 << 10;

  private final WordRow layout;
  private final DistinctRows recent;

  /** By size, the runs. */
  private final List<List<RowRun>> runs = new ArrayList<>();

  private int settled;
  private int taken;

  /** Marks of rows of the set that are in a run, from that number on. */
  private int marked;

  private BatchMemory memory = new BatchMemory();
  private HostBuffer marks = HostBuffer.NONE;

  KnownRows(WordRow layout) {
    this.layout = layout;
    recent = new DistinctRows(layout);
  }

  /** Whether rows that were added are to be settled and come out before there is room for more. */
  boolean isFull() {
    return taken < recent.count() && !recent.hasRoom();
  }

  void add(long[] row) {
    if (!recent.hasRoom()) {
      write();
    }
    if (recent.add(row) && runs.isEmpty()) {
      settled = recent.count();
    }
  }

  /** How many rows may come out. */
  int waiting() {
    return recent.count() - taken;
  }

  /** Returns the next new row; false where none is known to be one. */
  boolean next(long[] row) {
    while (taken < settled) {
      int number = taken++;
      if (runs.isEmpty() || !Bitmaps.test(marks, number - marked)) {
        recent.read(number, row);
        return true;
      }
    }
    return false;
  }

  /**
   * Finds which of the rows added last are new, of as many as there is memory for; false where
   * there are none to ask for.
   */
  boolean settle() {
    if (taken < settled) {
      throw new IllegalStateException("rows that have not come out");
    }
    for (int count = recent.count() - settled; count > 0; count /= 2) {
      try {
        settle(count);
        return true;
      } catch (GpdbException e) {
        if (e.code() != ErrorCode.OUT_OF_MEMORY || count <= SETTLED_MIN) {
          throw e;
        }
      }
    }
    return false;
  }

  private void settle(int count) {
    HashOrder order = HashOrder.of(layout, count, 1);
    BatchMemory forMarks = new BatchMemory();
    try (BatchMemory scratch = new BatchMemory()) {
      HostBuffer found = forMarks.bitmap(count);
      HostBuffer ends = scratch.pin((order.buckets() + 2L) * Integer.BYTES);
      HostBuffer numbers = scratch.pin((long) count * Integer.BYTES);
      ends.setInt(0, 0);
      order.sort(recent.words(), settled, count, 0, order.buckets(), ends, numbers);
      for (List<RowRun> ofSize : runs) {
        for (RowRun run : ofSize) {
          run.find(recent, numbers, count, settled, found);
        }
      }
      memory.close();
      memory = forMarks;
      marks = found;
      marked = settled;
    } catch (RuntimeException | Error e) {
      forMarks.close();
      throw e;
    }
    settled += count;
  }

  /** Makes a run of the set, all of which has come out. */
  private void write() {
    if (taken < recent.count()) {
      throw new IllegalStateException("rows that have not come out");
    }
    addRun(0, recent.written());
    settled = 0;
    taken = 0;
    for (int size = 0; runs.get(size).size() == RUNS_MERGED; size++) {
      List<RowRun> merged = runs.get(size);
      addRun(size + 1, RowRun.of(merged));
      merged.forEach(RowRun::close);
      merged.clear();
    }
  }

  private void addRun(int size, RowRun run) {
    if (runs.size() == size) {
      runs.add(new ArrayList<>());
    }
    runs.get(size).add(run);
  }

  @Override
  public void close() {
    recent.close();
    memory.close();
    runs.forEach(ofSize -> ofSize.forEach(RowRun::close));
  }
}
