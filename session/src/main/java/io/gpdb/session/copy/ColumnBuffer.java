package io.gpdb.session.copy;

import io.gpdb.storage.column.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** One column of a batch of rows to insert: values and validity bits outside the heap. */
final class ColumnBuffer {
  private static final int ALIGNMENT_BYTES = 64;

  private final ElementType type;
  private final MemorySegment values;
  private final MemorySegment validity;
  private boolean hasNulls;

  ColumnBuffer(Arena arena, ElementType type, int rows) {
    this.type = type;
    this.values = arena.allocate((long) rows * type.bytes(), ALIGNMENT_BYTES);
    this.validity = arena.allocate((rows + 31L) / 32 * Integer.BYTES, ALIGNMENT_BYTES);
    validity.fill((byte) -1);
  }

  ElementType type() {
    return type;
  }

  MemorySegment values() {
    return values;
  }

  /** Null when no row of the batch is NULL. */
  @Nullable MemorySegment validity() {
    return hasNulls ? validity : null;
  }

  void setLong(int row, long value) {
    values.setAtIndex(ValueLayout.JAVA_LONG, row, value);
  }

  void setInt(int row, int value) {
    values.setAtIndex(ValueLayout.JAVA_INT, row, value);
  }

  void setShort(int row, short value) {
    values.setAtIndex(ValueLayout.JAVA_SHORT, row, value);
  }

  void setByte(int row, byte value) {
    values.set(ValueLayout.JAVA_BYTE, row, value);
  }

  /** Any raw value: integers sign-extended, floats as their bits. */
  void setRaw(int row, long raw) {
    switch (type) {
      case I8 -> setByte(row, (byte) raw);
      case I16 -> setShort(row, (short) raw);
      case I32, F32, CODE -> setInt(row, (int) raw);
      case I64, F64 -> setLong(row, raw);
    }
  }

  void setNull(int row) {
    setRaw(row, 0);
    hasNulls = true;
    int word = validity.getAtIndex(ValueLayout.JAVA_INT, row >> 5);
    validity.setAtIndex(ValueLayout.JAVA_INT, row >> 5, word & ~(1 << (row & 31)));
  }

  /** Makes every row valid again. */
  void clear() {
    if (hasNulls) {
      validity.fill((byte) -1);
      hasNulls = false;
    }
  }
}
