package io.gpdb.planner.window;

import io.gpdb.exec.Device;
import io.gpdb.exec.library.base.HostLoop;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.memory.HostBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The places of sorted rows in pieces of whole partitions, which threads share. Where pieces begin
 * depends on the rows alone.
 */
final class WindowPieces {
  /** After this many places a piece ends with the partition it is in; a multiple of 32. */
  static final int PLACES = 8192;

  /** Places that a loop takes at a call; a multiple of 32. */
  static final int CALL_PLACES = HostLoop.CALL_TURNS;

  private final SortedRows rows;

  /** A bit for each place at which a partition begins; null where there is one piece. */
  private final @Nullable HostBuffer starts;

  /** Where each piece begins, and the end of the last. */
  private final int[] bounds;

  private WindowPieces(SortedRows rows, @Nullable HostBuffer starts, int[] bounds) {
    this.rows = rows;
    this.starts = starts;
    this.bounds = bounds;
  }

  /** Does something for the places of a piece. */
  interface Work {
    void run(int from, int to);
  }

  /** All rows as one piece. */
  static WindowPieces one(SortedRows rows) {
    return new WindowPieces(rows, null, new int[] {0, rows.count()});
  }

  /** Finds where partitions begin. */
  static WindowPieces of(SortedRows rows, Device device, BatchMemory memory) {
    int count = rows.count();
    if (count < 2 * PLACES || !rows.isPartitioned()) {
      return one(rows);
    }
    HostBuffer starts = memory.bitmap(count);
    device.share(
        (count + PLACES - 1) / PLACES,
        i -> {
          int end = Math.min(count, (i + 1) * PLACES);
          HostLoop.run(i * PLACES, end, (from, to) -> rows.markPartitions(starts, from, to));
        });
    return new WindowPieces(rows, starts, bounds(starts, count));
  }

  private static int[] bounds(HostBuffer starts, int count) {
    int[] bounds = new int[count / PLACES + 2];
    int pieces = 0;
    while (bounds[pieces] < count) {
      int next = Math.min(count, bounds[pieces] + PLACES);
      bounds[++pieces] = Bitmaps.next(starts, next, count, true);
    }
    return Arrays.copyOf(bounds, pieces + 1);
  }

  /** The place behind the last of the partition that begins there. */
  int partitionEnd(int from) {
    HostBuffer known = starts;
    return known == null
        ? rows.partitionEnd(from)
        : Bitmaps.next(known, from + 1, rows.count(), true);
  }

  /** Does the work for each piece. Of those that fail, throws what the first has thrown. */
  void share(Device device, Work work) {
    int pieces = bounds.length - 1;
    @Nullable Throwable[] failures = new Throwable[pieces];
    AtomicInteger failed = new AtomicInteger(pieces);
    device.share(
        pieces,
        i -> {
          if (i > failed.get()) {
            return;
          }
          try {
            work.run(bounds[i], bounds[i + 1]);
          } catch (RuntimeException | Error e) {
            failures[i] = e;
            failed.accumulateAndGet(i, Math::min);
          }
        });
    if (failed.get() < pieces) {
      switch (failures[failed.get()]) {
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case null, default -> throw new IllegalStateException("a failure without its cause");
      }
    }
  }

  /** Does the work once for all places. */
  void alone(Work work) {
    work.run(0, rows.count());
  }
}
