package io.gpdb.storage.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Where databases take the slabs from that they cut into blocks. Thread-safe. */
public interface SlabSource {
  int ALIGNMENT_BYTES = 4096;

  /** The operating system: giving a slab back stops every thread of the process for a moment. */
  SlabSource SYSTEM =
      bytes -> {
        Arena arena = Arena.ofShared();
        try {
          return new Slab(SystemMemory.allocate(arena, bytes, ALIGNMENT_BYTES), arena::close);
        } catch (OutOfMemoryError e) {
          arena.close();
          throw e;
        }
      };

  /** A slab of zeros; throws {@link OutOfMemoryError} when there is none. */
  Slab take(long bytes);

  /**
   * Memory in use.
   *
   * @param giveBack ends the use of the bytes, once
   */
  record Slab(MemorySegment bytes, Runnable giveBack) {}
}
