package io.gpdb.storage.medium;

import io.gpdb.storage.memory.PlainSegments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
  private final TreeMap<Long, List<Window>> windows = new TreeMap<>();

  /** A mapping from a place in the file on, and the same memory for those who access it. */
  private record Window(long start, MemorySegment mapping, MemorySegment memory) {}

  MappedWindows(Arena arena, MapMode mode) {
    this.arena = arena;
    this.mode = mode;
  }

  /** Returns when no mapping is being made that goes by a size from before the call. */
  synchronized void settle() {}

  /** A view of the range, which ends below {@code sizeBytes}, the size of the file. */
  MemorySegment view(Path path, long offset, long bytes, LongSupplier sizeBytes)
      throws IOException {
    Window window = window(path, offset, bytes, sizeBytes);
    return window.memory.asSlice(offset - window.start, bytes);
  }

  /** Writes the pages of the range back. */
  void force(Path path, long offset, long bytes, LongSupplier sizeBytes) throws IOException {
    Window window = window(path, offset, bytes, sizeBytes);
    try {
      window.mapping.asSlice(offset - window.start, bytes).force();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private synchronized Window window(Path path, long offset, long bytes, LongSupplier sizeBytes)
      throws IOException {
    for (List<Window> at : windows.headMap(offset, true).values()) {
      for (Window window : at) {
        if (offset - window.start + bytes <= window.memory.byteSize()) {
          return window;
        }
      }
    }
    long start = offset / WINDOW_BYTES * WINDOW_BYTES;
    if (offset + bytes > start + WINDOW_BYTES) {
      start = offset / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }
    long end = Math.min(sizeBytes.getAsLong(), Math.max(offset + bytes, start + WINDOW_BYTES));
    MemorySegment mapping = FileChannels.map(path, mode, start, end - start, arena);
    Window window = new Window(start, mapping, PlainSegments.of(mapping));
    windows.computeIfAbsent(start, s -> new ArrayList<>()).add(window);
    return window;
  }

  /** Unmaps all pages until they are read again. */
  synchronized void unload() {
    windows.values().forEach(all -> all.forEach(window -> window.mapping.unload()));
  }

  @Override
  public synchronized void close() {
    windows.clear();
  }
}
