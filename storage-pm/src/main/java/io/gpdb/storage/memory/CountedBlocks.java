package io.gpdb.storage.memory;

import java.lang.foreign.MemorySegment;

/** Blocks of host memory, and bytes of other memory, counted for whoever takes them. */
public interface CountedBlocks {
  /**
   * A block of at least that number of bytes, of undefined content; OUT_OF_MEMORY beyond the limit.
   */
  MemorySegment take(long bytes);

  /** As {@link #take}, filled with zeros. */
  MemorySegment takeZeroed(long bytes);

  /** Ends the use of a block, as a whole. */
  void give(MemorySegment block);

  /** Counts memory that is taken elsewhere, as on the heap; OUT_OF_MEMORY beyond the limit. */
  void charge(long bytes);

  /** Ends what {@link #charge} began. */
  void discharge(long bytes);
}
