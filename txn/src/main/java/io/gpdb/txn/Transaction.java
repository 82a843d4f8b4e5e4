package io.gpdb.txn;

import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.txn.api.ChangeWatch;
import io.gpdb.txn.api.IsolationLevel;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.SnapshotHold;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TableSight;
import io.gpdb.txn.api.TableWriter;
import io.gpdb.txn.api.TxnOptions;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.version.CommitStamp;
import io.gpdb.txn.version.ReadPoint;
import io.gpdb.txn.version.ReadSet;
import io.gpdb.txn.version.StatementSnapshots;
import io.gpdb.txn.version.TableVersions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A unit of work over several statements and tables; used by one thread at a time (views of its
 * readers may be opened by several). Sees the commits before its beginning, or at READ COMMITTED
 * before its newest statement's, and its own writes.
 */
public final class Transaction implements OpenDatabase.Writer {
  private final OpenDatabase database;
  private final CommitStamp stamp;
  private final IsolationLevel isolation;
  private final @Nullable ReadSet reads;
  private final StatementSnapshots snapshots;
  final TableClaims claims;
  private final HandlesByTable<SnapshotReader> readers = new HandlesByTable<>();
  private final HandlesByTable<VersioningWriter> writers = new HandlesByTable<>();
  private ReadPoint readPoint;
  private @Nullable TransactionWrites writes;
  private final SavepointOrder savepoints = new SavepointOrder();
  private @Nullable Object attachment;
  private long lockTimeoutMillis;
  private @Nullable ChangeWatch watch;
  private Protocol protocol;
  private volatile boolean active = true;
  private boolean usesCodes;

  Transaction(OpenDatabase database, IsolationLevel isolation) {
    this.database = database;
    this.isolation = isolation;
    this.reads = isolation == IsolationLevel.SERIALIZABLE ? new ReadSet() : null;
    this.protocol = database.defaultProtocol();
    this.stamp = new CommitStamp(database.transactionIds());
    this.snapshots = new StatementSnapshots(database.snapshots(), stamp, isolation);
    this.claims = new TableClaims(database, stamp);
    this.readPoint = snapshots.readPoint();
    if (reads != null) {
      usesCodes();
    }
  }

  /**
   * Says that codes found from here on may be stored, or must mean the same until the transaction
   * ends: called before the first string is looked up for a change.
   */
  public void usesCodes() {
    if (!usesCodes) {
      database.strings().users().enter(stamp);
      usesCodes = true;
    }
  }

  /** What a layer above keeps with the transaction; it means nothing here. */
  public @Nullable Object attachment() {
    return attachment;
  }

  public void attach(@Nullable Object kept) {
    attachment = kept;
  }

  public IsolationLevel isolation() {
    return isolation;
  }

  /** How long a statement waits for writers of the same rows, all together; 0: not at all. */
  public void lockTimeoutMillis(long millis) {
    lockTimeoutMillis = millis;
  }

  long lockTimeoutMillis() {
    return lockTimeoutMillis;
  }

  /** A new statement: at READ COMMITTED it sees the commits so far. */
  public void beginStatement() {
    if (isolation == IsolationLevel.READ_COMMITTED) {
      check();
    }
    moveTo(snapshots.next());
  }

  /**
   * The statement is going to write: at READ COMMITTED, or as the first of its transaction, it sees
   * the commits that are in the log but not yet durable, too, so that it may overwrite them (E2).
   * The transaction ends after these are durable.
   */
  public void beginChange() {
    moveTo(snapshots.nextForChange());
  }

  private void moveTo(ReadPoint next) {
    if (!next.equals(readPoint)) {
      readers.forgetAll();
      readPoint = next;
    }
  }

  /**
   * E3. Returns when all that this transaction has seen is durable.
   *
   * @throws GpdbException when the medium has failed
   */
  public void awaitSeen() {
    database.groupCommit().awaitDurable(readPoint.sequence());
  }

  /**
   * Keeps what the statement sees for its readers, until closed, when others come after it. They
   * read nothing any more once this transaction has written: R5 does not hold for them. Null where
   * all statements see the same.
   */
  public @Nullable SnapshotHold holdSnapshot() {
    return isolation == IsolationLevel.READ_COMMITTED ? snapshots.hold() : null;
  }

  public long id() {
    return stamp.transactionId();
  }

  public boolean isActive() {
    return active;
  }

  /** Whether statements that write see its commit, which may not be durable yet (E1). */
  public boolean isReleased() {
    return stamp.sequence() <= database.snapshots().released();
  }

  /**
   * Sets the protocol of the changes from now on; with AUTO the cost model chooses one for each. A
   * change that the protocol does not fit is logged. The default is {@link TxnOptions#protocol}.
   *
   * @throws GpdbException NOT_SUPPORTED where a baseline is involved, or where the device's kernels
   *     cannot store in place
   */
  public void protocol(Protocol requested) {
    database.requireOffered(requested);
    protocol = requested;
    if (writes != null) {
      writes.protocol(requested);
    }
  }

  Protocol protocol() {
    return protocol;
  }

  /** How changes become durable now, as EXPLAIN says it. */
  public String protocolText() {
    return database.protocolText(protocol);
  }

  OpenDatabase database() {
    return database;
  }

  CommitStamp stamp() {
    return stamp;
  }

  ReadPoint readPoint() {
    return readPoint;
  }

  /** Where reads of the table are noted; null when they need not be. */
  @Nullable ReadSet readsOf(TableVersions table) {
    return table.creator() == stamp ? null : reads;
  }

  void check() {
    database.check();
    requireActive();
    savepoints.requireUndone(id());
  }

  private void requireActive() {
    if (!active) {
      throw new GpdbException(
          ErrorCode.TRANSACTION_STATE, "transaction " + id() + " has ended already");
    }
  }

  /** Makes a table that others see when this transaction has committed. */
  public void createTable(int tableId, TableShape shape) {
    definitions().create(tableId, shape);
  }

  /** Drops a table; its memory is given back when no snapshot can see it any more. */
  public void dropTable(int tableId) {
    definitions().drop(visible(tableId));
  }

  /** F3. The table is not dropped or rewritten by a transaction that this one does not see. */
  void requireKept(TableVersions table) {
    claims.requireKept(table, this::check);
  }

  /** What is told of changes; null where nothing is. */
  public @Nullable ChangeWatch watch() {
    return watch;
  }

  public void watch(@Nullable ChangeWatch other) {
    watch = other;
  }

  /** The watch, where it wants to know of changes of the table. */
  @Nullable ChangeWatch watchOf(TableVersions table) {
    ChangeWatch told = watch;
    return told != null && told.watches(table.tableId()) ? told : null;
  }

  /**
   * Moves the rows that this transaction sees into a new table of the same shape and drops the old
   * one: what deleted rows, unused strings and old keys took is given back when no snapshot sees it
   * any more. No other transaction may have written to the table since this one began; later
   * writers are refused. A call that throws may have done part of it, as a {@link TableWriter}'s.
   *
   * @return the number of rows
   */
  public long rewriteTable(int tableId, int newTableId) {
    return definitions().rewrite(visible(tableId), newTableId);
  }

  /**
   * As {@link #rewriteTable}, but this transaction fails where others have written meanwhile. They
   * are refused only from the end of the copying until this transaction has ended.
   */
  public long rewriteTableUnlessWritten(int tableId, int newTableId) {
    return definitions().rewriteUnlessWritten(visible(tableId), newTableId);
  }

  /**
   * Says that this transaction gives the table another definition. No other transaction may have
   * written to the table since this one began; from now on those that do not see this one's commit
   * are refused when they write to it.
   */
  public void fenceTable(int tableId) {
    definitions().fence(visible(tableId));
  }

  /**
   * Adds a column behind the others of a table that this transaction has {@link #fenceTable
   * fenced}.
   *
   * @param string the value of its rows so far, of a column of strings; null: that is {@code raw}
   * @param isNull whether they have none
   */
  public void addColumn(
      int tableId, ColumnShape column, long raw, byte @Nullable [] string, boolean isNull) {
    definitions().addColumn(visible(tableId), column, raw, string, isNull);
  }

  /**
   * Adds an index to a table that this transaction has {@link #fenceTable fenced}, and the keys of
   * its rows to the index.
   *
   * @return {@link io.gpdb.storage.index.IndexBuild#NO_ROW}, or where the index is unique the
   *     number of a row with the key of another: the caller rolls back
   */
  public long addIndex(int tableId, IndexShape index) {
    return definitions().addIndex(visible(tableId), index);
  }

  /**
   * Inserts the rows that this transaction sees of one table into another, tablet by tablet.
   *
   * @param columns for each column of the target the one of the source that has its values
   * @return the number of rows
   */
  public long copyTable(int tableId, int targetId, int[] columns) {
    return definitions().copy(visible(tableId), visible(targetId), columns, () -> {});
  }

  private StoredDefinitions definitions() {
    check();
    return new StoredDefinitions(this, database, stamp, this::writerOf);
  }

  void forget(int tableId) {
    readers.forget(tableId);
    writers.forget(tableId);
  }

  private TableVersions visible(int tableId) {
    check();
    TableVersions table = database.tables().table(tableId);
    if (table == null || !table.isVisibleTo(readPoint)) {
      throw new GpdbException(ErrorCode.TABLE_NOT_FOUND, "no such table: number=" + tableId);
    }
    return table;
  }

  /** Whether it sees what a reader saw that found its tablets' newest state, and notes no reads. */
  public boolean seesAs(TableSight earlier) {
    return reads == null && earlier.isSeenFrom(readPoint.sequence());
  }

  public TableReader reader(int tableId) {
    return readers.open(
        visible(tableId), table -> new SnapshotReader(this, table, database.memory()));
  }

  public TableWriter writer(int tableId) {
    TableVersions table = visible(tableId);
    usesCodes();
    return writerOf(table);
  }

  private VersioningWriter writerOf(TableVersions table) {
    return writers.open(table, opened -> new VersioningWriter(this, database, opened));
  }

  TransactionWrites writes() {
    check();
    TransactionWrites w = writes;
    if (w == null) {
      if (database.isReadOnly()) {
        throw new GpdbException(ErrorCode.READ_ONLY, "the database is open for reading only");
      }
      w = new TransactionWrites(stamp, database.memory());
      w.protocol(protocol);
      usesCodes();
      writes = w;
      database.writing(this);
    }
    return w;
  }

  /** Where a write to the table is noted. */
  TransactionWrites writesTo(TableVersions table) {
    TransactionWrites w = writes();
    if (w.touched().add(table)) {
      try {
        claims.enter(table, readPoint, this::check);
      } catch (RuntimeException | Error e) {
        w.touched().remove(table);
        throw e;
      }
    }
    return w;
  }

  /**
   * From now on, until it has ended, this transaction alone may write to the table. Of two that ask
   * for it, or of one that asks and one that writes, at least one finds the other: each says what
   * it does before it looks.
   */
  public void lockTable(int tableId) {
    TableVersions table = visible(tableId);
    var _ = writesTo(table);
    claims.lock(table);
  }

  /**
   * Whether this transaction was refused because a table was rewritten by itself since it began:
   * run again from its beginning, it is not.
   */
  public boolean metRewrite() {
    return claims.metRewrite();
  }

  public Savepoint savepoint() {
    check();
    TransactionWrites w = writes;
    return savepoints.begin(w == null ? TransactionWrites.Mark.START : w.mark());
  }

  /** The number of the last savepoint; they ascend, and 0 is before the first. */
  public int lastSavepoint() {
    return savepoints.last();
  }

  /**
   * Undoes what came after the savepoint, which stays valid; those after it do not. Where it fails,
   * part may be left: from then on all is refused but {@link #rollback}.
   */
  public void rollbackTo(Savepoint savepoint) {
    check();
    try (StopSignal.Scope _ = StopSignal.masked()) {
      savepoints.rollBackTo(savepoint, id(), () -> undoTo(savepoint.mark()));
    }
    ChangeWatch told = watch;
    if (told != null) {
      told.rolledBack(savepoint.number());
    }
    stamp.undone();
    database.lockWaits().changed();
  }

  private void undoTo(TransactionWrites.Mark mark) {
    TransactionWrites w = writes;
    if (w == null) {
      return;
    }
    writers.forEach(VersioningWriter::forgetStatement);
    List<TransactionWrites.Grown> grown = w.grown();
    grown.subList(mark.grown(), grown.size()).forEach(g -> forget(g.table().tableId()));
    new Rollback(database, w).to(mark);
  }

  /**
   * Returns when the changes are durable and visible. On failure see {@link #isActive}. Nothing
   * stops it once it has begun.
   */
  public void commit() {
    check();
    ChangeWatch told = watch;
    if (told != null) {
      told.beforeCommit();
    }
    StopSignal.poll();
    try (StopSignal.Scope _ = StopSignal.masked()) {
      commitAll();
    }
  }

  private void commitAll() {
    TransactionWrites w = writes;
    if (w != null && w.areLocks()) {
      undoTo(TransactionWrites.Mark.START); // nobody has to learn of rows that were not changed
    }
    if (w == null || w.isEmpty()) {
      if (w != null) {
        new Rollback(database, w).done();
      }
      end();
      awaitSeen();
      database.counters().committedReadOnly();
      return;
    }
    new TransactionCommit(database, stamp, readPoint, reads).run(w);
    end();
    database.committed(w);
  }

  /** Undoes everything; of a database whose medium failed, only in memory. */
  @Override
  public void rollback() {
    try (StopSignal.Scope _ = StopSignal.masked()) {
      rollbackAll();
    }
  }

  private void rollbackAll() {
    requireActive();
    TransactionWrites w = writes;
    if (w != null && !database.isClosed()) {
      new Rollback(database, w).all(() -> undoTo(TransactionWrites.Mark.START));
    }
    end();
    if (w != null) {
      database.counters().rolledBack();
      database.garbage().ended(w);
    }
    if (!database.poison().isPoisoned()) {
      awaitSeen();
    }
  }

  private void end() {
    active = false;
    TransactionWrites w = writes;
    if (w != null) {
      w.touched().forEach(table -> table.released(stamp));
      database.written(this);
    }
    stamp.end();
    writers.forEach(VersioningWriter::end);
    if (usesCodes) {
      database.strings().users().leave(stamp);
    }
    snapshots.end();
    database.lockWaits().changed();
    database.reclaim().collect();
  }
}
