package io.gpdb.storage.memory;

import io.gpdb.storage.error.GpdbException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store whose parts are copied to views of the memory. */
public final class ViewStore implements SharedStore {
  /** What a thread copies at once. */
  public static final int PART_BYTES = 256 << 10;

  /** A write of less takes as long as to look a view up. */
  private static final int VIEWED_BYTES_MIN = 32 << 10;

  private final PersistentMemory memory;
  private final List<Part> parts;

  /** A part of a piece, and where it goes. */
  private record Part(MemorySegment from, MemorySegment to) {}

  private ViewStore(PersistentMemory memory, List<Part> parts) {
    this.memory = memory;
    this.parts = parts;
  }

  /**
   * As {@link PersistentMemory#shareStore}; null where the range cannot be mapped, as when no more
   * files may be open.
   */
  public static @Nullable ViewStore of(
      PersistentMemory memory, long offset, List<MemorySegment> pieces) {
    try {
      return new ViewStore(memory, parts(memory, offset, pieces));
    } catch (GpdbException e) {
      return null;
    }
  }

  /**
   * As {@link PersistentMemory#store(long, MemorySegment)}, by a view where the file is memory: of
   * writes to a file the system lets in one at a time.
   */
  public static void storeAlone(PersistentMemory memory, long offset, MemorySegment source) {
    boolean viewed =
        memory.domain() == PersistenceDomain.PROCESS
            && memory.takesSharedStores()
            && source.byteSize() >= VIEWED_BYTES_MIN;
    ViewStore store = viewed ? of(memory, offset, List.of(source)) : null;
    if (store == null) {
      memory.store(offset, source);
      return;
    }
    for (int part = 0; part < store.parts(); part++) {
      store.store(part);
    }
    store.end();
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

  @Override
  public int parts() {
    return parts.size();
  }

  @Override
  public void store(int part) {
    Part p = parts.get(part);
    p.to.copyFrom(p.from);
  }

  @Override
  public void end() {
    long bytes = 0;
    for (Part part : parts) {
      bytes += part.from.byteSize();
    }
    memory.counters().stored(bytes);
  }
}
