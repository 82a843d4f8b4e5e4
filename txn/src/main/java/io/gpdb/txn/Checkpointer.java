package io.gpdb.txn;

import io.gpdb.storage.ChunkKind;
import io.gpdb.storage.TableSpace;
import io.gpdb.storage.TableStore;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Writes the home image as of a place in the log, by reading the tables as a snapshot reader does.
 * One at a time; writers go on.
 */
final class Checkpointer {
  private final OpenDatabase database;
  private final int epoch;
  private long lastPosition;

  Checkpointer(OpenDatabase database, int epoch) {
    this.database = database;
    this.epoch = epoch;
    this.lastPosition = database.space().checkpointedWalPosition();
  }

  /** The place in the log of the last checkpoint. */
  synchronized long lastPosition() {
    return lastPosition;
  }

  synchronized void run() {
    if (!database.isLogged()) {
      return;
    }
    long start = System.nanoTime();
    GroupCommit.LogPoint point = database.groupCommit().logPoint();
    try {
      long sequence = database.snapshots().sequence(point.snapshotSlot());
      if (point.position() == lastPosition && !database.space().isDirty()) {
        return;
      }
      database.protocol().beforeCheckpoint(sequence);
      CheckpointState state = new CheckpointState(sequence, database.lastTransactionId(), epoch);
      try (Arena arena = Arena.ofShared()) {
        Images images = new Images(database, new ReadPoint(sequence, null), arena);
        database.space().checkpoint(images, point.position(), state.encode());
      }
    } finally {
      database.snapshots().end(point.snapshotSlot());
    }
    lastPosition = point.position();
    database.groupCommit().retireLog(point.position());
    database.reclaim().collect();
    database.counters().checkpointed(System.nanoTime() - start);
  }

  /** The working image without what the checkpoint's snapshot does not see. */
  private record Images(OpenDatabase database, ReadPoint reader, Arena arena)
      implements TableSpace.SnapshotImages {
    @Override
    public MemorySegment image(
        TableStore store,
        int tablet,
        ChunkKind kind,
        int column,
        MemorySegment current,
        long bytes) {
      TableVersions table = database.table(store);
      TabletVersions versions = table == null ? null : table.tablet(tablet);
      if (table == null
          || versions == null
          || versions.isEmpty()
          || versions.seesAll(reader)
          || sees(versions, kind, column)) {
        return current;
      }
      // The whole of it: since the checkpoint took its row limit, versions behind it have come.
      MemorySegment copy = arena.allocate(Math.max(bytes, current.byteSize()), 256);
      MemorySegment.copy(current, 0, copy, 0, current.byteSize());
      switch (kind) {
        case VALUES -> versions.patchValues(reader, column, table.type(column), copy);
        case VALIDITY -> versions.patchValidity(reader, column, copy);
        case LIVE -> versions.patchLive(reader, copy);
      }
      return copy;
    }

    private boolean sees(TabletVersions versions, ChunkKind kind, int column) {
      return switch (kind) {
        case VALUES, VALIDITY -> versions.seesColumn(reader, column);
        case LIVE -> versions.seesLive(reader);
      };
    }

    @Override
    public long rowLimit(TableStore store) {
      return store.rowLimit();
    }

    @Override
    public boolean includes(TableStore store) {
      TableVersions table = database.table(store);
      return table != null && table.isVisibleTo(reader);
    }
  }
}
