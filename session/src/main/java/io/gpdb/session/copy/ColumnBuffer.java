package io.gpdb.session.copy;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.HeldBlocks;
import io.gpdb.storage.memory.HostBuffer;
import org.jspecify.annotations.Nullable;

/** One column of a batch of rows to insert: values and validity bits outside the heap. */
final class ColumnBuffer {
  private final ElementType type;
  private final HostBuffer values;
  private final HostBuffer validity;
  private boolean hasNulls;

  ColumnBuffer(HeldBlocks memory, ElementType type, int rows) {
    this.type = type;
    this.values = memory.pin((long) rows * type.bytes());
    this.validity = memory.pin(Bitmaps.bytes(rows));
    validity.fill((byte) -1);
  }

  ElementType type() {
    return type;
  }

  HostBuffer values() {
    return values;
  }

  /** Null when no row of the batch is NULL. */
  @Nullable HostBuffer validity() {
    return hasNulls ? validity : null;
  }

  void setLong(int row, long value) {
    values.setLong(row, value);
  }

  void setInt(int row, int value) {
    values.setInt(row, value);
  }

  void setShort(int row, short value) {
    type.setRawAt(values, row, value);
  }

  void setByte(int row, byte value) {
    values.setByte(row, value);
  }

  /** Any raw value: integers sign-extended, floats as their bits. */
  void setRaw(int row, long raw) {
    type.setRawAt(values, row, raw);
  }

  void setNull(int row) {
    setRaw(row, 0);
    hasNulls = true;
    Bitmaps.set(validity, row, false);
  }

  /** Makes every row valid again. */
  void clear() {
    if (hasNulls) {
      validity.fill((byte) -1);
      hasNulls = false;
    }
  }
}
