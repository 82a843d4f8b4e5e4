package io.gpdb.txn;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.protocol.Poison;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.TabletVersions;
import io.gpdb.txn.version.UndoVersion;

/**
 * Undoes a transaction's writes, newest first, down to a mark. Strings, hints and row numbers stay,
 * where no reader sees them (R8).
 */
final class Rollback {
  private final OpenDatabase database;
  private final TransactionWrites writes;

  Rollback(OpenDatabase database, TransactionWrites writes) {
    this.database = database;
    this.writes = writes;
  }

  /**
   * Undoes everything by that, unless the medium or the device has failed, or fails meanwhile: the
   * transaction ends all the same, and nothing of it is committed.
   */
  void all(Runnable undo) {
    Poison poison = database.poison();
    if (poison.isPoisoned()) {
      return;
    }
    try {
      undo.run();
      done();
    } catch (GpdbException e) {
      if (!Poison.isOfMedium(e)) {
        throw e;
      }
      poison.poison(e);
    }
  }

  /** Gives up what was kept of writes that are undone. */
  void done() {
    database.protocol().afterRollback(writes);
    writes.free();
  }

  void to(TransactionWrites.Mark mark) {
    while (writes.versions().size() > mark.versions()) {
      undo(writes.versions().getLast());
      writes.versions().removeLast();
    }
    while (writes.dropped().size() > mark.dropped()) {
      writes.dropped().removeLast().dropper(null);
    }
    while (writes.grown().size() > mark.grown()) {
      writes.grown().removeLast().undo();
    }
    while (writes.fenced().size() > mark.fenced()) {
      TransactionWrites.Fenced fenced = writes.fenced().removeLast();
      fenced.table().fence(fenced.before());
    }
    while (writes.created().size() > mark.created()) {
      TableVersions table = writes.created().removeLast();
      writes.touched().remove(table);
      database.tables().discard(table);
    }
    // The log says nothing of rows that were taken back, so it must not name their tablets either.
    while (writes.touchedColumns().size() > mark.touchedColumns()) {
      writes.touchedColumns().removeLast();
    }
    writes.versionMemory().cutBack(mark.versionMemory());
    writes.sectionMemory().cutBack(mark.sectionMemory());
  }

  private void undo(UndoVersion version) {
    Tablet tablet = version.table().store().tablet(version.tablet());
    if (tablet.latch().readHolds() > 0) {
      throw new GpdbException(
          ErrorCode.INTERNAL,
          "a view of the tablet is open: table=%d, tablet=%d"
              .formatted(version.table().tableId(), version.tablet()));
    }
    tablet.latch().writeLock().lock();
    try {
      switch (version.kind()) {
        case INSERT -> {
          database.garbage().undone(version);
          tablet.writableLive().edit(live -> TabletVersions.putLive(version, live));
          tablet.liveCountAdd(-version.n());
        }
        case DELETE -> {
          tablet.writableLive().edit(live -> TabletVersions.putLive(version, live));
          tablet.liveCountAdd(version.n());
        }
        case UPDATE -> {
          database.stores().restore(version, tablet);
          database.protocol().restored(writes, version, tablet);
        }
      }
      version.table().tabletForWrite(version.tablet()).remove(version);
    } finally {
      tablet.latch().writeLock().unlock();
    }
  }
}
