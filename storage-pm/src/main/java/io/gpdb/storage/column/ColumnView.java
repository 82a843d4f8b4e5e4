package io.gpdb.storage.column;

import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Values of one column in buffers of a device, whose number of rows is passed separately: a column
 * of a tablet as a snapshot sees it, of a batch between operators, of rows to insert or update.
 *
 * @param values one element per row, row after row; a string's is its code
 * @param validity bitmap in i32 words, bit set = value present; null when no value is NULL
 */
public record ColumnView(ElementType type, DeviceBuffer values, @Nullable DeviceBuffer validity) {
  /** Of host memory that kernels are to reach where it is. */
  public static ColumnView mapped(
      DeviceMemory memory,
      ElementType type,
      MemorySegment values,
      @Nullable MemorySegment validity) {
    return new ColumnView(type, memory.map(values), validity == null ? null : memory.map(validity));
  }

  public boolean isNull(int row) {
    return validity != null && !Bitmaps.testOne(validity, row);
  }

  /** The value as raw bits, see {@link ElementType#rawAt}. */
  public long raw(int row) {
    return type.oneAt(values, row);
  }

  /** The same values for the host to read, one after the other. */
  public ColumnView onHost() {
    HostBuffer read = values.onHost();
    return read == values && (validity == null || validity.onHost() == validity)
        ? this
        : new ColumnView(type, read, validity == null ? null : validity.onHost());
  }

  /** The same n values; no bitmap where none of them is NULL. */
  public ColumnView withoutBitmapOfOnes(int n) {
    boolean ones = validity != null && Bitmaps.allSet(validity.onHost(), n);
    return ones ? new ColumnView(type, values, null) : this;
  }
}
