package io.gpdb.txn;

import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.storage.table.TableStore;
import io.gpdb.txn.version.ReadPoint;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.TabletVersions;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The working image as a snapshot sees it, for a checkpoint or a backup: chunks themselves, or
 * copies with old values put back, which live until {@link #written}.
 */
final class SnapshotCopies implements TableSpace.SnapshotImages, AutoCloseable {
  private final OpenDatabase database;
  private final ReadPoint reader;
  private final List<MemorySegment> copies = new ArrayList<>();

  SnapshotCopies(OpenDatabase database, long sequence) {
    this.database = database;
    this.reader = new ReadPoint(sequence, null);
  }

  @Override
  public void beforeSwitch() {
    new StringsCommit(database).run();
  }

  @Override
  public void written() {
    close();
  }

  @Override
  public void close() {
    copies.forEach(database.memory()::give);
    copies.clear();
  }

  @Override
  public MemorySegment image(
      TableStore store, int tablet, ChunkKind kind, int column, MemorySegment current, long bytes) {
    TableVersions table = database.tables().table(store);
    TabletVersions versions = table == null ? null : table.tablet(tablet);
    if (table == null
        || versions == null
        || versions.isEmpty()
        || versions.seesAll(reader)
        || sees(versions, kind, column)) {
      return current;
    }
    // The whole of it: since the checkpoint took its row limit, versions behind it have come.
    MemorySegment copy = database.memory().takeAnyway(Math.max(bytes, current.byteSize()));
    copies.add(copy);
    copy.asSlice(current.byteSize()).fill((byte) 0);
    MemorySegment.copy(current, 0, copy, 0, current.byteSize());
    HostBuffer patched = HostMemory.INSTANCE.map(copy);
    switch (kind) {
      case VALUES -> versions.patchValues(reader, column, table.type(column), patched);
      case VALIDITY -> versions.patchValidity(reader, column, patched);
      case LIVE -> versions.patchLive(reader, patched);
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
  public TableShape shape(TableStore store) {
    TableVersions table = database.tables().table(store);
    return table == null ? store.shape() : table.shape(reader);
  }

  @Override
  public long lastSequence() {
    return reader.sequence();
  }

  @Override
  public boolean includes(TableStore store) {
    TableVersions table = database.tables().table(store);
    return table != null && table.isVisibleTo(reader);
  }
}
