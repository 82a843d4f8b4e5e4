package io.gpdb.txn.log;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that one thread sums at once.
 *
 * @param fill stores them before, so that they are summed while they are in the processor's cache;
 *     null where they are there
 */
record CrcPart(MemorySegment bytes, @Nullable SectionFill fill) {
  static final long BYTES_MAX = 256 << 10;

  /** Adds bytes that are there, cut into parts. */
  static void add(MemorySegment bytes, List<CrcPart> parts) {
    for (long at = 0; at < bytes.byteSize(); at += BYTES_MAX) {
      parts.add(new CrcPart(bytes.asSlice(at, Math.min(BYTES_MAX, bytes.byteSize() - at)), null));
    }
  }

  int crc() {
    if (fill != null) {
      fill.fill(bytes);
    }
    return Crc.of(bytes, 0, bytes.byteSize());
  }
}
