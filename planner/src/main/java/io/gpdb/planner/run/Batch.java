package io.gpdb.planner.run;

import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of a source, column by column, outside the heap. Only the fields that were asked for
 * have memory. Valid until it is closed; used by one thread at a time.
 */
public abstract class Batch implements AutoCloseable {
  public abstract int rows();

  /** Bitmap of the rows that exist; null when all do. */
  public @Nullable MemorySegment live() {
    return null;
  }

  /** The row id of row 0, for the rows of a stored table. */
  public long rowBase() {
    return 0;
  }

  public abstract MemorySegment values(int field);

  /** Bit set = present; null when no value is NULL. */
  public abstract @Nullable MemorySegment validity(int field);

  /** What the codes of a string field stand for; the same for all batches of an execution. */
  public abstract StringDomain strings(int field);

  public final boolean isLive(int row) {
    MemorySegment live = live();
    return live == null || bit(live, row);
  }

  public final boolean isNull(int field, int row) {
    MemorySegment validity = validity(field);
    return validity != null && !bit(validity, row);
  }

  /** One value as {@link HostValue} describes it. */
  public final @Nullable Object value(int field, SqlTypeSpec type, int row) {
    if (isNull(field, row)) {
      return null;
    }
    long raw = raw(values(field), type.element(), row);
    return type.kind().isString()
        ? HostValue.ofBytes(type, strings(field).bytes((int) raw))
        : HostValue.ofRaw(type, raw);
  }

  static boolean bit(MemorySegment bitmap, int row) {
    return (bitmap.get(ValueLayout.JAVA_INT, (long) (row >> 5) << 2) >>> (row & 31) & 1) != 0;
  }

  static void setBit(MemorySegment bitmap, int row) {
    long at = (long) (row >> 5) << 2;
    bitmap.set(ValueLayout.JAVA_INT, at, bitmap.get(ValueLayout.JAVA_INT, at) | 1 << (row & 31));
  }

  static long bitmapBytes(long rows) {
    return (rows + 31) / 32 * Integer.BYTES;
  }

  /** One value as raw bits. */
  public static long raw(MemorySegment values, ElementType element, int row) {
    return switch (element) {
      case I8 -> values.get(ValueLayout.JAVA_BYTE, row);
      case I16 -> values.getAtIndex(ValueLayout.JAVA_SHORT, row);
      case I32, F32, CODE -> values.getAtIndex(ValueLayout.JAVA_INT, row);
      case I64, F64 -> values.getAtIndex(ValueLayout.JAVA_LONG, row);
    };
  }

  static void setRaw(MemorySegment values, ElementType element, int row, long raw) {
    switch (element) {
      case I8 -> values.set(ValueLayout.JAVA_BYTE, row, (byte) raw);
      case I16 -> values.setAtIndex(ValueLayout.JAVA_SHORT, row, (short) raw);
      case I32, F32, CODE -> values.setAtIndex(ValueLayout.JAVA_INT, row, (int) raw);
      case I64, F64 -> values.setAtIndex(ValueLayout.JAVA_LONG, row, raw);
    }
  }

  @Override
  public abstract void close();
}
