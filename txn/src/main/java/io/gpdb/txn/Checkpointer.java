package io.gpdb.txn;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.txn.commit.GroupCommit;
import io.gpdb.txn.log.CheckpointState;
import io.gpdb.txn.log.WalLayout;
import io.gpdb.txn.log.WalSegment;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Writes the home image as of a place in the log, by reading the tables as a snapshot reader does.
 * One at a time; writers go on.
 */
final class Checkpointer {
  /** What is given up is free after two checkpoints, and cut off with a third. */
  private static final int SHRINKING_MAX = 3;

  /** Where the log of a backup begins. */
  private static final long BACKUP_POSITION = WalLayout.RECORD_ALIGNMENT;

  private final OpenDatabase database;
  private final int epoch;
  private long lastPosition;

  Checkpointer(OpenDatabase database, int epoch) {
    this.database = database;
    this.epoch = epoch;
    this.lastPosition = database.space().checkpointedWalPosition();
  }

  /**
   * Writes the commits so far as a complete database into an empty directory. Writers and
   * checkpoints go on; nothing of this database changes.
   */
  void backUp(StorageDirectory target) {
    GroupCommit.LogPoint point = database.groupCommit().logPoint();
    try {
      long sequence = database.snapshots().sequence(point.snapshotSlot());
      CheckpointState state = new CheckpointState(sequence, database.lastTransactionId(), epoch);
      try (SnapshotCopies images = new SnapshotCopies(database, sequence)) {
        backUp(images, state, target);
      }
    } finally {
      database.snapshots().end(point.snapshotSlot());
    }
  }

  /** The position of the log is not 0, so that the copy is known to have one. */
  private void backUp(SnapshotCopies images, CheckpointState state, StorageDirectory target) {
    boolean[] hasLog = {false};
    Consumer<UUID> log =
        databaseId -> {
          hasLog[0] = true;
          WalSegment.createFirst(target, BACKUP_POSITION, databaseId);
        };
    try {
      database.space().backUp(images, BACKUP_POSITION, state.encode(), target, log);
    } catch (RuntimeException e) {
      removeLog(target, hasLog[0], e);
      throw e;
    }
  }

  private static void removeLog(StorageDirectory target, boolean made, RuntimeException failure) {
    try {
      if (made && target.exists(WalLayout.fileName(1))) {
        target.delete(WalLayout.fileName(1));
      }
    } catch (GpdbException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Called when nobody reads any more: goes on until the free end of the file is cut off, and the
   * log is one short file.
   */
  void runLast() {
    run();
    if (database.isLogged() && database.space().isScattered()) {
      database.space().wantCheckpoint();
      run();
      database.space().gather();
      run();
    }
    for (int i = 0; i < SHRINKING_MAX && database.space().awaitsShrinking(); i++) {
      run();
    }
    shrinkLog();
  }

  private void shrinkLog() {
    try {
      database.groupCommit().shrinkLog(database.space().checkpointedWalPosition());
    } catch (GpdbException e) {
      if (e.code() != ErrorCode.DISK_FULL && e.code() != ErrorCode.TOO_MANY_FILES) {
        throw e;
      } // the files stay as long as they are
    }
  }

  synchronized void run() {
    if (!database.isLogged()) {
      return;
    }
    long start = System.nanoTime();
    if (database.space().isDirty()) {
      new StringsCommit(database).run();
    }
    GroupCommit.LogPoint point = database.groupCommit().logPoint();
    try {
      long sequence = database.snapshots().sequence(point.snapshotSlot());
      if (point.position() == lastPosition
          && !database.space().isDirty()
          && !database.space().awaitsShrinking()) {
        return;
      }
      database.protocol().beforeCheckpoint(sequence);
      CheckpointState state = new CheckpointState(sequence, database.lastTransactionId(), epoch);
      try (SnapshotCopies images = new SnapshotCopies(database, sequence)) {
        database.space().checkpoint(images, point.position(), state.encode());
      }
    } finally {
      database.snapshots().end(point.snapshotSlot());
    }
    assert point.position() >= lastPosition : "C1: a checkpoint holds less than the one before";
    lastPosition = point.position();
    assert database.space().checkpointedWalPosition() == lastPosition : "C2: the log is needed";
    database.groupCommit().retireLog(point.position());
    database.reclaim().collect();
    database.counters().checkpointed(System.nanoTime() - start);
  }
}
