package io.gpdb.txn;

import io.gpdb.exec.library.GridApplyBatch;
import io.gpdb.exec.library.LaneBindings;
import io.gpdb.storage.TableStore;
import io.gpdb.storage.Tablet;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Changes rows of many tablets at once, as {@link VersioningWriter} does those of one: one launch
 * for all tablets whose latches are to be had together.
 *
 * <p>R3. It waits for the first latch only, holding none; the others it takes where they are free.
 * Tablets that somebody else holds come with a later launch.
 */
final class BatchWriter {
  private final VersioningWriter writer;
  private final OpenDatabase database;
  private final TableVersions table;
  private final TableStore store;

  /** What is done while the latches of some groups are held. */
  private interface Change {
    void apply(List<Integer> groups);
  }

  BatchWriter(VersioningWriter writer, OpenDatabase database, TableVersions table) {
    this.writer = writer;
    this.database = database;
    this.table = table;
    this.store = table.store();
  }

  void update(
      TransactionWrites writes, GroupedRows rows, GridApplyBatch kernel, LaneBindings bindings) {
    MemorySegment kept = keep(writes, rows);
    whileHeld(
        rows,
        groups -> {
          BatchChange change = new BatchChange(table, kernel, bindings);
          for (int g : groups) {
            Tablet tablet = store.tablet(rows.tablet(g));
            MemorySegment own = kept.asSlice(4L * rows.start(g), 4L * rows.count(g));
            change.add(tablet, own, rows.positions(g), rows.count(g));
          }
          try {
            database.protocol().update(writes, change);
          } finally {
            change.parts().forEach(part -> remember(writes, change, part));
          }
        });
  }

  private void remember(TransactionWrites writes, BatchChange change, BatchChange.Part part) {
    int done = part.columnsDone();
    if (done > 0) {
      writer.remember(
          writes,
          UndoVersion.update(
              writes.stamp(),
              table,
              part.tablet().number(),
              part.rows(),
              part.n(),
              java.util.Arrays.copyOf(change.columns(), done),
              part.oldValues(),
              part.oldValidity(),
              part.protocols()));
    }
  }

  void delete(TransactionWrites writes, GroupedRows rows) {
    MemorySegment kept = keep(writes, rows);
    whileHeld(
        rows,
        groups -> {
          List<DeletedRows> deleted = new ArrayList<>();
          for (int g : groups) {
            MemorySegment own = kept.asSlice(4L * rows.start(g), 4L * rows.count(g));
            deleted.add(new DeletedRows(store.tablet(rows.tablet(g)), own, rows.count(g)));
          }
          database.stores().delete(writes, table, deleted, database.isLogged());
          for (DeletedRows d : deleted) {
            writer.remember(
                writes,
                UndoVersion.delete(writes.stamp(), table, d.tablet().number(), d.rows(), d.n()));
          }
        });
  }

  private static MemorySegment keep(TransactionWrites writes, GroupedRows rows) {
    MemorySegment kept = writes.versionMemory().allocate(4L * rows.count(), 8);
    MemorySegment.copy(rows.rows(), 0, kept, 0, 4L * rows.count());
    return kept;
  }

  /** Applies the change to every group once, to as many at a time as can be held together. */
  private void whileHeld(GroupedRows rows, Change change) {
    BitSet pending = new BitSet();
    pending.set(0, rows.groupCount());
    while (!pending.isEmpty()) {
      List<Integer> held = new ArrayList<>();
      try {
        lockSome(rows, pending, held);
        for (int g : held) {
          writer.checkRows(store.tablet(rows.tablet(g)), rows.rows(g), rows.count(g));
        }
        change.apply(held);
      } finally {
        held.forEach(g -> store.tablet(rows.tablet(g)).latch().writeLock().unlock());
      }
      held.forEach(pending::clear);
    }
  }

  private void lockSome(GroupedRows rows, BitSet pending, List<Integer> held) {
    for (int g = pending.nextSetBit(0); g >= 0; g = pending.nextSetBit(g + 1)) {
      Tablet tablet = store.tablet(rows.tablet(g));
      if (held.isEmpty()) {
        writer.lock(tablet);
        held.add(g);
      } else if (tablet.latch().writeLock().tryLock()) {
        held.add(g);
      }
    }
  }
}
