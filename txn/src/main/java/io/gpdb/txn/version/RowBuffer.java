package io.gpdb.txn.version;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Native memory for the new values of one row of a table. Used by one thread at a time. */
public final class RowBuffer {
  private final int columns;
  private final MemorySegment row;
  private final MemorySegment values;
  private final MemorySegment validity;

  RowBuffer(int columns) {
    this.columns = columns;
    MemorySegment room = Arena.ofAuto().allocate(8L + 12L * columns, 8);
    row = room.asSlice(8L * columns, 4);
    values = room;
    validity = room.asSlice(8L * columns + 4, 4L * columns);
  }

  int columns() {
    return columns;
  }

  /** The row's number in its tablet. */
  public HostBuffer row(long rowNumber, DeviceMemory memory) {
    row.set(JAVA_INT, 0, (int) (rowNumber % Tablet.ROWS));
    return memory.map(row);
  }

  /** The new value of the i-th changed column. */
  public ColumnView value(int i, ElementType type, long raw, boolean isNull, DeviceMemory memory) {
    MemorySegment slot = values.asSlice(8L * i, 8);
    type.setRawAt(slot, 0, isNull ? 0 : raw);
    MemorySegment bit = null;
    if (isNull) {
      bit = validity.asSlice(4L * i, 4);
      bit.set(JAVA_INT, 0, 0);
    }
    return ColumnView.mapped(memory, type, slot, bit);
  }
}
