package io.gpdb.txn.api;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Values of one column for n rows (n is given beside it), native memory.
 *
 * @param validity i32 words, bit set = value present; null when no value is NULL
 */
public record ColumnData(ElementType type, MemorySegment values, @Nullable MemorySegment validity) {
  /** The same n values; no bitmap where none of them is NULL. */
  public ColumnData withoutBitmapOfOnes(int n) {
    boolean ones = validity != null && Bitmaps.allSet(validity, n);
    return ones ? new ColumnData(type, values, null) : this;
  }
}
