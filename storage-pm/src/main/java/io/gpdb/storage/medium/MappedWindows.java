package io.gpdb.storage.medium;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Views of a file out of few large mappings, which stay until close: a mapping per view would soon
 * meet the system's limit of mappings per process.
 */
final class MappedWindows implements AutoCloseable {
  private static final long WINDOW_BYTES = 256L << 20;
  private static final long ALIGNMENT_BYTES = 64 << 10;

  private final Arena arena;
  private final MapMode mode;
  private final TreeMap<Long, List<MemorySegment>> windows = new TreeMap<>();

  MappedWindows(Arena arena, MapMode mode) {
    this.arena = arena;
    this.mode = mode;
  }

  /** Returns when no mapping is being made that goes by a size from before the call. */
  synchronized void settle() {}

  /** A view of the range, which ends below {@code sizeBytes}, the size of the file. */
  synchronized MemorySegment view(Path path, long offset, long bytes, LongSupplier sizeBytes)
      throws IOException {
    for (Map.Entry<Long, List<MemorySegment>> at : windows.headMap(offset, true).entrySet()) {
      long inside = offset - at.getKey();
      for (MemorySegment window : at.getValue()) {
        if (inside + bytes <= window.byteSize()) {
          return window.asSlice(inside, bytes);
        }
      }
    }
    long start = offset / WINDOW_BYTES * WINDOW_BYTES;
    if (offset + bytes > start + WINDOW_BYTES) {
      start = offset / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }
    long end = Math.min(sizeBytes.getAsLong(), Math.max(offset + bytes, start + WINDOW_BYTES));
    MemorySegment window = FileChannels.map(path, mode, start, end - start, arena);
    windows.computeIfAbsent(start, s -> new ArrayList<>()).add(window);
    return window.asSlice(offset - start, bytes);
  }

  /** Unmaps all pages until they are read again. */
  synchronized void unload() {
    windows.values().forEach(all -> all.forEach(MemorySegment::unload));
  }

  @Override
  public synchronized void close() {
    windows.clear();
  }
}
