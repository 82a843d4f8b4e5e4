package io.gpdb.txn;

import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A pool of off-heap memory in chunks of 2^k bytes. What is given back beyond {@link
 * #POOLED_BYTES_MAX} is freed at once. Thread-safe.
 */
final class NativeChunks {
  static final long POOLED_BYTES_MAX = 128L << 20;
  static final int SMALLEST_SHIFT = 12;
  private static final int LARGEST_SHIFT = 62;
  private static final long ALIGNMENT_BYTES = 256;

  private final List<ArrayDeque<NativeChunk>> shelves = new ArrayList<>();
  private long pooledBytes;

  /** One piece of memory; its contents are undefined when taken. */
  record NativeChunk(Arena arena, MemorySegment segment) {
    long bytes() {
      return segment.byteSize();
    }
  }

  NativeChunks() {
    for (int shift = SMALLEST_SHIFT; shift <= LARGEST_SHIFT; shift++) {
      shelves.add(new ArrayDeque<>());
    }
  }

  /** A chunk of at least so many bytes. */
  NativeChunk take(long bytes) {
    int shift = Math.max(SMALLEST_SHIFT, 64 - Long.numberOfLeadingZeros(Math.max(1, bytes) - 1));
    synchronized (this) {
      NativeChunk pooled = shelves.get(shift - SMALLEST_SHIFT).pollLast();
      if (pooled != null) {
        pooledBytes -= pooled.bytes();
        return pooled;
      }
    }
    Arena arena = Arena.ofShared();
    try {
      return new NativeChunk(arena, arena.allocate(1L << shift, ALIGNMENT_BYTES));
    } catch (OutOfMemoryError e) {
      arena.close();
      throw new GpdbException(
          ErrorCode.OUT_OF_MEMORY, "no memory for undo versions and logs: bytes=" + bytes, e);
    }
  }

  void give(NativeChunk chunk) {
    synchronized (this) {
      if (pooledBytes + chunk.bytes() <= POOLED_BYTES_MAX) {
        pooledBytes += chunk.bytes();
        int shift = Long.numberOfTrailingZeros(chunk.bytes());
        shelves.get(shift - SMALLEST_SHIFT).addLast(chunk);
        return;
      }
    }
    chunk.arena().close();
  }

  /** Frees what is pooled. */
  synchronized void close() {
    shelves.forEach(
        shelf -> {
          shelf.forEach(chunk -> chunk.arena().close());
          shelf.clear();
        });
    pooledBytes = 0;
  }
}
