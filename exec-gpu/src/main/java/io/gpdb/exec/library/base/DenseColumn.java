package io.gpdb.exec.library.base;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.memory.DeviceBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A column of results without gaps.
 *
 * @param values one element per row; 0 where NULL
 * @param validity bitmap in i32 words, bit set = present; null when no value is NULL
 */
public record DenseColumn(Element element, DeviceBuffer values, @Nullable DeviceBuffer validity) {
  /** Bytes of a bitmap over {@code rows} rows. */
  public static long bitmapBytes(long rows) {
    return Bitmaps.bytes(rows);
  }
}
