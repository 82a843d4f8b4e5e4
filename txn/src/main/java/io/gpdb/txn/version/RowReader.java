package io.gpdb.txn.version;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.index.Index;
import io.gpdb.storage.memory.Cells;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.Chunk;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.storage.tablet.TabletLatch;
import org.jspecify.annotations.Nullable;

/** Reads single rows of a table as one reader sees them. Used by one thread at a time. */
public final class RowReader {
  public static final int[] NO_COLUMNS = {};
  private static final long[] NO_KEY = {};
  private static final boolean[] NO_NULLS = {};

  private final TableVersions table;
  private final TableStore store;

  /** A row's key; made when the first key is looked up. */
  private long[] keyValues = NO_KEY;

  private boolean[] keyNulls = NO_NULLS;

  /** Where the host does not reach the table; made when the first row is fetched. */
  private @Nullable Cells cells;

  public RowReader(TableVersions table) {
    this.table = table;
    this.store = table.store();
  }

  public long findByKey(ReadPoint reader, int ordinal, long[] key) {
    Index index = store.index(ordinal);
    return find(reader, index, key, index.firstCandidate(key));
  }

  /**
   * As above, with columns of the row, in one read of it: on a GPU that is one wait.
   *
   * @param keyAt where among {@code columns} those of the index are, in its order
   */
  public long readByKey(
      ReadPoint reader,
      int ordinal,
      long[] key,
      int[] keyAt,
      int[] columns,
      long[] values,
      boolean[] nulls) {
    Index index = store.index(ordinal);
    for (long row = index.firstCandidate(key); row >= 0; row = index.nextCandidate(key, row)) {
      if (read(reader, row, columns, values, nulls) && hasKey(key, keyAt, columns, values, nulls)) {
        return row;
      }
    }
    return -1;
  }

  private boolean hasKey(long[] key, int[] keyAt, int[] columns, long[] values, boolean[] nulls) {
    for (int i = 0; i < key.length; i++) {
      int at = keyAt[i];
      if (nulls[at] || !table.type(columns[at]).isSameKey(values[at], key[i])) {
        return false;
      }
    }
    return true;
  }

  /** The row with the greatest number below {@code below} that has the key, or -1. */
  long findByKeyBelow(ReadPoint reader, int ordinal, long[] key, long below) {
    Index index = store.index(ordinal);
    long first =
        below > store.rowLimit() ? index.firstCandidate(key) : index.nextCandidate(key, below);
    return find(reader, index, key, first);
  }

  private long find(ReadPoint reader, Index index, long[] key, long first) {
    int[] columns = index.columns();
    if (keyValues.length < columns.length) {
      keyValues = new long[columns.length];
      keyNulls = new boolean[columns.length];
    }
    for (long row = first; row >= 0; row = index.nextCandidate(key, row)) {
      if (read(reader, row, columns, keyValues, keyNulls) && hasKey(columns, key)) {
        return row;
      }
    }
    return -1;
  }

  private boolean hasKey(int[] columns, long[] key) {
    for (int i = 0; i < key.length; i++) {
      if (keyNulls[i] || !table.type(columns[i]).isSameKey(keyValues[i], key[i])) {
        return false;
      }
    }
    return true;
  }

  public boolean read(ReadPoint reader, long row, int[] columns, long[] values, boolean[] nulls) {
    if (row < 0 || row >= store.rowLimit()) {
      return false;
    }
    Tablet tablet = store.tablet((int) (row / Tablet.ROWS));
    int r = (int) (row % Tablet.ROWS);
    long changes = tablet.latch().changes();
    if (TabletLatch.isCalm(changes)) {
      Found found = withoutLatch(tablet, r, columns, values, nulls);
      if (found != Found.UNKNOWN && tablet.latch().isStill(changes)) {
        return found == Found.LIVE;
      }
    }
    return withLatch(reader, tablet, r, columns, values, nulls);
  }

  private enum Found {
    LIVE,
    DEAD,
    UNKNOWN
  }

  /**
   * The row, where it has no versions and its tablet is in the host's memory; means something only
   * where the latch was {@linkplain TabletLatch#isStill still} meanwhile.
   */
  private Found withoutLatch(Tablet tablet, int r, int[] columns, long[] values, boolean[] nulls) {
    TabletVersions versions = table.tablet(tablet.number());
    HostBuffer liveBits = inMemory(tablet.chunk(ChunkKind.LIVE, 0));
    if (liveBits == null || (versions != null && !versions.isEmpty())) {
      return Found.UNKNOWN;
    }
    try {
      if (!Bitmaps.test(liveBits, r)) {
        return Found.DEAD;
      }
      return newestInMemory(tablet, r, columns, values, nulls) ? Found.LIVE : Found.UNKNOWN;
    } catch (RuntimeException | InternalError e) {
      return Found.UNKNOWN; // memory that was given back; an error that stays comes again below
    }
  }

  private static @Nullable HostBuffer inMemory(@Nullable Chunk chunk) {
    return chunk == null ? null : chunk.inMemory();
  }

  private boolean newestInMemory(
      Tablet tablet, int r, int[] columns, long[] values, boolean[] nulls) {
    for (int i = 0; i < columns.length; i++) {
      int c = columns[i];
      Chunk validity = tablet.chunk(ChunkKind.VALIDITY, c);
      HostBuffer valid = inMemory(validity);
      HostBuffer column = inMemory(tablet.chunk(ChunkKind.VALUES, c));
      if (column == null || (valid == null && validity != null)) {
        return false;
      }
      nulls[i] = valid != null && !Bitmaps.test(valid, r);
      values[i] = table.type(c).rawAt(column, r);
    }
    return true;
  }

  private boolean withLatch(
      ReadPoint reader, Tablet tablet, int r, int[] columns, long[] values, boolean[] nulls) {
    tablet.latch().readLock().lock();
    try {
      boolean live = newest(tablet, r, columns, values, nulls);
      TabletVersions versions = table.tablet(tablet.number());
      return (versions == null || versions.isEmpty())
          ? live
          : versions.restoreRow(reader, r, live, columns, values, nulls, table.types());
    } finally {
      tablet.latch().readLock().unlock();
    }
  }

  /** The newest state of a row, and whether it is live; the caller holds the latch. */
  boolean newest(Tablet tablet, int r, int[] columns, long[] values, boolean[] nulls) {
    DeviceBuffer live = tablet.live();
    if (!live.memory().isHosts()) {
      return fetched(live, tablet, r, columns, values, nulls);
    }
    for (int i = 0; i < columns.length; i++) {
      int c = columns[i];
      DeviceBuffer valid = tablet.validity(c);
      nulls[i] = valid != null && !Bitmaps.testOne(valid, r);
      values[i] = table.type(c).oneAt(tablet.values(c), r);
    }
    return Bitmaps.testOne(live, r);
  }

  /** All that is read of the row comes to the host at once. */
  private boolean fetched(
      DeviceBuffer live, Tablet tablet, int r, int[] columns, long[] values, boolean[] nulls) {
    Cells cells = emptyCells();
    int liveCell = Bitmaps.cell(cells, live, r);
    int[] at = new int[2 * columns.length];
    for (int i = 0; i < columns.length; i++) {
      int c = columns[i];
      DeviceBuffer valid = tablet.validity(c);
      at[2 * i] = valid == null ? -1 : Bitmaps.cell(cells, valid, r);
      at[2 * i + 1] = table.type(c).cell(cells, tablet.values(c), r);
    }
    cells.fetch(live.memory());
    for (int i = 0; i < columns.length; i++) {
      nulls[i] = at[2 * i] >= 0 && !Bitmaps.test(cells.word(at[2 * i]), r);
      values[i] = table.type(columns[i]).rawOf(cells.word(at[2 * i + 1]));
    }
    return Bitmaps.test(cells.word(liveCell), r);
  }

  private Cells emptyCells() {
    Cells known = cells;
    if (known == null) {
      known = new Cells();
      cells = known;
    }
    known.clear();
    return known;
  }

  /**
   * Whether no reader sees the row, nor will: it is dead, and no version of it is left. A row that
   * is being inserted or deleted has a version.
   */
  boolean isGone(long row) {
    if (row < 0 || row >= store.rowLimit()) {
      return false;
    }
    Tablet tablet = store.tablet((int) (row / Tablet.ROWS));
    int r = (int) (row % Tablet.ROWS);
    tablet.latch().readLock().lock();
    try {
      TabletVersions versions = table.tablet(tablet.number());
      return !Bitmaps.testOne(tablet.live(), r) && (versions == null || !versions.knows(r));
    } finally {
      tablet.latch().readLock().unlock();
    }
  }

  public boolean isLive(ReadPoint reader, long row) {
    return read(reader, row, NO_COLUMNS, keyValues, keyNulls);
  }
}
