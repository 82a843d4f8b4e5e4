package io.gpdb.txn;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import io.gpdb.txn.change.ColumnStores;
import io.gpdb.txn.change.OpenTables;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.commit.CommitRecords;
import io.gpdb.txn.commit.GroupCommit;
import io.gpdb.txn.protocol.Poison;
import io.gpdb.txn.protocol.ProtocolCost;
import io.gpdb.txn.protocol.WriteProtocol;
import io.gpdb.txn.reclaim.GarbageWatch;
import io.gpdb.txn.reclaim.StringRelease;
import io.gpdb.txn.reclaim.VersionReclaim;
import io.gpdb.txn.version.Conflicts;
import io.gpdb.txn.version.LockWaits;
import io.gpdb.txn.version.Snapshots;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.TxnCounters;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The parts of an open database that transactions share. */
public final class OpenDatabase {
  private final StorageDirectory directory;
  private final TableSpace space;
  private final MemoryAccount memory;
  private final SharedWork workers;
  private final ColumnStores stores;
  private final WriteProtocol protocol;
  private final Protocol defaultProtocol;
  private final ProtocolCost cost;
  private final boolean logged;
  private final boolean readOnly;
  private final Snapshots snapshots;
  private final GroupCommit groupCommit;
  private final TxnCounters counters;
  private final Poison poison;
  private final OpenTables tables;
  private final CommitRecords.Shared recording;
  private final VersionReclaim reclaim;
  private final GarbageWatch garbage;
  private final StringRelease strings;
  private final LockWaits lockWaits;
  private final AtomicLong lastTransactionId;
  private final LongSupplier transactionIds;
  private final Set<Writer> writing = ConcurrentHashMap.newKeySet();
  private volatile Runnable afterCommit = () -> {};
  private volatile boolean closed;

  /** A transaction that has written. */
  interface Writer {
    void rollback();
  }

  @SuppressWarnings("TooManyParameters")
  OpenDatabase(
      StorageDirectory directory,
      TableSpace space,
      MemoryAccount memory,
      SharedWork workers,
      ColumnStores stores,
      WriteProtocol protocol,
      ProtocolCost cost,
      boolean logged,
      TxnOptions options,
      Snapshots snapshots,
      GroupCommit groupCommit,
      TxnCounters counters,
      Poison poison,
      LockWaits lockWaits,
      long lastTransactionId) {
    this.directory = directory;
    this.space = space;
    this.memory = memory;
    this.workers = workers;
    this.stores = stores;
    this.protocol = protocol;
    this.defaultProtocol = options.protocol();
    this.cost = cost;
    this.logged = logged;
    this.readOnly = options.readOnly();
    this.snapshots = snapshots;
    this.groupCommit = groupCommit;
    this.counters = counters;
    this.poison = poison;
    this.lockWaits = lockWaits;
    this.lastTransactionId = new AtomicLong(lastTransactionId);
    this.transactionIds = this.lastTransactionId::incrementAndGet;
    this.tables = new OpenTables(space);
    this.recording =
        new CommitRecords.Shared(tables, counters, cost, defaultProtocol, workers, logged);
    this.reclaim = new VersionReclaim(tables, snapshots, memory, workers);
    this.strings = new StringRelease(tables, reclaim, !readOnly && !defaultProtocol.isBaseline());
    this.garbage = new GarbageWatch(strings);
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

  /** The device's threads, for work of the host. */
  SharedWork workers() {
    return workers;
  }

  public MemoryAccount memory() {
    return memory;
  }

  ColumnStores stores() {
    return stores;
  }

  WriteProtocol protocol() {
    return protocol;
  }

  /** Throws NOT_SUPPORTED, with the reason, where transactions cannot have the protocol. */
  void requireOffered(Protocol requested) {
    if (requested != defaultProtocol && !protocol.offers(requested)) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "persistency %s in a database of protocol %s: %s"
              .formatted(
                  requested,
                  defaultProtocol,
                  requested == Protocol.UNDO && !defaultProtocol.isBaseline()
                      ? "kernels of its device cannot store to a disk file"
                      : "baselines hold for whole databases"));
    }
  }

  /** The protocol of transactions that have set no other one. */
  Protocol defaultProtocol() {
    return defaultProtocol;
  }

  ProtocolCost cost() {
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

  public GroupCommit groupCommit() {
    return groupCommit;
  }

  TxnCounters counters() {
    return counters;
  }

  /** Throws the conflict, where there is one; it is counted. */
  void refuse(@Nullable GpdbException conflict) {
    if (conflict != null) {
      counters.conflict();
      throw conflict;
    }
  }

  /** What another transaction has kept this one from; it is counted. */
  GpdbException conflict(String what, TableVersions table) {
    counters.conflict();
    return Conflicts.of(what, table.tableId());
  }

  Poison poison() {
    return poison;
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

  /** The numbers of transactions, each once. */
  LongSupplier transactionIds() {
    return transactionIds;
  }

  long lastTransactionId() {
    return lastTransactionId.get();
  }

  public OpenTables tables() {
    return tables;
  }

  /** What writing the records of commits needs. */
  CommitRecords.Shared recording() {
    return recording;
  }

  /** The transaction has begun to write. */
  void writing(Writer transaction) {
    writing.add(transaction);
  }

  /** The transaction has ended. */
  void written(Writer transaction) {
    writing.remove(transaction);
  }

  /** Those that have written and not ended. */
  Set<Writer> writing() {
    return writing;
  }

  /** Sets what every committing thread does last. */
  void afterCommit(Runnable action) {
    afterCommit = action;
  }

  /** The transaction that wrote that has committed and ended. */
  void committed(TransactionWrites writes) {
    counters.committed();
    writes.reclaimedBytes().forEach(counters::rewritten);
    garbage.committed(writes);
    reclaim.add(writes);
    afterCommit.run();
    garbage.ended(writes);
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

  /** How changes of that protocol become durable, as EXPLAIN says it. */
  String protocolText(Protocol protocol) {
    if (!isLogged()) {
      return "none, nothing outlives the process";
    }
    return protocol == Protocol.AUTO ? "auto: " + cost().text() : protocol.word();
  }
}
