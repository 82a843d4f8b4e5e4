package io.gpdb.txn;

import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;
import io.gpdb.storage.StorageDirectory;
import io.gpdb.storage.TableShape;
import io.gpdb.storage.TableSpace;
import io.gpdb.storage.TableStore;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The parts of an open database that transactions share. */
final class OpenDatabase {
  private final StorageDirectory directory;
  private final TableSpace space;
  private final NativeChunks pool;
  private final ColumnStores stores;
  private final WriteProtocol protocol;
  private final Protocol persistency;
  private final PersistencyCost cost;
  private final boolean logged;
  private final boolean readOnly;
  private final Snapshots snapshots;
  private final GroupCommit groupCommit;
  private final TxnCounters counters;
  private final Poison poison;
  private final LoggedStrings loggedStrings = new LoggedStrings();
  private final Map<Integer, TableVersions> tables = new ConcurrentHashMap<>();
  private final VersionReclaim reclaim;
  private final GarbageWatch garbage;
  private final StringRelease strings;
  private final LockWaits lockWaits = new LockWaits();
  private final AtomicLong lastTransactionId;
  private final Set<Transaction> writing = ConcurrentHashMap.newKeySet();
  private volatile Runnable afterCommit = () -> {};
  private volatile boolean closed;

  @SuppressWarnings("TooManyParameters")
  OpenDatabase(
      StorageDirectory directory,
      TableSpace space,
      NativeChunks pool,
      ColumnStores stores,
      WriteProtocol protocol,
      PersistencyCost cost,
      boolean logged,
      TxnOptions options,
      Snapshots snapshots,
      GroupCommit groupCommit,
      TxnCounters counters,
      Poison poison,
      long lastTransactionId) {
    this.directory = directory;
    this.space = space;
    this.pool = pool;
    this.stores = stores;
    this.protocol = protocol;
    this.persistency = options.protocol();
    this.cost = cost;
    this.logged = logged;
    this.readOnly = options.readOnly();
    this.snapshots = snapshots;
    this.groupCommit = groupCommit;
    this.counters = counters;
    this.poison = poison;
    this.lastTransactionId = new AtomicLong(lastTransactionId);
    this.reclaim = new VersionReclaim(this, snapshots.newestCommit());
    this.strings = new StringRelease(this, !readOnly && !persistency.isBaseline());
    this.garbage = new GarbageWatch(strings);
    for (TableStore store : space.tables()) {
      TableVersions table = new TableVersions(store, null);
      tables.put(store.tableId(), table);
      loggedStrings.takeAll(table);
    }
  }

  LockWaits lockWaits() {
    return lockWaits;
  }

  StorageDirectory directory() {
    return directory;
  }

  TableSpace space() {
    return space;
  }

  NativeChunks pool() {
    return pool;
  }

  ColumnStores stores() {
    return stores;
  }

  WriteProtocol protocol() {
    return protocol;
  }

  /** How changes come to the medium where a transaction does not wish for another way. */
  Protocol persistency() {
    return persistency;
  }

  PersistencyCost cost() {
    return cost;
  }

  /** Whether there is a log: there is none where nothing outlives the process. */
  boolean isLogged() {
    return logged;
  }

  boolean isReadOnly() {
    return readOnly;
  }

  Snapshots snapshots() {
    return snapshots;
  }

  GroupCommit groupCommit() {
    return groupCommit;
  }

  TxnCounters counters() {
    return counters;
  }

  Poison poison() {
    return poison;
  }

  LoggedStrings loggedStrings() {
    return loggedStrings;
  }

  VersionReclaim reclaim() {
    return reclaim;
  }

  StringRelease strings() {
    return strings;
  }

  GarbageWatch garbage() {
    return garbage;
  }

  long nextTransactionId() {
    return lastTransactionId.incrementAndGet();
  }

  long lastTransactionId() {
    return lastTransactionId.get();
  }

  Collection<TableVersions> tables() {
    return tables.values();
  }

  @Nullable TableVersions table(int tableId) {
    return tables.get(tableId);
  }

  @Nullable TableVersions table(TableStore store) {
    TableVersions table = tables.get(store.tableId());
    return table != null && table.store() == store ? table : null;
  }

  TableVersions createTable(int tableId, TableShape shape, CommitStamp creator) {
    synchronized (tables) {
      if (tables.containsKey(tableId)) {
        throw new GpdbException(ErrorCode.TABLE_EXISTS, "table number is in use: table=" + tableId);
      }
      TableVersions table = new TableVersions(space.createTable(tableId, shape), creator);
      tables.put(tableId, table);
      return table;
    }
  }

  /** Forgets a table that nobody can see any more. */
  void discard(TableVersions table) {
    synchronized (tables) {
      if (tables.remove(table.tableId(), table)) {
        loggedStrings.forget(table);
        space.dropTable(table.tableId());
      }
    }
  }

  /** The transaction has begun to write. */
  void writing(Transaction transaction) {
    writing.add(transaction);
  }

  /** The transaction has ended. */
  void written(Transaction transaction) {
    writing.remove(transaction);
  }

  /** Those that have written and not ended. */
  Set<Transaction> writing() {
    return writing;
  }

  /** Sets what every committing thread does last. */
  void afterCommit(Runnable action) {
    afterCommit = action;
  }

  void afterCommit() {
    afterCommit.run();
  }

  void close() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  /** Throws unless work may go on. */
  void check() {
    poison.check();
    if (closed) {
      throw new GpdbException(
          ErrorCode.CLOSED, "the database is closed: database=" + directory.description());
    }
  }
}
