package io.gpdb.storage.index;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.storage.tablet.Tablets;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Puts the keys of a table's live rows into an index, tablet by tablet, while nobody writes to the
 * table.
 */
public final class IndexBuild {
  /** No two rows have one key, or it does not matter. */
  public static final long NO_ROW = -1;

  private final Tablets table;
  private final Index index;
  private final SharedWork workers;
  private final KeyBatch batch = new KeyBatch();
  private final long[] key;
  private final long[] otherKey;
  private int[] suspects = {};

  /**
   * @param workers what is large is shared by them
   */
  public IndexBuild(Tablets table, Index index, SharedWork workers) {
    this.table = table;
    this.workers = workers;
    this.index = index;
    key = new long[index.columns().length];
    otherKey = new long[key.length];
  }

  /**
   * Returns the first row with the key of a row before it, where the index is unique.
   *
   * @param checked whether to look for one
   */
  public long run(boolean checked) {
    if (index instanceof OrderedIndex ordered && ordered.isUnused()) {
      try {
        boolean unique = checked && index.isUnique();
        return first(new OrderedBuild(table, ordered, workers, unique).run());
      } catch (GpdbException e) {
        if (e.code() != ErrorCode.OUT_OF_MEMORY) {
          throw e;
        }
        // Entry by entry it takes half of the memory.
      }
    }
    return runByTablets(checked);
  }

  private long runByTablets(boolean checked) {
    long found = NO_ROW;
    for (int t = 0; t < table.tabletCount() && found == NO_ROW; t++) {
      Tablet tablet = table.tablet(t);
      tablet.latch().readLock().lock();
      try {
        found = add(tablet, checked && index.isUnique());
      } finally {
        tablet.latch().readLock().unlock();
      }
    }
    return found;
  }

  /** The first of the rows that have the key of a row before them. */
  private long first(long[] suspects) {
    Arrays.sort(suspects);
    for (int s = 0; s < suspects.length; s++) {
      StopSignal.poll(s);
      if (readKey(suspects[s], key) && hasEarlier(suspects[s])) {
        return suspects[s];
      }
    }
    return NO_ROW;
  }

  /** Reads a row's key; false where it has a NULL. */
  private boolean readKey(long row, long[] to) {
    Tablet tablet = table.tablet((int) (row / Tablet.ROWS));
    int r = (int) (row % Tablet.ROWS);
    int[] columns = index.columns();
    tablet.latch().readLock().lock();
    try {
      for (int k = 0; k < columns.length; k++) {
        if (isNull(tablet.validity(columns[k]), r)) {
          return false;
        }
        to[k] = tablet.type(columns[k]).oneAt(tablet.values(columns[k]), r);
      }
      return true;
    } finally {
      tablet.latch().readLock().unlock();
    }
  }

  private long add(Tablet tablet, boolean unique) {
    MemorySegment live = tablet.live().onHost().segment();
    int rows = tablet.rowCount();
    long found = NO_ROW;
    for (int from = Bitmaps.next(live, 0, rows, true); from < rows && found == NO_ROW; ) {
      StopSignal.poll();
      int end = Bitmaps.next(live, from, rows, false);
      found = addRun(tablet, from, end - from, unique);
      from = Bitmaps.next(live, end, rows, true);
    }
    return found;
  }

  private long addRun(Tablet tablet, int from, int n, boolean unique) {
    long first = (long) tablet.number() * Tablet.ROWS + from;
    batch.begin(tablet, from, n, index.columns());
    if (!unique) {
      index.insertAll(batch, null);
      return NO_ROW;
    }
    if (suspects.length < n) {
      suspects = new int[n];
    }
    int count = index.insertAll(batch, suspects);
    for (int s = 0; s < count; s++) {
      StopSignal.poll(s);
      batch.key(suspects[s], key);
      if (hasEarlier(first + suspects[s])) {
        return first + suspects[s];
      }
    }
    return NO_ROW;
  }

  /** All candidates are live rows; those of another key have its hash. */
  private boolean hasEarlier(long row) {
    for (long candidate = index.nextCandidate(key, row);
        candidate >= 0;
        candidate = index.nextCandidate(key, candidate)) {
      if (hasKey(candidate)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasKey(long row) {
    if (!readKey(row, otherKey)) {
      return false;
    }
    Tablet tablet = table.tablet((int) (row / Tablet.ROWS));
    int[] columns = index.columns();
    for (int k = 0; k < columns.length; k++) {
      if (!tablet.type(columns[k]).isSameKey(otherKey[k], key[k])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isNull(@Nullable DeviceBuffer validity, int row) {
    return validity != null && !Bitmaps.testOne(validity, row);
  }
}
