package io.gpdb.txn;

import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.library.change.GridInsert;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.table.Tablet;
import io.gpdb.txn.api.ColumnData;
import io.gpdb.txn.api.GroupedRows;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.change.BatchChange;
import io.gpdb.txn.change.DeletedRows;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.UndoVersion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

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

  /** New rows of one tablet: {@code n} of the batch, from {@code batchFrom}. */
  private record NewRows(Tablet tablet, int from, int n, int batchFrom) {}

  BatchWriter(VersioningWriter writer, OpenDatabase database, TableVersions table) {
    this.writer = writer;
    this.database = database;
    this.table = table;
    this.store = table.store();
  }

  void update(TransactionWrites writes, GroupedRows rows, Supplier<BatchChange> withoutParts) {
    MemorySegment kept = keep(writes, rows);
    whileHeld(
        rows.groupCount(),
        g -> store.tablet(rows.tablet(g)),
        groups -> {
          check(rows, groups);
          BatchChange change = withoutParts.get();
          for (int g : groups) {
            Tablet tablet = store.tablet(rows.tablet(g));
            MemorySegment own = kept.asSlice(4L * rows.start(g), 4L * rows.count(g));
            change.add(tablet, own, rows.positions(g), rows.count(g));
          }
          try {
            database.protocol().update(writes, change);
          } finally {
            change.parts().forEach(part -> writer.rememberPart(writes, change.columns(), part));
          }
        });
  }

  void delete(TransactionWrites writes, GroupedRows rows) {
    MemorySegment kept = keep(writes, rows);
    whileHeld(
        rows.groupCount(),
        g -> store.tablet(rows.tablet(g)),
        groups -> {
          check(rows, groups);
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

  private void check(GroupedRows rows, List<Integer> groups) {
    for (int g : groups) {
      writer.checkRows(store.tablet(rows.tablet(g)), rows.rows(g), rows.count(g));
    }
  }

  /** Stores rows whose numbers are reserved and begin at {@code first}, by the insert kernel. */
  void insert(TransactionWrites writes, long first, ColumnData[] columns, int n) {
    List<NewRows> slices = new ArrayList<>();
    for (long at = first, end = first + n; at < end; ) {
      int from = (int) (at % Tablet.ROWS);
      int count = (int) Math.min(Tablet.ROWS - from, end - at);
      Tablet tablet = store.tablet((int) (at / Tablet.ROWS));
      slices.add(new NewRows(tablet, from, count, (int) (at - first)));
      at += count;
    }
    int[] all = IntStream.range(0, columns.length).toArray();
    whileHeld(
        slices.size(),
        s -> slices.get(s).tablet(),
        held -> {
          GridInsert.Rows rows = new GridInsert.Rows();
          Protocol[] how = new Protocol[held.size()];
          for (int i = 0; i < how.length; i++) {
            NewRows slice = slices.get(held.get(i));
            how[i] = database.protocol().prepareInsert(writes, table, slice.tablet());
            for (int c : all) {
              addColumn(rows, slice, c, columns[c]);
            }
          }
          for (int i = 0; i < how.length; i++) {
            makeLive(writes, rows, slices.get(held.get(i)), how[i]);
          }
          database.stores().insert(rows);
          for (int i = 0; i < how.length; i++) {
            NewRows r = slices.get(held.get(i));
            database
                .protocol()
                .insertedByKernel(writes, table, r.tablet(), r.from(), r.n(), how[i]);
          }
        });
  }

  /** The version first: a launch that fails has made some rows live, which a roll-back undoes. */
  private void makeLive(
      TransactionWrites writes, GridInsert.Rows rows, NewRows slice, Protocol how) {
    Tablet tablet = slice.tablet();
    writer.remember(
        writes,
        UndoVersion.insert(writes.stamp(), table, tablet.number(), slice.from(), slice.n(), how));
    tablet.liveCountAdd(slice.n());
    rows.bits(null, 0, tablet.writableLive(), slice.from(), slice.n(), PersistTarget.VOLATILE);
  }

  private void addColumn(GridInsert.Rows rows, NewRows slice, int c, ColumnData data) {
    Tablet tablet = slice.tablet();
    int n = slice.n();
    PersistTarget values = database.protocol().insertTarget(tablet, ChunkKind.VALUES, c);
    rows.values(
        data.type().bytes(),
        data.values(),
        slice.batchFrom(),
        tablet.writableValues(c),
        slice.from(),
        n,
        values);
    MemorySegment given = data.validity();
    boolean nulls = given != null && Bitmaps.count(given, slice.batchFrom(), n) < n;
    if (nulls || tablet.validity(c) != null) {
      tablet.writableValidity(c);
      PersistTarget target = database.protocol().insertTarget(tablet, ChunkKind.VALIDITY, c);
      MemorySegment bitmap = tablet.writableValidity(c);
      rows.bits(nulls ? given : null, slice.batchFrom(), bitmap, slice.from(), n, target);
    }
  }

  /** Applies the change to every group once, to as many at a time as can be held together. */
  private void whileHeld(int groups, IntFunction<Tablet> tablets, Change change) {
    BitSet pending = new BitSet();
    pending.set(0, groups);
    while (!pending.isEmpty()) {
      List<Integer> held = new ArrayList<>();
      StopSignal.poll();
      try (StopSignal.Scope _ = StopSignal.masked()) {
        lockSome(tablets, pending, held);
        change.apply(held);
      } finally {
        held.forEach(g -> tablets.apply(g).latch().writeLock().unlock());
      }
      held.forEach(pending::clear);
    }
  }

  private void lockSome(IntFunction<Tablet> tablets, BitSet pending, List<Integer> held) {
    for (int g = pending.nextSetBit(0); g >= 0; g = pending.nextSetBit(g + 1)) {
      Tablet tablet = tablets.apply(g);
      if (held.isEmpty()) {
        writer.lock(tablet);
        held.add(g);
      } else if (tablet.latch().writeLock().tryLock()) {
        held.add(g);
      }
    }
  }
}
