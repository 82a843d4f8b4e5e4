package io.gpdb.txn.version;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.memory.BumpMemory;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.HostRoom;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.tablet.Tablet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Whole columns of tablets for the host to read, one tablet after the other: where they are, or
 * copies in memory that is used again for the next. Used by one thread.
 */
final class TabletOnHost implements AutoCloseable {
  private final BumpMemory memory;
  private final int[] columns;
  private final HostRoom liveRoom;
  private final HostRoom[] rooms;
  private final HostBuffer[] values;
  private final @Nullable HostBuffer[] validity;
  private @Nullable HostBuffer live;

  TabletOnHost(int[] columns, MemoryAccount account) {
    this.columns = columns;
    memory = BumpMemory.unlimited(account);
    liveRoom = room();
    rooms = new HostRoom[2 * columns.length];
    Arrays.setAll(rooms, _ -> room());
    values = new HostBuffer[columns.length];
    validity = new @Nullable HostBuffer[columns.length];
  }

  private HostRoom room() {
    return new HostRoom(bytes -> memory.buffer(bytes, 256));
  }

  /** Goes to a tablet, whose latch the caller holds as long as it reads. */
  void moveTo(Tablet tablet) {
    int n = tablet.rowCount();
    live = tablet.allLive() ? null : read(tablet.live(), Bitmaps.bytes(n), liveRoom);
    for (int c = 0; c < columns.length; c++) {
      DeviceBuffer bits = tablet.validity(columns[c]);
      long bytes = (long) n * tablet.type(columns[c]).bytes();
      values[c] = read(tablet.values(columns[c]), bytes, rooms[2 * c]);
      validity[c] = bits == null ? null : read(bits, Bitmaps.bytes(n), rooms[2 * c + 1]);
    }
  }

  private static HostBuffer read(DeviceBuffer buffer, long bytes, HostRoom room) {
    return buffer.slice(0, bytes).onHost(room);
  }

  /** Of the rows; null where all are live. */
  @Nullable HostBuffer live() {
    return live;
  }

  /** Of the c-th column. */
  HostBuffer values(int c) {
    return values[c];
  }

  /** Of the c-th column; null where all values are valid. */
  @Nullable HostBuffer validity(int c) {
    return validity[c];
  }

  @Override
  public void close() {
    memory.free();
  }
}
