package io.gpdb.txn;

import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.change.DeleteChange;
import io.gpdb.txn.change.InsertChange;
import io.gpdb.txn.change.TableChange;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.change.UpdateChange;
import io.gpdb.txn.version.UndoVersion;
import java.util.ArrayList;
import java.util.List;

/**
 * Carries changes of one table out: once for all tablets whose latches are to be had together.
 *
 * <p>R3. It waits for the first latch only, holding none; the others it takes where they are free.
 * Tablets that somebody else holds come with a later launch.
 */
final class BatchWriter {
  private final VersioningWriter writer;
  private final OpenDatabase database;

  BatchWriter(VersioningWriter writer, OpenDatabase database) {
    this.writer = writer;
    this.database = database;
  }

  void update(TransactionWrites writes, TableChange change) {
    List<? extends TableChange.Part> pending = change.parts();
    if (pending.size() == 1) {
      updateOne(writes, change, pending.getFirst().tablet());
      return;
    }
    while (!pending.isEmpty()) {
      List<TableChange.Part> held = new ArrayList<>(pending.size());
      List<TableChange.Part> later = new ArrayList<>();
      StopSignal.poll();
      try (StopSignal.Scope _ = StopSignal.masked()) {
        lockSome(pending, held, later);
        TableChange now = held.size() == change.parts().size() ? change : change.only(held);
        carryOut(writes, now);
      } finally {
        held.forEach(part -> part.tablet().latch().writeLock().unlock());
      }
      pending = later;
    }
  }

  /** Most changes are of one tablet, and of one row: without lists of tablets. */
  private void updateOne(TransactionWrites writes, TableChange change, Tablet tablet) {
    StopSignal.poll();
    try (StopSignal.Scope _ = StopSignal.masked()) {
      writer.lock(tablet);
      try {
        carryOut(writes, change);
      } finally {
        tablet.latch().writeLock().unlock();
      }
    }
  }

  private void carryOut(TransactionWrites writes, TableChange change) {
    check(change);
    expectVersions(writes, change);
    try {
      database.protocol().update(writes, change);
    } finally {
      remember(writes, change);
    }
  }

  private void lockSome(
      List<? extends TableChange.Part> pending,
      List<TableChange.Part> held,
      List<TableChange.Part> later) {
    for (TableChange.Part part : pending) {
      Tablet tablet = part.tablet();
      if (held.isEmpty()) {
        writer.lock(tablet);
        held.add(part);
      } else if (tablet.latch().writeLock().tryLock()) {
        held.add(part);
      } else {
        later.add(part);
      }
    }
  }

  /** The rows to be changed exist, and nobody else has written them since the snapshot. */
  private void check(TableChange change) {
    switch (change) {
      case InsertChange _ -> {}
      case UpdateChange update ->
          update
              .parts()
              .forEach(
                  part -> writer.checkRows(part.tablet(), part.rows(), part.n(), part.ascends()));
      case DeleteChange delete ->
          delete
              .parts()
              .forEach(
                  part -> writer.checkRows(part.tablet(), part.rows(), part.n(), part.ascends()));
    }
  }

  /** Lists grow before anything is stored: long ones take the most memory of what follows. */
  private void expectVersions(TransactionWrites writes, TableChange change) {
    List<? extends TableChange.Part> parts = change.parts();
    writes.expectVersions(parts.size());
    for (TableChange.Part part : parts) {
      writer.table().tabletForWrite(part.tablet().number()).expectVersion();
    }
  }

  /**
   * Also where the change failed: what was begun, a roll-back undoes. What has no version because
   * the heap is full, nobody can undo (R4): the database must be opened anew.
   */
  private void remember(TransactionWrites writes, TableChange change) {
    try {
      for (TableChange.Part part : change.parts()) {
        UndoVersion version = change.undo(writes, part);
        if (version != null) {
          writer.remember(writes, version);
        }
      }
    } catch (RuntimeException | Error e) {
      database.poison().poison(e);
      throw e;
    }
  }
}
