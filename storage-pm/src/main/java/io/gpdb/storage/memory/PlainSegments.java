package io.gpdb.storage.memory;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/**
 * Makes mapped memory look like memory that was allocated. The JDK has a class of segments for
 * each, and code that meets both is compiled for both: a kernel's loop with five accesses took the
 * JIT compiler 8 to 10 s instead of 0.6, beside other work, and ran half as fast.
 */
public final class PlainSegments {
  private PlainSegments() {}

  /**
   * The same memory, which may be accessed as long as the mapping may be, but not forced, loaded or
   * unloaded. A mapping of 2 GiB or more, or of an odd number of words, stays as it is.
   */
  public static MemorySegment of(MemorySegment mapped) {
    if (mapped.byteSize() > Integer.MAX_VALUE || mapped.byteSize() % Integer.BYTES != 0) {
      return mapped;
    }
    // A view of a mapped buffer knows its memory and its owner, but not that it is mapped.
    return MemorySegment.ofBuffer(
        mapped.asByteBuffer().order(ByteOrder.nativeOrder()).asIntBuffer());
  }
}
