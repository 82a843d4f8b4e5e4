package io.gpdb.txn.log;

import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.memory.PersistentMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Stores of many bytes, which several threads copy into a view of the memory, where it takes them
 * so. A file is written by one thread at a time, whoever asks.
 */
final class SharedStores {
  /** What a thread copies at once. */
  static final int PART_BYTES = 256 << 10;

  /** Fewer bytes are copied before other threads have woken up. */
  static final long BYTES_MIN = 1 << 20;

  private final SharedWork workers;

  SharedStores(SharedWork workers) {
    this.workers = workers;
  }

  /** A part of a piece, and where it goes. */
  private record Part(MemorySegment from, MemorySegment to) {
    void store() {
      to.copyFrom(from);
    }
  }

  /** As {@link PersistentMemory#store(long, List)}. */
  void store(PersistentMemory memory, long offset, List<MemorySegment> pieces, long bytes) {
    if (bytes < BYTES_MIN || !memory.takesStoresByView()) {
      memory.store(offset, pieces);
      return;
    }
    List<Part> parts = partsOrNone(memory, offset, pieces);
    if (parts.isEmpty()) {
      memory.store(offset, pieces);
    } else {
      workers.share(parts.size(), i -> parts.get(i).store());
      memory.counters().stored(bytes);
    }
  }

  /**
   * None where the range cannot be mapped, as when no more files may be open: nothing is stored.
   */
  private static List<Part> partsOrNone(
      PersistentMemory memory, long offset, List<MemorySegment> pieces) {
    try {
      return parts(memory, offset, pieces);
    } catch (GpdbException e) {
      return List.of();
    }
  }

  /** Cut where the memory is at a multiple of their length: so each is inside of a view. */
  private static List<Part> parts(
      PersistentMemory memory, long offset, List<MemorySegment> pieces) {
    List<Part> parts = new ArrayList<>();
    long to = offset;
    for (MemorySegment piece : pieces) {
      long at = 0;
      while (at < piece.byteSize()) {
        long bytes = Math.min(piece.byteSize() - at, PART_BYTES - to % PART_BYTES);
        parts.add(new Part(piece.asSlice(at, bytes), memory.view(to, bytes, true)));
        at += bytes;
        to += bytes;
      }
    }
    return parts;
  }
}
