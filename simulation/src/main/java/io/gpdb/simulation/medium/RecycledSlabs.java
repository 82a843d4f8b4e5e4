package io.gpdb.simulation.medium;

import io.gpdb.storage.memory.SlabSource;
import io.gpdb.storage.memory.SystemMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Slabs for many databases that are opened for a moment each: small ones are used again, so that
 * closing a database stops no other thread. Nothing may use a database after it was closed.
 */
public final class RecycledSlabs implements SlabSource {
  private static final long RECYCLED_BYTES = 256 << 10;

  private final ConcurrentLinkedQueue<MemorySegment> kept = new ConcurrentLinkedQueue<>();

  @Override
  public Slab take(long bytes) {
    if (bytes > RECYCLED_BYTES) {
      return SYSTEM.take(bytes);
    }
    MemorySegment known = kept.poll();
    MemorySegment whole =
        known != null
            ? known
            : SystemMemory.allocate(Arena.ofAuto(), RECYCLED_BYTES, ALIGNMENT_BYTES);
    MemorySegment part = whole.asSlice(0, bytes);
    return new Slab(
        part,
        () -> {
          part.fill((byte) 0);
          kept.add(whole);
        });
  }
}
