package io.gpdb.planner.batch;

import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of a source, column by column, in buffers of the device. Only the fields that were
 * asked for have memory. Valid until it is closed; used by one thread at a time.
 */
public abstract class Batch implements AutoCloseable {
  /** By buffer, the copies that the host reads where it does not read the buffer itself. */
  private @Nullable IdentityHashMap<DeviceBuffer, HostBuffer> copies;

  public abstract int rows();

  /** Bitmap of the rows that exist; null when all do. */
  public @Nullable DeviceBuffer live() {
    return null;
  }

  /**
   * What a kernel looks up for each row, and which rows there are, depends on it; null for a batch
   * whose rows are all in memory. Such a batch can be bound to kernels, not read by the host.
   */
  public @Nullable FoundFields found() {
    return null;
  }

  /**
   * Whether the columns are in memory of the batch: nothing of a table is held for them, so that
   * tables may be changed before it is closed.
   */
  public boolean ownsColumns() {
    return false;
  }

  /** The row id of row 0, for the rows of a stored table. */
  public long rowBase() {
    return 0;
  }

  /** Of a row of which it is not known. */
  public static final long NO_ROW_NUMBER = -1;

  /** The row id of a row, for the rows of a stored table. */
  public long rowNumber(int row) {
    return rowBase() + row;
  }

  /**
   * The rows of a tablet.
   *
   * @param rows i32 row in the tablet
   * @param areLeft whether they ascend, and are where {@link Batches#leaveRows} wants them
   */
  public record InTablet(int tablet, HostBuffer rows, boolean areLeft) {}

  /** Where the field holds row ids of one tablet, and is known to: what they are there. */
  public @Nullable InTablet inTablet(int field) {
    return null;
  }

  /** Bytes of copies that a batch of a stored table keeps until it is closed. */
  public long copiedBytes() {
    return 0;
  }

  /** Bytes of the values of a stored table that are read where they are stored. */
  public long storedBytes() {
    return 0;
  }

  public abstract DeviceBuffer values(int field);

  /** Bit set = present; null when no value is NULL. */
  public abstract @Nullable DeviceBuffer validity(int field);

  /** The strings of a field by their codes; the same for all batches of an execution. */
  public abstract StringDomain strings(int field);

  /** The strings of a field that has some. */
  protected static StringDomain known(@Nullable StringDomain strings, int field) {
    if (strings == null) {
      throw new IllegalStateException("field " + field + " has no strings");
    }
    return strings;
  }

  /** The values of a field that was asked for. */
  protected static DeviceBuffer known(@Nullable DeviceBuffer values, int field) {
    if (values == null) {
      throw new IllegalStateException("field " + field + " was not asked for");
    }
    return values;
  }

  public final boolean isLive(int row) {
    DeviceBuffer live = live();
    return live == null || Bitmaps.test(onHost(live), row);
  }

  public final boolean isNull(int field, int row) {
    DeviceBuffer validity = validity(field);
    return validity != null && !Bitmaps.test(onHost(validity), row);
  }

  /** As {@link #values}, for the host to read one after the other. */
  public final HostBuffer hostValues(int field) {
    return onHost(values(field));
  }

  /** As {@link #validity}, for the host to read. */
  public final @Nullable HostBuffer hostValidity(int field) {
    DeviceBuffer validity = validity(field);
    return validity == null ? null : onHost(validity);
  }

  /** A copy is made once. */
  private HostBuffer onHost(DeviceBuffer buffer) {
    if (buffer instanceof HostBuffer host) {
      return host;
    }
    IdentityHashMap<DeviceBuffer, HostBuffer> known = copies;
    if (known == null) {
      known = new IdentityHashMap<>();
      copies = known;
    }
    return known.computeIfAbsent(buffer, DeviceBuffer::onHost);
  }

  /** One value as {@link HostValue} describes it. */
  public final @Nullable Object value(int field, SqlTypeSpec type, int row) {
    if (isNull(field, row)) {
      return null;
    }
    long raw = type.element().rawAt(hostValues(field), row);
    return type.kind().isString()
        ? HostValue.ofBytes(type, strings(field).bytes((int) raw))
        : HostValue.ofRaw(type, raw);
  }

  @Override
  public abstract void close();
}
