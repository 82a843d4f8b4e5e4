package io.gpdb.txn.protocol;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.library.change.BatchRows;
import io.gpdb.exec.library.change.ColumnUpdate;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.table.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.change.BatchChange;
import io.gpdb.txn.change.ColumnChange;
import io.gpdb.txn.change.ColumnStores;
import io.gpdb.txn.change.TabletChange;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.change.TransactionWrites.TouchedColumn;
import io.gpdb.txn.log.MemoryRange;
import io.gpdb.txn.version.CommitStamp;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.TxnCounters;
import io.gpdb.txn.version.UndoVersion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The protocol of GPM (Pandey et al. 2022, section 5.2): kernels append old values to a log and
 * persist it, then store in place in the home image and persist that; the commit record in the
 * write-ahead log names the extents and ends the transaction.
 */
public final class UndoProtocol implements WriteProtocol {
  private final ColumnStores stores;
  private final PersistentMemory home;
  private final UndoLog log;
  private final TxnCounters counters;
  private final Map<CommitStamp, List<Saved>> open = new HashMap<>();

  /** A record of the undo log, by its place, and the column that it saves. */
  private record Saved(long offset, Tablet tablet, int column) {}

  public UndoProtocol(
      ColumnStores stores, PersistentMemory home, UndoLog log, TxnCounters counters) {
    this.stores = stores;
    this.home = home;
    this.log = log;
    this.counters = counters;
  }

  @Override
  public boolean offers(Protocol wish) {
    return wish == Protocol.UNDO;
  }

  @Override
  public Protocol prepareInsert(TransactionWrites writes, TableVersions table, Tablet tablet) {
    for (int c = 0; c < table.types().length; c++) {
      adopt(writes, table, tablet, c, tablet.validity(c) != null);
    }
    return Protocol.UNDO;
  }

  private static void adopt(
      TransactionWrites writes, TableVersions table, Tablet tablet, int column, boolean nullable) {
    assert tablet.isInPlace(ChunkKind.VALUES, column)
            || !table.hasUncommitted(tablet.number(), column)
        : "M2: taken in place with an update that is not committed, column " + column;
    adopt(tablet, ChunkKind.VALUES, column);
    if (nullable) {
      adopt(tablet, ChunkKind.VALIDITY, column);
    }
    writes.touchedColumns().add(new TouchedColumn(table, tablet.number(), column));
  }

  /** Once for each chunk: adopting writes the whole of it. */
  private static void adopt(Tablet tablet, ChunkKind kind, int column) {
    assert tablet.latch().isWriteLockedByCurrentThread() : "R3: taken in place without the latch";
    if (!tablet.isInPlace(kind, column)) {
      tablet.adoptInPlace(kind, column);
    }
  }

  @Override
  public Protocol update(TransactionWrites writes, ColumnChange change) {
    Tablet tablet = change.tablet();
    boolean nullable = change.oldValidity() != null;
    adopt(writes, change.table(), tablet, change.column(), nullable);
    MemorySegment values = tablet.writableValues(change.column());
    MemorySegment validity = nullable ? tablet.writableValidity(change.column()) : null;
    MemoryRange valuesRange = range(tablet, ChunkKind.VALUES, change.column());
    PersistTarget validityRange =
        nullable ? range(tablet, ChunkKind.VALIDITY, change.column()) : PersistTarget.VOLATILE;
    ColumnUpdate operands =
        ColumnStores.operands(change)
            .column(values, valuesRange, validity, validityRange)
            .captureInto(change.oldValues(), change.oldValidity());
    try (Arena arena = Arena.ofConfined()) {
      UndoDraft draft =
          new UndoDraft(
              writes,
              change.table(),
              tablet,
              change.column(),
              change.n(),
              nullable,
              stores.logKind(),
              arena);
      append(
          writes,
          List.of(draft),
          logs -> stores.updateKernels().undoLog(operands.log(logs.getFirst())));
    }
    stores.updateKernels().undoStore(operands);
    counters.homeWritten((long) change.n() * change.type().bytes());
    return Protocol.UNDO;
  }

  /**
   * One launch appends the old values of all parts to records of the log, another one stores the
   * new values of all of them.
   */
  @Override
  public void update(TransactionWrites writes, BatchChange change) {
    List<BatchRows> groups = change.operands(writes, new InPlace(writes, change.table()));
    try (Arena arena = Arena.ofConfined()) {
      append(
          writes,
          drafts(writes, change, arena),
          logs -> {
            change.giveLogs(groups, logs);
            change.kernel().undoLog(change.bindings(), groups);
          });
    }
    change.protocol(Protocol.UNDO);
    change.captured();
    change.kernel().undoStore(change.bindings(), groups);
    counters.homeWritten(change.newBytes());
  }

  @Override
  public void update(TransactionWrites writes, TabletChange change) {
    update(writes, change.asBatch(stores.suppliedValues()));
  }

  private List<UndoDraft> drafts(TransactionWrites writes, BatchChange change, Arena arena) {
    List<UndoDraft> drafts = new ArrayList<>();
    int[] columns = change.columns();
    for (BatchChange.Part part : change.parts()) {
      for (int c = 0; c < columns.length; c++) {
        drafts.add(
            new UndoDraft(
                writes,
                change.table(),
                part.tablet(),
                columns[c],
                part.n(),
                part.oldValidity()[c] != null,
                stores.logKind(),
                arena));
      }
    }
    return drafts;
  }

  /** The chunks that a batch sets. */
  private final class InPlace implements BatchChange.Homes {
    private final TransactionWrites writes;
    private final TableVersions table;

    InPlace(TransactionWrites writes, TableVersions table) {
      this.writes = writes;
      this.table = table;
    }

    @Override
    public void prepare(Tablet tablet, int column, boolean nullable) {
      adopt(writes, table, tablet, column, nullable);
    }

    @Override
    public PersistTarget target(Tablet tablet, ChunkKind kind, int column) {
      return range(tablet, kind, column);
    }
  }

  private MemoryRange range(Tablet tablet, ChunkKind kind, int column) {
    return new MemoryRange(home, tablet.homeOffset(kind, column));
  }

  /** Appends the records, which kernels fill; all are durable on return (U1). */
  private void append(
      TransactionWrites writes, List<UndoDraft> drafts, UndoLog.RegionsWriter writer) {
    synchronized (log) {
      long[] places = log.append(drafts, writer);
      List<Saved> saved = open.computeIfAbsent(writes.stamp(), s -> new ArrayList<>());
      for (int i = 0; i < places.length; i++) {
        UndoDraft draft = drafts.get(i);
        saved.add(new Saved(places[i], draft.tablet(), draft.column()));
        counters.undoWritten(UndoLayout.HEADER_BYTES + draft.regionBytes());
      }
    }
  }

  /** The kernel of an insert persists new values of chunks in place, behind the row limit. */
  @Override
  public PersistTarget insertTarget(Tablet tablet, ChunkKind kind, int column) {
    if (!tablet.isInPlace(ChunkKind.VALUES, column)) {
      return PersistTarget.VOLATILE;
    }
    adopt(tablet, kind, column);
    return range(tablet, kind, column);
  }

  @Override
  public void insertedByKernel(
      TransactionWrites writes, TableVersions table, Tablet tablet, int from, int n, Protocol how) {
    for (int c = 0; c < table.types().length; c++) {
      if (tablet.isInPlace(ChunkKind.VALUES, c)) {
        adopt(writes, table, tablet, c, tablet.validity(c) != null);
        counters.homeWritten((long) n * table.type(c).bytes());
      }
    }
  }

  /** Also where the values are logged: a chunk in place holds all that is committed (M1). */
  @Override
  public void inserted(
      TransactionWrites writes, TableVersions table, Tablet tablet, int from, int n, Protocol how) {
    for (int c = 0; c < table.types().length; c++) {
      if (tablet.isInPlace(ChunkKind.VALUES, c)) {
        adopt(writes, table, tablet, c, tablet.validity(c) != null);
        long width = table.type(c).bytes();
        range(tablet, ChunkKind.VALUES, c).flush(from * width, n * width);
        counters.homeWritten(n * width);
        if (tablet.validity(c) != null) {
          flushBits(tablet, c, from, n);
        }
      }
    }
  }

  private void flushBits(Tablet tablet, int column, int from, int n) {
    long first = from / 32 * 4L;
    range(tablet, ChunkKind.VALIDITY, column).flush(first, (from + n + 31) / 32 * 4L - first);
  }

  /** The rows are free for others when the version is gone: its records are done before (U4). */
  @Override
  public void restored(TransactionWrites writes, UndoVersion version, Tablet tablet) {
    boolean any = false;
    for (int i = 0; i < version.columnCount(); i++) {
      if (version.protocol(i) == Protocol.UNDO) {
        flushColumn(version, i, tablet);
        any = true;
      }
    }
    if (!any) {
      return;
    }
    home.drain();
    synchronized (log) {
      List<Saved> records = open.getOrDefault(writes.stamp(), new ArrayList<>());
      for (int i = version.columnCount() - 1; i >= 0; i--) {
        if (version.protocol(i) == Protocol.UNDO) {
          markNewest(records, tablet, version.column(i));
        }
      }
      log.drain();
    }
    assert tablet.latch().isWriteLockedByCurrentThread()
        : "U4: others can write the rows before the marks are durable";
  }

  private void flushColumn(UndoVersion version, int i, Tablet tablet) {
    int c = version.column(i);
    flushRows(version, range(tablet, ChunkKind.VALUES, c), version.table().type(c).bytes());
    if (tablet.validity(c) != null) {
      range(tablet, ChunkKind.VALIDITY, c).flush(0, Bitmaps.bytes(tablet.rowCount()));
    }
  }

  private void markNewest(List<Saved> records, Tablet tablet, int column) {
    for (int i = records.size() - 1; i >= 0; i--) {
      Saved saved = records.get(i);
      if (saved.tablet() == tablet && saved.column() == column) {
        log.mark(saved.offset(), UndoMark.UNDONE);
        records.remove(i);
        return;
      }
    }
    assert false : "U1: a version without a record in the undo log";
  }

  /** Flushes the rows' values; rows next to each other as one range. */
  private static void flushRows(UndoVersion version, MemoryRange target, long width) {
    MemorySegment rows = version.rows();
    int end;
    for (int i = 0; i < version.n(); i = end) {
      int row = rows.getAtIndex(JAVA_INT, i);
      end = i + 1;
      while (end < version.n() && rows.getAtIndex(JAVA_INT, end) == row + end - i) {
        end++;
      }
      target.flush(row * width, (end - i) * width);
    }
  }

  @Override
  public void beforeCommit(TransactionWrites writes) {
    if (!writes.touchedColumns().isEmpty()) {
      home.drain();
    }
  }

  @Override
  public void afterCommit(TransactionWrites writes) {
    long sequence = writes.stamp().sequence();
    assert sequence != CommitStamp.ACTIVE : "U3: marked before the commit record is durable";
    finish(writes.stamp(), sequence);
  }

  @Override
  public void afterRollback(TransactionWrites writes) {
    finish(writes.stamp(), UndoMark.UNDONE);
  }

  /** Its records say how it ended: its commit record is durable (U3), or all was put back. */
  private void finish(CommitStamp stamp, long ending) {
    synchronized (log) {
      @Nullable List<Saved> records = open.get(stamp);
      if (records != null) {
        records.forEach(saved -> log.mark(saved.offset(), ending));
        open.remove(stamp);
      }
      if (open.isEmpty() && log.tail() > UndoLog.RESET_BYTES) {
        log.reset();
      }
    }
  }

  /** Waits until what the checkpoint holds is marked done, and the marks are durable (U3). */
  @Override
  public void beforeCheckpoint(long sequence) {
    while (true) {
      synchronized (log) {
        if (open.keySet().stream().noneMatch(s -> s.sequence() <= sequence)) {
          log.drain();
          return;
        }
      }
      LockSupport.parkNanos(this, 20_000);
    }
  }

  @Override
  public void close() {
    log.close();
  }
}
