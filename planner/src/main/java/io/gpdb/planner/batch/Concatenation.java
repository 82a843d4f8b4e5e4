package io.gpdb.planner.batch;

import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import org.jspecify.annotations.Nullable;

/** One column put together from pieces of batches; the rows of the pieces all exist. */
public final class Concatenation {
  private final int elementBytes;
  private final int capacity;
  private final BatchMemory memory;
  private final DeviceBuffer values;
  private @Nullable HostBuffer validity;
  private int rows;

  public Concatenation(SqlTypeSpec type, int capacity, BatchMemory memory) {
    this.elementBytes = type.element().bytes();
    this.capacity = capacity;
    this.memory = memory;
    this.values = memory.allocate((long) capacity * elementBytes);
  }

  public void add(Batch batch, int field, int from, int count) {
    values.copyFrom(
        batch.values(field),
        (long) from * elementBytes,
        (long) rows * elementBytes,
        (long) count * elementBytes);
    DeviceBuffer source = batch.validity(field);
    if (source != null && validity == null) {
      HostBuffer made = memory.bitmap(capacity);
      validity = made;
      Bitmaps.setRange(made, 0, rows, true);
    }
    HostBuffer target = validity;
    if (target != null) {
      if (source == null) {
        Bitmaps.setRange(target, rows, count, true);
      } else {
        Bitmaps.copyRange(source.onHost(), from, target, rows, count);
      }
    }
    rows += count;
  }

  public DeviceBuffer values() {
    return values;
  }

  /** Null when no value is NULL. */
  public @Nullable HostBuffer validity() {
    return validity;
  }
}
