package io.gpdb.planner.run;

import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import java.lang.foreign.MemorySegment;
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
    return live == null || Bitmaps.test(live, row);
  }

  public final boolean isNull(int field, int row) {
    MemorySegment validity = validity(field);
    return validity != null && !Bitmaps.test(validity, row);
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

  @Override
  public abstract void close();
}
