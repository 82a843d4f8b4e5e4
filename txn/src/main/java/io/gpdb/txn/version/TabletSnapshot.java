package io.gpdb.txn.version;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.BumpMemory;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.table.Tablet;
import io.gpdb.txn.api.TabletView;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A tablet as a reader sees it: the working image itself where the reader sees the newest state,
 * copies with the old values put back where it does not.
 */
public final class TabletSnapshot implements TabletView {
  private final Tablet tablet;
  private final BumpMemory copies;
  private final int rowCount;
  private final MemorySegment[] values;
  private final @Nullable MemorySegment[] validity;
  private MemorySegment live;
  private boolean allLive;
  private boolean open = true;

  /** Takes the tablet's latch in shared mode. */
  public TabletSnapshot(
      TableVersions table, Tablet tablet, ReadPoint reader, int[] columns, MemoryAccount memory) {
    this.tablet = tablet;
    this.copies = new BumpMemory(memory);
    this.values = new MemorySegment[columns.length];
    this.validity = new @Nullable MemorySegment[columns.length];
    tablet.latch().readLock().lock();
    boolean done = false;
    try {
      rowCount = tablet.rowCount();
      live = tablet.live();
      allLive = tablet.allLive();
      for (int i = 0; i < columns.length; i++) {
        values[i] = tablet.values(columns[i]);
        validity[i] = tablet.validity(columns[i]);
      }
      TabletVersions versions = table.tablet(tablet.number());
      if (versions != null && !versions.isEmpty() && !versions.seesAll(reader)) {
        patch(table, versions, reader, columns);
      }
      done = true;
    } finally {
      if (!done) {
        copies.free();
        tablet.latch().readLock().unlock();
      }
    }
  }

  private void patch(
      TableVersions table, TabletVersions versions, ReadPoint reader, int[] columns) {
    if (!versions.seesLive(reader)) {
      live = copy(live, Bitmaps.bytes(rowCount));
      versions.patchLive(reader, live);
      allLive = Bitmaps.allSet(live, rowCount);
    }
    for (int i = 0; i < columns.length; i++) {
      if (!versions.seesColumn(reader, columns[i])) {
        ElementType type = table.type(columns[i]);
        values[i] = copy(values[i], (long) rowCount * type.bytes());
        versions.patchValues(reader, columns[i], type, values[i]);
        MemorySegment bitmap = validity[i];
        if (bitmap != null) {
          MemorySegment patched = copy(bitmap, Bitmaps.bytes(rowCount));
          versions.patchValidity(reader, columns[i], patched);
          validity[i] = patched;
        }
      }
    }
  }

  private MemorySegment copy(MemorySegment source, long bytes) {
    MemorySegment copied = copies.allocate(bytes, 256);
    MemorySegment.copy(source, 0, copied, 0, bytes);
    return copied;
  }

  @Override
  public int rowCount() {
    return rowCount;
  }

  @Override
  public boolean allLive() {
    return allLive;
  }

  @Override
  public MemorySegment live() {
    return live;
  }

  @Override
  public MemorySegment values(int i) {
    return values[i];
  }

  @Override
  public @Nullable MemorySegment validity(int i) {
    return validity[i];
  }

  @Override
  public void close() {
    if (open) {
      open = false;
      copies.free();
      tablet.latch().readLock().unlock();
    }
  }
}
