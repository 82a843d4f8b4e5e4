package io.gpdb.txn.recovery;

import io.gpdb.exec.Device;
import io.gpdb.exec.KernelTrap;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.txn.api.LogFilesAhead;
import io.gpdb.txn.api.RecoveryReport;
import io.gpdb.txn.log.ArrivedValues;
import io.gpdb.txn.log.CheckpointState;
import io.gpdb.txn.log.Wal;
import io.gpdb.txn.log.WalLayout;
import io.gpdb.txn.log.WalReader;
import io.gpdb.txn.log.WalRecord;
import io.gpdb.txn.protocol.UndoEntry;
import io.gpdb.txn.protocol.UndoLayout;
import io.gpdb.txn.protocol.UndoLog;
import io.gpdb.txn.protocol.UndoMark;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Brings a database from the last checkpoint to the last acknowledged commit: rolls unfinished
 * in-place transactions back, then applies the log's transactions in order. Writes nothing that a
 * second recovery would not write again (invariant R9).
 */
public final class Recovery {
  private final StorageDirectory directory;
  private static final long TRANSACTION_ID_MAX = 1L << 62;
  private final TableSpace space;
  private final Replay replay;
  private final MemoryAccount memory;
  private final CheckpointState state;
  private final Device device;
  private final List<Long> started = new ArrayList<>();
  private long startedTransaction = -1;
  private long markedCommit;
  private long sequence;
  private long transactionId;
  private long transactions;
  private long bytes;
  private UndoLog.Undone undone = UndoLog.Undone.NOTHING;

  public Recovery(
      StorageDirectory directory, TableSpace space, Device device, MemoryAccount memory) {
    this.directory = directory;
    this.space = space;
    this.device = device;
    this.memory = memory;
    this.replay = new Replay(space, device, memory::limitBytes);
    this.state = CheckpointState.decode(space.checkpointedState());
    this.sequence = state.sequence();
    this.transactionId = state.transactionId();
  }

  /** The sequence of the last commit. */
  public long sequence() {
    return sequence;
  }

  /** Not less than the number of any transaction in the log. */
  public long transactionId() {
    return transactionId;
  }

  /** Recovers and returns the log's writer, positioned at the end; null where there is no log. */
  public Wal run(long logFileBytes, LogFilesAhead ahead) {
    long from = space.checkpointedWalPosition();
    if (directory.exists(UndoLayout.FILE_NAME)) {
      undone = rollBackInPlace(from);
    }
    try (WalReader reader = reader(from)) {
      for (WalRecord record = reader.next(); record != null; record = reader.next()) {
        take(record, reader);
      }
      requireMarkedCommit(sequence, reader);
      reader.persist(); // before log files that it makes useless are deleted
      tornTail = reader.tornTail();
      if (Math.max(reader.epoch(), state.epoch()) == Integer.MAX_VALUE) {
        throw new GpdbException(
            ErrorCode.CORRUPTION,
            "log has no epoch left: position=%d, database=%s"
                .formatted(reader.position(), directory.description()));
      }
      reader.useless(from).forEach(directory::delete);
      Wal wal =
          new Wal(
              directory,
              space.databaseId(),
              reader.used(from),
              reader.position(),
              reader.lastNumber() + 1,
              Math.max(reader.epoch(), state.epoch()) + 1,
              logFileBytes,
              ahead,
              device::share);
      assert wal.epoch() > reader.epoch() && wal.epoch() > state.epoch()
          : "W4: epoch " + wal.epoch() + " after " + reader.epoch() + " and " + state.epoch();
      if (reader.valuesMissing()) {
        wal.eraseTail();
      }
      return wal;
    }
  }

  private String tornTail = "";

  private WalReader reader(long from) {
    ArrivedValues arrived = new ArrivedValues(space);
    return new WalReader(directory, memory, space.databaseId(), arrived, from, state.epoch());
  }

  /** Which transactions have committed shows the log; it is read once for that alone. */
  private UndoLog.Undone rollBackInPlace(long from) {
    try (UndoLog undo = new UndoLog(directory, space.home(), space.databaseId())) {
      List<UndoEntry> entries = undo.entries();
      // before a checkpoint: after it the log no longer shows what has committed
      undo.persistWhatWasRead();
      markedCommit = undo.newestCommit();
      if (entries.stream().allMatch(entry -> entry.mark().isDone(markedCommit))) {
        return UndoLog.Undone.NOTHING;
      }
      Set<Long> finished = new HashSet<>();
      long last = state.sequence();
      try (WalReader reader = reader(from)) {
        for (WalRecord record = reader.next(); record != null; record = reader.next()) {
          if (record.isLast()) {
            finished.add(record.transactionId());
            last = Math.max(last, record.sequence());
          }
        }
        requireMarkedCommit(last, reader);
        reader.persist(); // before the undo log is emptied of what it has committed
      }
      return undo.rollBack(finished, last, device);
    }
  }

  /**
   * Refuses a log that has lost commits whose values were written in place (U5): these would stay
   * while the rest of the transactions is gone.
   */
  private void requireMarkedCommit(long last, WalReader reader) {
    if (markedCommit > last) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "log is damaged: it ends with commit %d at position=%d, but %s holds values of commit %d, database=%s"
              .formatted(
                  last,
                  reader.position(),
                  UndoLayout.FILE_NAME,
                  markedCommit,
                  directory.description()));
    }
  }

  private void take(WalRecord record, WalReader reader) {
    if (record.transactionId() < 0 || record.transactionId() > TRANSACTION_ID_MAX) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "log record of transaction %d: position=%d"
              .formatted(record.transactionId(), record.position()));
    }
    transactionId = Math.max(transactionId, record.transactionId());
    bytes += record.bytes();
    if (record.kind() != WalLayout.KIND_COMMIT) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "unknown log record: kind=%d, position=%d".formatted(record.kind(), record.position()));
    }
    if (record.isFirst()) {
      started.clear();
      startedTransaction = record.transactionId();
    }
    if (!record.isLast()) {
      started.add(record.position());
      return;
    }
    if (record.transactionId() != startedTransaction) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "log record ends transaction %d, not %d: position=%d"
              .formatted(record.transactionId(), startedTransaction, record.position()));
    }
    long last = record.position();
    requireNext(record);
    sequence = record.sequence();
    replay.beginTransaction(record.sequence());
    try {
      apply(record, reader);
    } catch (IndexOutOfBoundsException
        | IllegalArgumentException
        | ArithmeticException
        | KernelTrap e) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "log record cannot be applied: position=%d, %s".formatted(last, e.getMessage()),
          e);
    }
    transactions++;
    started.clear();
    startedTransaction = -1;
  }

  /** G2. */
  private void requireNext(WalRecord record) {
    if (record.sequence() <= sequence || record.sequence() >= UndoMark.UNDONE) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "log record has commit %d after %d: position=%d"
              .formatted(record.sequence(), sequence, record.position()));
    }
  }

  /** Applies the records of a transaction, of which this is the last. */
  private void apply(WalRecord record, WalReader reader) {
    long last = record.position();
    if (started.isEmpty()) {
      record.forEachSection(replay::apply);
    } else {
      for (long position : started) {
        reader.reread(position).forEachSection(replay::apply);
      }
      reader.reread(last).forEachSection(replay::apply);
    }
    replay.finishTransaction();
  }

  public RecoveryReport report(long nanos) {
    boolean clean = transactions == 0 && undone.transactions() == 0 && tornTail.isEmpty();
    return new RecoveryReport(
        clean, transactions, bytes, undone.transactions(), undone.entries(), tornTail, nanos);
  }
}
