package io.gpdb.txn.protocol;

import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.library.change.BatchRows;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.memory.HeldBlocks;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.change.ColumnStores;
import io.gpdb.txn.change.Homes;
import io.gpdb.txn.change.InsertChange;
import io.gpdb.txn.change.LogControls;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.change.TransactionWrites.TouchedColumn;
import io.gpdb.txn.change.UpdateChange;
import io.gpdb.txn.log.MemoryRange;
import io.gpdb.txn.version.CommitStamp;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.TxnCounters;
import io.gpdb.txn.version.UndoVersion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The protocol of GPM (Pandey et al. 2022, section 5.2): kernels append old values to a log and
 * persist it, then store in place in the home image and persist that; the commit record in the
 * write-ahead log names the extents and ends the transaction. {@link ChosenProtocol} asks it for
 * the changes that go this way, and tells it of the ends of all transactions.
 */
public final class UndoProtocol {
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

  /** Takes all columns of a tablet in place. */
  void adopt(TransactionWrites writes, TableVersions table, Tablet tablet) {
    for (int c = 0; c < table.types().length; c++) {
      adopt(writes, table, tablet, c, tablet.validity(c) != null);
    }
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
    assert tablet.latch().isHeldExclusivelyByThisThread() : "R3: taken in place without the latch";
    if (!tablet.isInPlace(kind, column)) {
      tablet.adoptInPlace(kind, column);
    }
  }

  /**
   * New rows are stored in place where their chunks are, behind the row limit: also where the
   * values are logged, because a chunk in place holds all that is committed (M1).
   */
  void insert(TransactionWrites writes, InsertChange change) {
    TableVersions table = change.table();
    stores.insert(change, new InPlace(writes, table, false));
    for (InsertChange.Part part : change.parts()) {
      for (int c = 0; c < table.types().length; c++) {
        if (part.tablet().isInPlace(ChunkKind.VALUES, c)) {
          counters.homeWritten((long) part.n() * table.type(c).bytes());
        }
      }
    }
  }

  /**
   * One launch appends the old values of all parts to records of the log, another one stores the
   * new values of all of them.
   */
  void update(TransactionWrites writes, UpdateChange change) {
    List<BatchRows> groups = change.operands(writes, new InPlace(writes, change.table(), true));
    int records = change.parts().size() * change.columns().length;
    try (HeldBlocks held = new HeldBlocks(writes.memory());
        LogControls controls = stores.logControls(writes, records)) {
      long headerBytes = records * (long) UndoLayout.HEADER_BYTES;
      MemorySegment headers = held.pin(headerBytes).slice(0, headerBytes).segment().fill((byte) 0);
      append(
          writes,
          drafts(writes, change, controls, SegmentAllocator.slicingAllocator(headers)),
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

  private List<UndoDraft> drafts(
      TransactionWrites writes,
      UpdateChange change,
      LogControls controls,
      SegmentAllocator headers) {
    List<UndoDraft> drafts = new ArrayList<>();
    int[] columns = change.columns();
    for (UpdateChange.Part part : change.parts()) {
      for (int c = 0; c < columns.length; c++) {
        drafts.add(
            new UndoDraft(
                writes,
                change.table(),
                part.tablet(),
                columns[c],
                part.n(),
                part.isNullable(c),
                stores.logKind(),
                controls,
                headers));
      }
    }
    return drafts;
  }

  /** The chunks that a change stores in: all are taken in place, or those that are already. */
  private final class InPlace implements Homes {
    private final TransactionWrites writes;
    private final TableVersions table;
    private final boolean all;

    InPlace(TransactionWrites writes, TableVersions table, boolean all) {
      this.writes = writes;
      this.table = table;
      this.all = all;
    }

    private boolean isOne(Tablet tablet, int column) {
      return all || tablet.isInPlace(ChunkKind.VALUES, column);
    }

    @Override
    public void prepare(Tablet tablet, int column, boolean nullable) {
      if (isOne(tablet, column)) {
        adopt(writes, table, tablet, column, nullable);
      }
    }

    @Override
    public PersistTarget target(Tablet tablet, ChunkKind kind, int column) {
      return isOne(tablet, column) ? range(tablet, kind, column) : PersistTarget.VOLATILE;
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

  /** The rows are free for others when the version is gone: its records are done before (U4). */
  void restored(TransactionWrites writes, UndoVersion version, Tablet tablet) {
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
    assert tablet.latch().isHeldExclusivelyByThisThread()
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
    HostBuffer rows = version.rows();
    int end;
    for (int i = 0; i < version.n(); i = end) {
      int row = rows.intAt(i);
      end = i + 1;
      while (end < version.n() && rows.intAt(end) == row + end - i) {
        end++;
      }
      target.flush(row * width, (end - i) * width);
    }
  }

  void beforeCommit(TransactionWrites writes) {
    if (!writes.touchedColumns().isEmpty()) {
      home.drain();
    }
  }

  void afterCommit(TransactionWrites writes) {
    long sequence = writes.stamp().sequence();
    assert sequence != CommitStamp.ACTIVE : "U3: marked before the commit record is durable";
    finish(writes.stamp(), sequence);
  }

  void afterRollback(TransactionWrites writes) {
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
  void beforeCheckpoint(long sequence) {
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

  void close() {
    log.close();
  }
}
