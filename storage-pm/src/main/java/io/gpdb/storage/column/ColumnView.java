package io.gpdb.storage.column;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Values of one column outside the heap, whose number of rows is passed separately: a column of a
 * tablet as a snapshot sees it, of a batch between operators, of rows to insert or update.
 *
 * @param values one element per row, row after row; a string's is its code
 * @param validity bitmap in i32 words, bit set = value present; null when no value is NULL
 */
public record ColumnView(ElementType type, MemorySegment values, @Nullable MemorySegment validity) {
  public boolean isNull(int row) {
    return validity != null && !Bitmaps.test(validity, row);
  }

  /** The value as raw bits, see {@link ElementType#rawAt}. */
  public long raw(int row) {
    return type.rawAt(values, row);
  }

  /** The same n values; no bitmap where none of them is NULL. */
  public ColumnView withoutBitmapOfOnes(int n) {
    boolean ones = validity != null && Bitmaps.allSet(validity, n);
    return ones ? new ColumnView(type, values, null) : this;
  }
}
