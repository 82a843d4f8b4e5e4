package io.gpdb.txn.version;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.memory.BumpMemory;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.TabletView;

/**
 * A tablet as a reader sees it: the working image itself where the reader sees the newest state,
 * copies with the old values put back where it does not.
 */
public final class TabletSnapshot implements TabletView {
  private final Tablet tablet;
  private final BumpMemory copies;
  private final int rowCount;
  private final ColumnView[] columns;
  private DeviceBuffer live;
  private boolean allLive;
  private boolean open = true;

  /** Takes the tablet's latch in shared mode. */
  public TabletSnapshot(
      TableVersions table, Tablet tablet, ReadPoint reader, int[] numbers, MemoryAccount memory) {
    this.tablet = tablet;
    this.copies = new BumpMemory(memory);
    this.columns = new ColumnView[numbers.length];
    tablet.latch().readLock().lock();
    try {
      rowCount = tablet.rowCount();
      live = tablet.live();
      allLive = tablet.allLive();
      for (int i = 0; i < numbers.length; i++) {
        int c = numbers[i];
        columns[i] = new ColumnView(table.type(c), tablet.values(c), tablet.validity(c));
      }
      TabletVersions versions = table.tablet(tablet.number());
      if (versions != null && !versions.isEmpty() && !versions.seesAll(reader)) {
        patch(versions, reader, numbers);
      }
    } catch (RuntimeException | Error e) {
      copies.free();
      tablet.latch().readLock().unlock();
      throw e;
    }
  }

  private void patch(TabletVersions versions, ReadPoint reader, int[] numbers) {
    if (!versions.seesLive(reader)) {
      HostBuffer copy = copy(live, Bitmaps.bytes(rowCount));
      versions.patchLive(reader, copy);
      allLive = Bitmaps.allSet(copy, rowCount);
      live = copy;
    }
    for (int i = 0; i < numbers.length; i++) {
      if (!versions.seesColumn(reader, numbers[i])) {
        columns[i] = patched(columns[i], versions, reader, numbers[i]);
      }
    }
  }

  private ColumnView patched(
      ColumnView newest, TabletVersions versions, ReadPoint reader, int number) {
    HostBuffer values = copy(newest.values(), (long) rowCount * newest.type().bytes());
    versions.patchValues(reader, number, newest.type(), values);
    DeviceBuffer bitmap = newest.validity();
    HostBuffer validity = null;
    if (bitmap != null) {
      validity = copy(bitmap, Bitmaps.bytes(rowCount));
      versions.patchValidity(reader, number, validity);
    }
    return new ColumnView(newest.type(), values, validity);
  }

  private HostBuffer copy(DeviceBuffer source, long bytes) {
    HostBuffer copied = copies.buffer(bytes, 256);
    copied.copyFrom(source, 0, 0, bytes);
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
  public DeviceBuffer live() {
    return live;
  }

  @Override
  public long copiedBytes() {
    return copies.reservedBytes();
  }

  @Override
  public long columnBytes() {
    long rowBytes = 0;
    for (ColumnView column : columns) {
      rowBytes += column.type().bytes();
    }
    return rowCount * rowBytes;
  }

  @Override
  public ColumnView column(int i) {
    return columns[i];
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
