package io.gpdb.planner.run;

import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** One column put together from pieces of batches; the rows of the pieces all exist. */
final class Concatenation {
  private final int elementBytes;
  private final int capacity;
  private final BatchMemory memory;
  private final MemorySegment values;
  private @Nullable MemorySegment validity;
  private int rows;

  Concatenation(SqlTypeSpec type, int capacity, BatchMemory memory) {
    this.elementBytes = type.element().bytes();
    this.capacity = capacity;
    this.memory = memory;
    this.values = memory.allocate((long) capacity * elementBytes, Long.BYTES);
  }

  void add(Batch batch, int field, int from, int count) {
    MemorySegment.copy(
        batch.values(field),
        (long) from * elementBytes,
        values,
        (long) rows * elementBytes,
        (long) count * elementBytes);
    MemorySegment source = batch.validity(field);
    if (source != null && validity == null) {
      MemorySegment made = memory.bitmap(capacity);
      validity = made;
      Bitmaps.setRange(made, 0, rows, true);
    }
    MemorySegment target = validity;
    if (target != null) {
      if (source == null) {
        Bitmaps.setRange(target, rows, count, true);
      } else {
        Bitmaps.copyRange(source, from, target, rows, count);
      }
    }
    rows += count;
  }

  MemorySegment values() {
    return values;
  }

  @Nullable MemorySegment validity() {
    return validity;
  }
}
