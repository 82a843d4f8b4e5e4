package io.gpdb.storage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Off-heap memory in blocks of a power of two, from 256 bytes to 1 MiB.
 *
 * <p>A released block is handed out again and never unmapped before {@link #close}, so that a
 * reader without a lock may look at a block that was released meanwhile: it sees bytes that are not
 * its own, which it finds out by validating its stamp, but never an unmapped page.
 */
final class BlockPool implements AutoCloseable {
  static final int MIN_BYTES = 256;
  static final int MAX_BYTES = 1 << 20;
  private static final int CLASSES =
      Integer.numberOfTrailingZeros(MAX_BYTES) - Integer.numberOfTrailingZeros(MIN_BYTES) + 1;
  private static final long FIRST_SLAB_BYTES = 64 << 10;
  private static final long LAST_SLAB_BYTES = 4 << 20;

  private final Arena arena = Arena.ofShared();
  private final List<ArrayDeque<MemorySegment>> free = new ArrayList<>();
  private MemorySegment slab = MemorySegment.NULL;
  private long slabUsed;
  private long reservedBytes;
  private long limitBytes = Long.MAX_VALUE;

  BlockPool() {
    for (int i = 0; i < CLASSES; i++) {
      free.add(new ArrayDeque<>());
    }
  }

  /** The bytes of the block that {@link #allocate} gives for so many. */
  static int blockBytes(long bytes) {
    if (bytes > MAX_BYTES) {
      throw new GpdbException(
          ErrorCode.INTERNAL, "block too large: bytes=" + bytes + ", limit=" + MAX_BYTES);
    }
    return bytes <= MIN_BYTES ? MIN_BYTES : Integer.highestOneBit((int) bytes - 1) << 1;
  }

  /** A zero-filled block of at least so many bytes. */
  MemorySegment allocate(long bytes) {
    int size = blockBytes(bytes);
    MemorySegment recycled;
    synchronized (this) {
      recycled = free.get(classOf(size)).pollLast();
      if (recycled == null) {
        return carve(size);
      }
    }
    return recycled.fill((byte) 0);
  }

  synchronized void release(MemorySegment block) {
    free.get(classOf((int) block.byteSize())).addLast(block);
  }

  /** Memory taken from the system so far. */
  synchronized long reservedBytes() {
    return reservedBytes;
  }

  @Override
  public void close() {
    arena.close();
  }

  private MemorySegment carve(int size) {
    if (slab.byteSize() - slabUsed < size) {
      shelveRest();
      long wanted = Math.clamp(reservedBytes / 4, FIRST_SLAB_BYTES, LAST_SLAB_BYTES);
      slab = reserve(Math.max(size, Long.highestOneBit(wanted)));
      slabUsed = 0;
    }
    MemorySegment block = slab.asSlice(slabUsed, size);
    slabUsed += size;
    return block;
  }

  /** The unused rest of a slab goes to the free lists, cut into the largest blocks that fit. */
  private void shelveRest() {
    long rest = slab.byteSize() - slabUsed;
    while (rest >= MIN_BYTES) {
      int size = (int) Math.min(Long.highestOneBit(rest), MAX_BYTES);
      free.get(classOf(size)).addFirst(slab.asSlice(slabUsed, size));
      slabUsed += size;
      rest -= size;
    }
  }

  /** From now on taking more than so many bytes from the system fails. */
  synchronized void limit(long bytes) {
    limitBytes = bytes;
  }

  private MemorySegment reserve(long bytes) {
    if (bytes > limitBytes - reservedBytes) {
      throw new GpdbException(
          ErrorCode.OUT_OF_MEMORY,
          "no memory for table data: bytes=%d, reservedBytes=%d, limitBytes=%d"
              .formatted(bytes, reservedBytes, limitBytes));
    }
    try {
      MemorySegment reserved = arena.allocate(bytes, 4096);
      reservedBytes += bytes;
      return reserved;
    } catch (OutOfMemoryError e) {
      throw new GpdbException(
          ErrorCode.OUT_OF_MEMORY,
          "no memory for table data: bytes=" + bytes + ", reservedBytes=" + reservedBytes,
          e);
    }
  }

  private static int classOf(int size) {
    return Integer.numberOfTrailingZeros(size) - Integer.numberOfTrailingZeros(MIN_BYTES);
  }
}
