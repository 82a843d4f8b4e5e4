package io.gpdb.planner.run;

import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
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
    long raw = type.element().rawAt(values(field), row);
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

  @Override
  public abstract void close();
}
