package io.gpdb.storage.index;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.storage.tablet.Tablets;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Builds an ordered index from the bottom up, from the live rows of a table to which nobody writes.
 *
 * <p>Work groups make a sorted run of each tablet's entries. A sample of them divides the order
 * into ranges of about as many entries; each work group then gathers a range from all runs, sorts
 * it and fills leaves with it, one after the other. At the end the leaves of all ranges, one range
 * behind the other, are those of the index. (A sample sort: Frazer and McKellar, 1970.)
 */
final class OrderedBuild {
  private static final int RANGE_ENTRIES = 32_000;
  private static final int RANGES_MAX = 2000;

  /** Entries of the sample for each range. */
  private static final int SAMPLED = 16;

  private final Tablets table;
  private final OrderedIndex index;
  private final SharedWork workers;
  private final boolean unique;
  private final MemoryAccount account = MemoryAccount.current();
  private final @Nullable EntryRun[] runs;
  private final @Nullable BuiltLeaves[] built;

  /** Room to gather entries in, of those that work. */
  private final ConcurrentLinkedQueue<SortedEntries> rooms = new ConcurrentLinkedQueue<>();

  private final SortedEntries sample = new SortedEntries();

  /**
   * @param unique whether to look for two rows with one key
   */
  OrderedBuild(Tablets table, OrderedIndex index, SharedWork workers, boolean unique) {
    this.table = table;
    this.index = index;
    this.workers = workers;
    this.unique = unique;
    runs = new @Nullable EntryRun[table.tabletCount()];
    built = new @Nullable BuiltLeaves[RANGES_MAX];
  }

  /** Returns rows that may have the key of an earlier row; the first one surely has it. */
  long[] run() {
    boolean installed = false;
    try {
      workers.share(runs.length, this::gather);
      int ranges = divide();
      workers.share(ranges, range -> build(range, ranges));
      closeRuns();
      long[] suspects = join();
      installed = true;
      return suspects;
    } finally {
      closeRuns();
      for (BuiltLeaves leaves : built) {
        if (!installed && leaves != null) {
          leaves.discard();
        }
      }
    }
  }

  private void closeRuns() {
    for (int t = 0; t < runs.length; t++) {
      EntryRun run = runs[t];
      runs[t] = null;
      if (run != null) {
        run.close();
      }
    }
  }

  private SortedEntries takeRoom() {
    SortedEntries room = rooms.poll();
    if (room == null) {
      room = new SortedEntries();
    }
    room.clear();
    return room;
  }

  private void gather(int number) {
    StopSignal.poll();
    SortedEntries room = takeRoom();
    Tablet tablet = table.tablet(number);
    tablet.latch().readLock().lock();
    try {
      add(tablet, room);
    } finally {
      tablet.latch().readLock().unlock();
    }
    room.sort();
    runs[number] = new EntryRun(account, room, room.count());
    rooms.add(room);
  }

  private void add(Tablet tablet, SortedEntries room) {
    KeyBatch batch = new KeyBatch();
    MemorySegment live = tablet.live().onHost().segment();
    int rows = tablet.rowCount();
    for (int from = Bitmaps.next(live, 0, rows, true); from < rows; ) {
      int end = Bitmaps.next(live, from, rows, false);
      batch.begin(tablet, from, end - from, index.columns());
      room.add(index.keys(), batch);
      from = Bitmaps.next(live, end, rows, true);
    }
  }

  private EntryRun runOf(int tablet) {
    EntryRun run = runs[tablet];
    if (run == null) {
      throw new IllegalStateException("no entries of tablet " + tablet);
    }
    return run;
  }

  /** Takes a sample of all entries; returns the number of ranges. */
  private int divide() {
    long total = 0;
    for (int t = 0; t < runs.length; t++) {
      total += runOf(t).count();
    }
    int ranges = (int) Math.max(1, Math.min(RANGES_MAX, total / RANGE_ENTRIES));
    long step = Math.max(1, total / ((long) ranges * SAMPLED));
    long next = step / 2;
    for (int t = 0; t < runs.length; t++) {
      EntryRun run = runOf(t);
      for (; next < run.count(); next += step) {
        run.copyTo(sample, (int) next, (int) next + 1);
      }
      next -= run.count();
    }
    sample.sort();
    return ranges;
  }

  /** Entries of a run that are below those of a range. */
  private int below(EntryRun run, int range, int ranges) {
    if (range == 0) {
      return 0;
    }
    if (range == ranges) {
      return run.count();
    }
    int i = (int) ((long) sample.count() * range / ranges);
    return run.below(sample.bytes(), sample.start(i), sample.length(i));
  }

  private void build(int range, int ranges) {
    StopSignal.poll();
    SortedEntries room = takeRoom();
    for (int t = 0; t < runs.length; t++) {
      EntryRun run = runOf(t);
      int from = below(run, range, ranges);
      int to = below(run, range + 1, ranges);
      if (from < to) {
        run.copyTo(room, from, to);
      }
    }
    room.sort();
    BuiltLeaves leaves = new BuiltLeaves(index, unique);
    built[range] = leaves;
    leaves.fill(room);
    rooms.add(room);
  }

  private long[] join() {
    List<OrderedLeaf> leaves = new ArrayList<>();
    long entries = 0;
    long duplicate = Long.MAX_VALUE;
    long[] suspects = {};
    BuiltLeaves before = null;
    for (BuiltLeaves next : built) {
      if (next != null && !next.isEmpty()) {
        if (before != null) {
          next.follow(before);
        }
        leaves.addAll(next.leaves());
        entries += next.entryCount();
        duplicate = Math.min(duplicate, next.duplicate());
        suspects = joined(suspects, next.suspects());
        before = next;
      }
    }
    index.install(leaves, entries);
    return duplicate == Long.MAX_VALUE ? suspects : joined(new long[] {duplicate}, suspects);
  }

  private static long[] joined(long[] a, long[] b) {
    long[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }
}
