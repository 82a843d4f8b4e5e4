package io.gpdb.txn;

import io.gpdb.exec.Device;
import io.gpdb.storage.error.DetachedWork;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.Medium;
import io.gpdb.storage.medium.PrivateDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.memory.PersistenceDomain;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.storage.table.TableStore;
import io.gpdb.txn.api.EngineThread;
import io.gpdb.txn.api.GarbageListener;
import io.gpdb.txn.api.IsolationLevel;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.RecoveryReport;
import io.gpdb.txn.api.SpaceStatistics;
import io.gpdb.txn.api.TableUse;
import io.gpdb.txn.api.TxnOptions;
import io.gpdb.txn.api.TxnStatistics;
import io.gpdb.txn.change.ColumnStores;
import io.gpdb.txn.commit.GroupCommit;
import io.gpdb.txn.log.Wal;
import io.gpdb.txn.protocol.CapProtocol;
import io.gpdb.txn.protocol.ChosenProtocol;
import io.gpdb.txn.protocol.Poison;
import io.gpdb.txn.protocol.PoisoningProtocol;
import io.gpdb.txn.protocol.ProtocolCost;
import io.gpdb.txn.protocol.UndoLog;
import io.gpdb.txn.protocol.UndoProtocol;
import io.gpdb.txn.protocol.VolatileProtocol;
import io.gpdb.txn.protocol.WriteProtocol;
import io.gpdb.txn.recovery.LogCheck;
import io.gpdb.txn.recovery.Recovery;
import io.gpdb.txn.version.CommitStamp;
import io.gpdb.txn.version.LockWaits;
import io.gpdb.txn.version.Snapshots;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.TxnCounters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open database: its tables, its log, and the transactions on them. Thread-safe. Whoever closes
 * it sees to it that no other thread is inside a call to one of its transactions.
 */
public final class TransactionManager implements AutoCloseable {
  /** The least memory that transactions can do with: the log's batch, and as much for changes. */
  public static final long MEMORY_BYTES_MIN = 2L << 20;

  private static final Logger LOG = LoggerFactory.getLogger(TransactionManager.class);

  private final DetachedWork detached = new DetachedWork("gpdb-checkpoint-asked", 0);
  private final OpenDatabase database;
  private final TxnOptions options;
  private final @Nullable Wal wal;
  private final Checkpointer checkpointer;
  private final RecoveryReport recovery;
  private final AtomicBoolean checkpointing = new AtomicBoolean();
  private volatile @Nullable EngineThread checkpointThread;
  private boolean closed;

  private TransactionManager(
      OpenDatabase database,
      TxnOptions options,
      @Nullable Wal wal,
      int epoch,
      RecoveryReport recovery) {
    this.database = database;
    this.options = options;
    this.wal = wal;
    this.checkpointer = new Checkpointer(database, epoch);
    this.recovery = recovery;
    database.afterCommit(this::checkpointIfDue);
  }

  /** Opens the database in {@code directory}, recovering it. The directory stays the caller's. */
  public static TransactionManager open(
      StorageDirectory directory, Device device, TxnOptions options) {
    long start = System.nanoTime();
    // A process that only reads recovers into memory of its own; the files stay as they are.
    if (!options.readOnly()) {
      return open(directory, device, options, start);
    }
    StorageDirectory own = new PrivateDirectory(directory);
    try {
      return open(own, device, options, start);
    } catch (RuntimeException e) {
      own.close();
      throw e;
    }
  }

  private static TransactionManager open(
      StorageDirectory directory, Device device, TxnOptions options, long start) {
    TableSpace space = TableSpace.openToRecover(directory, options.readOnly(), device.memory());
    try {
      return new Opening(directory, device, options, space).open(start);
    } catch (RuntimeException e) {
      space.close();
      throw e;
    }
  }

  /** What opening needs in between. */
  private record Opening(
      StorageDirectory directory, Device device, TxnOptions options, TableSpace space) {
    TransactionManager open(long start) {
      boolean logged = directory.domain() != PersistenceDomain.NONE;
      MemoryAccount memory = space.memory().work();
      Poison poison = new Poison();
      LockWaits lockWaits = new LockWaits();
      TxnCounters counters = new TxnCounters();
      Snapshots snapshots = new Snapshots();
      Recovery recovery = new Recovery(directory, space, device, memory);
      Wal wal = logged ? recovery.run(options.logFileBytes(), options.logFilesAhead()) : null;
      if (options.readOnly()) {
        space.freeze();
      }
      RecoveryReport report = recovery.report(System.nanoTime() - start);
      snapshots.publish(recovery.sequence());
      GroupCommit commits =
          new GroupCommit(
              wal,
              space.home(),
              snapshots,
              counters,
              poison,
              lockWaits,
              recovery.sequence(),
              options.commitsInFlight());
      ColumnStores stores = new ColumnStores(device, memory, options.log());
      ProtocolCost cost = ProtocolCost.of(directory.medium());
      OpenDatabase database =
          new OpenDatabase(
              directory,
              space,
              memory,
              device::share,
              stores,
              new PoisoningProtocol(protocol(logged, stores, cost, counters), poison),
              cost,
              logged,
              options,
              snapshots,
              commits,
              counters,
              poison,
              lockWaits,
              recovery.transactionId());
      if (report.cleanShutdown()) {
        database.strings().settle();
      }
      int epoch = wal == null ? 0 : wal.epoch();
      return new TransactionManager(database, options, wal, epoch, report);
    }

    private WriteProtocol protocol(
        boolean logged, ColumnStores stores, ProtocolCost cost, TxnCounters counters) {
      if (!logged || options.readOnly()) {
        return new VolatileProtocol(stores);
      }
      return switch (options.protocol()) {
        case AUTO, REDO, UNDO, VERSIONED, CHECKSUMMED ->
            new ChosenProtocol(stores, cost, storesInPlace(), () -> undo(stores, counters));
        case CAP_FS -> new CapProtocol(stores, space.home(), counters, false);
        case CAP_MM -> new CapProtocol(stores, space.home(), counters, true);
      };
    }

    /** Refuses the protocol that needs it where it cannot be had. */
    private boolean storesInPlace() {
      boolean may = directory.medium() != Medium.FILE || device.memory().storesToDiskFiles();
      if (!may && options.protocol() == Protocol.UNDO) {
        throw new GpdbException(
            ErrorCode.NOT_SUPPORTED,
            "protocol=undo on a disk file: kernels of "
                + device.name()
                + " cannot store to it; redo and versioned work there, undo on tmpfs");
      }
      return may;
    }

    private UndoProtocol undo(ColumnStores stores, TxnCounters counters) {
      UndoLog log = new UndoLog(directory, space.home(), space.databaseId(), device::share);
      log.restart();
      return new UndoProtocol(stores, space.home(), log, counters);
    }
  }

  /** Every problem of the files in the directory, which are read without opening the database. */
  public static List<String> checkFiles(StorageDirectory directory) {
    List<String> problems = new ArrayList<>(TableSpace.checkFile(directory));
    problems.addAll(LogCheck.run(directory));
    return problems;
  }

  /**
   * Every problem of the logs in the directory.
   *
   * @param memory for what is read of them
   */
  public static List<String> checkLogs(StorageDirectory directory, DeviceMemory memory) {
    return LogCheck.run(directory, memory);
  }

  /** Begins a transaction that sees all commits acknowledged so far, and no later ones. */
  public Transaction begin() {
    return begin(IsolationLevel.SNAPSHOT);
  }

  /** Begins a transaction that sees all commits acknowledged so far. */
  public Transaction begin(IsolationLevel isolation) {
    database.check();
    return new Transaction(database, isolation);
  }

  /** Brings the home image up to the commits so far; writers go on meanwhile. */
  public void checkpoint() {
    database.check();
    if (options.readOnly()) {
      throw new GpdbException(ErrorCode.READ_ONLY, "the database is open for reading only");
    }
    try {
      checkpointer.run();
    } catch (RuntimeException e) {
      if (!Poison.isHarmless(e)) {
        database.poison().poison(e);
      }
      database.groupCommit().makeRoom(e);
      throw e;
    }
  }

  /**
   * Writes the commits so far as a complete database of its own into a directory, which is made or
   * is empty; durable on return. Writers go on meanwhile. On an error nothing is left of it.
   */
  public void backUp(Path directory) {
    database.check();
    boolean existed = Files.exists(directory);
    StorageDirectory target = FileDirectory.createNew(directory);
    boolean done = false;
    try (target) {
      checkpointer.backUp(target);
      done = true;
    } finally {
      if (!done) {
        FileDirectory.removeNew(directory, existed);
      }
    }
  }

  /** As {@link #backUp(Path)}, into any empty directory, which stays the caller's. */
  public void backUp(StorageDirectory target) {
    database.check();
    checkpointer.backUp(target);
  }

  /**
   * As {@link #checkpoint}, on a thread of its own: a caller that is stopped leaves it, and it goes
   * on to its end.
   */
  public void checkpointDetached() {
    database.check();
    detached.run(
        () -> {
          checkpoint();
          return this;
        });
  }

  private void checkpointIfDue() {
    Wal log = wal;
    if (log != null
        && log.position() - checkpointedPosition() + space().loggedBytes()
            > options.checkpointBytes()
        && checkpointing.compareAndSet(false, true)) {
      checkpointThread = EngineThread.start("gpdb-checkpoint", this::checkpointInBackground);
    }
  }

  private long checkpointedPosition() {
    return database.space().checkpointedWalPosition();
  }

  private void checkpointInBackground() {
    try {
      checkpoint();
    } catch (RuntimeException e) {
      LOG.warn("checkpoint failed, the log goes on growing: {}", e.getMessage(), e);
    } finally {
      checkpointing.set(false);
    }
  }

  /** What acknowledged commits survive. */
  public PersistenceDomain domain() {
    return database.directory().domain();
  }

  public TxnOptions options() {
    return options;
  }

  /** What opening had to do. */
  public RecoveryReport recovery() {
    return recovery;
  }

  public TxnStatistics statistics() {
    return database
        .counters()
        .snapshot(
            database.reclaim().pendingCount(), recovery.nanos(), database.directory().counters());
  }

  /** Figures about kept and freed memory. */
  public SpaceStatistics spaceStatistics() {
    return database
        .counters()
        .space(database.reclaim().keptBytes(), database.snapshots(), database.memory());
  }

  /**
   * Limits what statements and transactions take, in a database without files together with its
   * tables; to a part of the machine's memory where it was never called. A statement that would
   * need more fails with {@code OUT_OF_MEMORY}.
   */
  public void limitMemory(long bytes) {
    if (bytes < MEMORY_BYTES_MIN) {
      throw new GpdbException(
          ErrorCode.INVALID_ARGUMENT,
          "too little memory for any change: bytes=" + bytes + ", least=" + MEMORY_BYTES_MIN);
    }
    database.memory().limit(bytes);
  }

  /** Sets the listener that is called for tables to be rewritten. */
  public void onGarbage(GarbageListener listener) {
    database.garbage().listener(listener);
  }

  /** Whether strings that no row has any more are released while writers go on; as a rule yes. */
  public void releaseStrings(boolean on) {
    database.strings().enable(on && !options.readOnly() && !options.protocol().isBaseline());
  }

  /** Releases now the strings of all tables that no row has any more. */
  public void releaseStrings() {
    database.check();
    database.strings().releaseAll();
  }

  /** How the table is used now; null when it is not there. */
  public @Nullable TableUse tableUse(int tableId) {
    TableVersions table = database.tables().table(tableId);
    CommitStamp dropper = table == null ? null : table.dropper();
    boolean gone = dropper != null && dropper.sequence() != CommitStamp.ACTIVE;
    return table == null || gone ? null : table.use(database.strings().isEnabled());
  }

  /** The position in the log of the next record. */
  public long logPosition() {
    return wal == null ? 0 : wal.position();
  }

  /** The parts that work together. */
  public OpenDatabase database() {
    return database;
  }

  public TableSpace space() {
    return database.space();
  }

  /** What statements work with, up to the limit of memory. */
  public MemoryAccount workMemory() {
    return space().memory().work();
  }

  /** All tables that are stored, whoever sees them. */
  public Collection<TableStore> tables() {
    return space().tables();
  }

  /** The stored table of that number; null when there is none. */
  public @Nullable TableStore table(int tableId) {
    return space().table(tableId);
  }

  /** Every problem of the stored tables and of the home file, one line each. */
  public List<String> check() {
    return space().check();
  }

  /** Rolls back what is active, writes a checkpoint, closes. The directory is not closed. */
  @Override
  public void close() {
    if (!markClosed()) {
      return;
    }
    try {
      database.strings().close();
      awaitCheckpoint();
      if (!database.poison().isPoisoned() && !options.readOnly()) {
        database.writing().forEach(OpenDatabase.Writer::rollback);
        // Extents written in place get checksums: a closed database has none without.
        database.space().tables().forEach(TableStore::leaveInPlace);
        database.strings().releaseChanged();
        checkpointer.runLast();
      }
    } finally {
      closeFiles();
    }
  }

  /**
   * Closes as a killed process would leave the database: nothing is rolled back, no checkpoint is
   * written. For measuring recovery.
   */
  public void abandon() {
    if (markClosed()) {
      database.strings().close();
      awaitCheckpoint();
      closeFiles();
    }
  }

  private synchronized boolean markClosed() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  private void awaitCheckpoint() {
    detached.close();
    EngineThread running = checkpointThread;
    if (running != null) {
      running.awaitEnd();
    }
  }

  /** All of them, whichever cannot be closed as it should. */
  private void closeFiles() {
    try (TableSpace _ = database.space();
        Wal _ = wal) {
      database.close();
      database.protocol().close();
    }
    if (options.readOnly()) {
      database.directory().close(); // the private one
    }
  }
}
