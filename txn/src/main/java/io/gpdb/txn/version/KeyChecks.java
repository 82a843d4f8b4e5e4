package io.gpdb.txn.version;

import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.index.Index;
import io.gpdb.storage.index.KeyBatch;
import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.KeyViolation;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps indexes and uniqueness for one transaction and one table. Used by one thread at a time,
 * which holds no latch of the table.
 *
 * <p>K1. A row's values and version are in place before its key is put into an index, and its key
 * is in the index before other rows with that key are looked for: of two transactions that write
 * the same key, at least one finds the other's.
 */
public final class KeyChecks {
  private static final int BLOCK_ROWS = Tablet.ROWS;
  private static final int PENDING_MIN = 16;
  private static final long[] NO_KEY = {};
  private static final boolean[] NO_NULLS = {};
  private static final BlockOfKeys[] NO_BLOCKS = {};

  /** Keys of fewer rows are in an index sooner than another thread has begun. */
  private static final int SHARED_ROWS_MIN = 1024;

  private final TableVersions table;
  private final TableStore store;
  private final RowReader rows;
  private final SharedWork workers;

  /** The key that is judged, and that of another row; made when the first one is. */
  private long[] key = NO_KEY;

  private boolean[] nulls = NO_NULLS;
  private long[] probed = NO_KEY;
  private boolean[] probedNulls = NO_NULLS;

  /** One for each index. */
  private BlockOfKeys[] blocks = NO_BLOCKS;

  /** The key of the last conflict; {@code foundWriter} has written a row with it. */
  private long[] foundKey = NO_KEY;

  private @Nullable CommitStamp foundWriter;
  private long[] pendingRows = NO_KEY;
  private int[] pendingIndexes = RowReader.NO_COLUMNS;
  private long[] pendingPositions = NO_KEY;
  private boolean[] pendingSuspects = NO_NULLS;
  private int pendingCount;
  private long updatedRows;

  /** What another row means for a key. */
  private enum Verdict {
    FREE,
    TAKEN,
    CONFLICT
  }

  /**
   * @param workers share the work of large batches
   */
  public KeyChecks(TableVersions table, RowReader rows, SharedWork workers) {
    this.workers = workers;
    this.table = table;
    this.store = table.store();
    this.rows = rows;
  }

  private void makeRoom() {
    if (key.length == 0) {
      int columns = table.types().length;
      key = new long[columns];
      nulls = new boolean[columns];
      probed = new long[columns];
      probedNulls = new boolean[columns];
    }
  }

  /** Puts the keys of inserted rows into the indexes and judges them in the batch's order. */
  public void inserted(ReadPoint writer, long firstRow, ColumnView[] columns, int n) {
    if (store.indexCount() == 0) {
      return;
    }
    ColumnView[] read = keysOnHost(columns);
    for (int from = 0; from < n; from += BLOCK_ROWS) {
      StopSignal.poll();
      insertedBlock(writer, firstRow, read, from, Math.min(BLOCK_ROWS, n - from), firstRow + n);
    }
  }

  /** The columns, those of keys for the host to read: copied once for all blocks, if at all. */
  private ColumnView[] keysOnHost(ColumnView[] columns) {
    ColumnView[] read = columns;
    boolean copied = false;
    for (int ordinal = 0; ordinal < store.indexCount(); ordinal++) {
      for (int c : store.index(ordinal).columns()) {
        ColumnView column = read[c].onHost();
        if (!column.equals(read[c])) {
          read = copied ? read : columns.clone();
          copied = true;
          read[c] = column;
        }
      }
    }
    return read;
  }

  private void insertedBlock(
      ReadPoint writer, long firstRow, ColumnView[] columns, int from, int n, long batchLimit) {
    putBlock(firstRow, columns, from, n);
    int worst = Integer.MAX_VALUE;
    int worstIndex = -1;
    Verdict verdict = Verdict.FREE;
    for (int ordinal = 0; ordinal < store.indexCount(); ordinal++) {
      BlockOfKeys block = blocks[ordinal];
      for (int s = 0; s < block.suspectCount() && block.suspect(s) < worst; s++) {
        StopSignal.poll(s);
        makeRoom();
        long row = firstRow + from + block.suspect(s);
        block.keys().key(block.suspect(s), key);
        Verdict found = judge(writer, ordinal, row, batchLimit);
        if (found != Verdict.FREE) {
          worst = block.suspect(s);
          foundKey = key.clone();
          worstIndex = ordinal;
          verdict = found;
        }
      }
    }
    raise(verdict, worstIndex, from + (long) worst);
  }

  /** Puts the block's keys into all indexes; those of a large block into several at a time. */
  private void putBlock(long firstRow, ColumnView[] columns, int from, int n) {
    int indexes = store.indexCount();
    BlockOfKeys[] room = blocks(indexes);
    IntConsumer put =
        i -> room[i].putInserted(table, store.index(i), columns, from, n, firstRow, workers);
    (n < SHARED_ROWS_MIN ? SharedWork.ALONE : workers).share(indexes, put);
  }

  private BlockOfKeys[] blocks(int indexes) {
    int made = blocks.length;
    if (made < indexes) {
      BlockOfKeys[] more = Arrays.copyOf(blocks, indexes);
      for (int i = made; i < indexes; i++) {
        more[i] = new BlockOfKeys();
      }
      blocks = more;
    }
    return blocks;
  }

  private void raise(Verdict verdict, int ordinal, long batchRow) {
    switch (verdict) {
      case FREE -> {}
      case TAKEN -> throw new KeyViolation(ordinal, batchRow);
      case CONFLICT -> {
        long[] values = Arrays.copyOf(foundKey, table.keyColumns(ordinal).length);
        throw Conflicts.atKey(
            Objects.requireNonNull(foundWriter), table, ordinal, values, batchRow);
      }
    }
  }

  /** Whether the key is free for {@code row}; rows of its batch after it do not count. */
  private Verdict judge(ReadPoint writer, int ordinal, long row, long batchLimit) {
    Index index = store.index(ordinal);
    int[] columns = index.columns();
    Verdict verdict = Verdict.FREE;
    int probes = 0;
    for (long candidate = index.firstCandidate(key);
        candidate >= 0 && verdict == Verdict.FREE;
        candidate = index.nextCandidate(key, candidate)) {
      StopSignal.poll(++probes);
      boolean laterInBatch = candidate > row && candidate < batchLimit;
      if (candidate != row && !laterInBatch) {
        verdict = probe(writer, candidate, columns);
      }
    }
    return verdict;
  }

  private Verdict probe(ReadPoint reader, long candidate, int[] columns) {
    if (candidate >= store.rowLimit()) {
      return Verdict.FREE;
    }
    Tablet tablet = store.tablet((int) (candidate / Tablet.ROWS));
    int r = (int) (candidate % Tablet.ROWS);
    tablet.latch().readLock().lock();
    try {
      boolean live = rows.newest(tablet, r, columns, probed, probedNulls);
      boolean same = sameKey(columns);
      TabletVersions versions = table.tablet(tablet.number());
      if (versions == null || versions.isEmpty() || !versions.isUnseen(reader, r)) {
        return live && same ? Verdict.TAKEN : Verdict.FREE;
      }
      CommitStamp writer = versions.unseenWriter(reader, r);
      boolean everSame =
          same
              || versions.anyOlderState(
                  r,
                  columns,
                  probed,
                  probedNulls,
                  table.types(),
                  (values, missing) -> sameKey(columns));
      if (everSame) {
        foundWriter = writer;
      }
      return everSame ? Verdict.CONFLICT : Verdict.FREE;
    } finally {
      tablet.latch().readLock().unlock();
    }
  }

  private boolean sameKey(int[] columns) {
    for (int k = 0; k < columns.length; k++) {
      if (probedNulls[k] || !table.type(columns[k]).isSameKey(probed[k], key[k])) {
        return false;
      }
    }
    return true;
  }

  /** Whether an update of these columns changes the keys of an index. */
  public boolean touchesKey(int ordinal, int[] updated) {
    for (int k : table.keyColumns(ordinal)) {
      for (int c : updated) {
        if (k == c) {
          return true;
        }
      }
    }
    return false;
  }

  public boolean touchesAnyKey(int[] updated) {
    for (int ordinal = 0; ordinal < store.indexCount(); ordinal++) {
      if (touchesKey(ordinal, updated)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an update of these columns changes keys that no two rows may have. */
  public boolean touchesUnique(int[] updated) {
    for (int ordinal = 0; ordinal < store.indexCount(); ordinal++) {
      if (store.index(ordinal).isUnique() && touchesKey(ordinal, updated)) {
        return true;
      }
    }
    return false;
  }

  /** Counts updated rows; returns the position of the first of them in the statement. */
  public long countUpdated(int n) {
    long first = updatedRows;
    updatedRows += n;
    return first;
  }

  /**
   * Puts the new keys of updated rows, those of some versions, into an index; those of a unique one
   * are judged at the end.
   *
   * @param position of the first of them in the statement
   */
  public void updated(int ordinal, List<UndoVersion> changes, long position) {
    int n = 0;
    for (UndoVersion change : changes) {
      n += change.n();
    }
    if (n == 1) {
      UndoVersion only = changes.getFirst();
      updated(ordinal, rowOf(only, 0), position);
      return;
    }
    Index index = store.index(ordinal);
    BlockOfKeys block = blocks(store.indexCount())[ordinal];
    gather(block.keys(), n, index.columns(), changes);
    block.put(index, workers);
    for (int i = 0, s = 0; index.isUnique() && i < n; i++) {
      boolean suspect = s < block.suspectCount() && block.suspect(s) == i;
      s += suspect ? 1 : 0;
      if (!block.keys().isNull(i)) {
        remember(ordinal, block.keys().row(i), position + i, suspect);
      }
    }
  }

  /** Gathers the newest keys of the rows of some versions, one version behind the other. */
  private void gather(KeyBatch keys, int n, int[] columns, List<UndoVersion> changes) {
    keys.beginGathered(n, columns, table::type);
    int[] starts = new int[changes.size()];
    for (int g = 1; g < starts.length; g++) {
      starts[g] = starts[g - 1] + changes.get(g - 1).n();
    }
    IntConsumer gather =
        g -> {
          UndoVersion change = changes.get(g);
          Tablet changed = store.tablet(change.tablet());
          changed.latch().readLock().lock();
          try {
            keys.gather(starts[g], changed, columns, change.rows().segment(), change.n());
          } finally {
            changed.latch().readLock().unlock();
          }
        };
    (n < SHARED_ROWS_MIN ? SharedWork.ALONE : workers).share(starts.length, gather);
  }

  private static long rowOf(UndoVersion change, int i) {
    return (long) change.tablet() * Tablet.ROWS + change.rows().intAt(i);
  }

  private void updated(int ordinal, long row, long position) {
    Index index = store.index(ordinal);
    boolean whole = currentKey(row, index.columns());
    if (whole || index.holdsNulls()) {
      index.insert(key, nulls, row);
    }
    if (whole && index.isUnique()) {
      remember(ordinal, row, position, true);
    }
  }

  /** Reads the row's newest key; false when a part of it is NULL. */
  private boolean currentKey(long row, int[] columns) {
    makeRoom();
    Tablet tablet = store.tablet((int) (row / Tablet.ROWS));
    tablet.latch().readLock().lock();
    try {
      rows.newest(tablet, (int) (row % Tablet.ROWS), columns, key, nulls);
    } finally {
      tablet.latch().readLock().unlock();
    }
    for (int k = 0; k < columns.length; k++) {
      if (nulls[k]) {
        return false;
      }
    }
    return true;
  }

  /**
   * @param suspect whether another row may have the key: one that has put it in before
   */
  private void remember(int ordinal, long row, long position, boolean suspect) {
    if (pendingCount == pendingRows.length) {
      int room = Math.max(PENDING_MIN, pendingCount * 2);
      pendingRows = Arrays.copyOf(pendingRows, room);
      pendingIndexes = Arrays.copyOf(pendingIndexes, room);
      pendingPositions = Arrays.copyOf(pendingPositions, room);
      pendingSuspects = Arrays.copyOf(pendingSuspects, room);
    }
    pendingRows[pendingCount] = row;
    pendingIndexes[pendingCount] = ordinal;
    pendingPositions[pendingCount] = position;
    pendingSuspects[pendingCount++] = suspect;
  }

  /**
   * Judges the keys of the rows that the statement updated: of two with one key the later one is
   * suspect. Where one is not free, the first of all that is not is the statement's error.
   */
  public void finishStatement(ReadPoint writer) {
    try {
      boolean free = true;
      for (int i = 0; i < pendingCount && free; i++) {
        StopSignal.poll(i);
        free = !pendingSuspects[i] || judgeUpdated(writer, i) == Verdict.FREE;
      }
      for (int i = 0; i < pendingCount && !free; i++) {
        StopSignal.poll(i);
        Verdict verdict = judgeUpdated(writer, i);
        foundKey = key.clone();
        raise(verdict, pendingIndexes[i], pendingPositions[i]);
      }
    } finally {
      forget();
    }
  }

  private Verdict judgeUpdated(ReadPoint writer, int i) {
    int ordinal = pendingIndexes[i];
    long row = pendingRows[i];
    return rows.isLive(writer, row) && currentKey(row, table.keyColumns(ordinal))
        ? judge(writer, ordinal, row, 0)
        : Verdict.FREE;
  }

  /** Forgets what the statement updated. */
  public void forget() {
    pendingCount = 0;
    updatedRows = 0;
  }
}
