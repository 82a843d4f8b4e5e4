package io.gpdb.planner.run;

import io.gpdb.sql.type.SqlTypeSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
      setBits(made, 0, rows);
    }
    MemorySegment target = validity;
    if (target != null) {
      if (source == null) {
        setBits(target, rows, count);
      } else {
        copyBits(source, from, target, rows, count);
      }
    }
    rows += count;
  }

  private static void setBits(MemorySegment bitmap, int from, int count) {
    int at = from;
    int end = from + count;
    while (at < end && (at & 31) != 0) {
      Batch.setBit(bitmap, at++);
    }
    while (at + 32 <= end) {
      bitmap.set(ValueLayout.JAVA_INT, (long) (at >> 5) << 2, -1);
      at += 32;
    }
    while (at < end) {
      Batch.setBit(bitmap, at++);
    }
  }

  private static void copyBits(
      MemorySegment source, int from, MemorySegment target, int to, int count) {
    int copied = 0;
    if ((from & 31) == 0 && (to & 31) == 0) {
      copied = count & ~31;
      MemorySegment.copy(source, from >> 3, target, to >> 3, copied >> 3);
    }
    for (int i = copied; i < count; i++) {
      if (Batch.bit(source, from + i)) {
        Batch.setBit(target, to + i);
      }
    }
  }

  MemorySegment values() {
    return values;
  }

  @Nullable MemorySegment validity() {
    return validity;
  }
}
