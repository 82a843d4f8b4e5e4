package io.gpdb.exec.cuda;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Memory of the GPU in blocks by size: powers of two from 256 bytes to 64 MiB, multiples of 1 MiB
 * above. Asking the driver takes a hundred times as long as a launch, so that blocks given back
 * wait here to be taken again. Thread-safe.
 */
final class DeviceBlocks implements AutoCloseable {
  private static final long BYTES_MIN = 256;
  private static final long POWER_BYTES_MAX = 64L << 20;
  private static final long MULTIPLE = 1L << 20;

  /** Smaller blocks are cut from pieces of this size or more. */
  private static final long PIECE_BYTES = 8L << 20;

  /** Where much is cut the next piece is as large as a part of it. */
  private static final long PIECE_BYTES_MAX = 64L << 20;

  private static final long PIECE_PART = 8;

  /** Free blocks of a piece each are kept up to this. */
  private static final long FREE_BYTES_MAX = 4L << 30;

  private final CudaDriver driver;
  private final Zeros zeros;

  // Under this object's monitor
  private final Map<Long, Deque<Long>> free = new HashMap<>();
  private final Set<Long> pieces = new HashSet<>();
  private long freeBytes;
  private long cutAt;
  private long cutEnd;
  private long cutBytes;

  /** Whether what is left of the last piece is filled with zeros. */
  private boolean cutIsZero;

  /** Fills memory with zeros, before all work that is given later. */
  @FunctionalInterface
  interface Zeros {
    void fill(long address, long bytes);
  }

  DeviceBlocks(CudaDriver driver, Zeros zeros) {
    this.driver = driver;
    this.zeros = zeros;
  }

  /** The size of the block that is taken where that number of bytes is needed. */
  static long blockBytes(long bytes) {
    if (bytes <= BYTES_MIN) {
      return BYTES_MIN;
    }
    return bytes <= POWER_BYTES_MAX
        ? Long.highestOneBit(bytes - 1) << 1
        : (bytes + MULTIPLE - 1) / MULTIPLE * MULTIPLE;
  }

  /** Whether a block of that size stays with this object until it is closed. */
  static boolean staysTaken(long size) {
    return size < PIECE_BYTES;
  }

  /** The address of a block of {@link #blockBytes}, of undefined content. */
  synchronized long take(long size) {
    Deque<Long> shelf = free.get(size);
    if (shelf != null && !shelf.isEmpty()) {
      freeBytes -= size;
      return shelf.removeFirst();
    }
    if (size >= PIECE_BYTES) {
      return piece(size);
    }
    return cut(size);
  }

  /**
   * As {@link #take}, filled with zeros: what is left of a piece at once, where the block is cut
   * from it, because a driver's call costs more than the zeros.
   */
  synchronized long takeZeroed(long size) {
    Deque<Long> shelf = free.get(size);
    if (size >= PIECE_BYTES || (shelf != null && !shelf.isEmpty())) {
      long block = take(size);
      zeros.fill(block, size);
      return block;
    }
    haveLeft(size);
    if (!cutIsZero) {
      zeros.fill(cutAt, cutEnd - cutAt);
      cutIsZero = true;
    }
    return cut(size);
  }

  private long cut(long size) {
    haveLeft(size);
    long block = cutAt;
    cutAt += size;
    return block;
  }

  /** Takes the next piece where too little is left of the last one. */
  private void haveLeft(long size) {
    if (cutEnd - cutAt >= size) {
      return;
    }
    shelveRest();
    long bytes =
        Math.clamp(Long.highestOneBit(cutBytes / PIECE_PART), PIECE_BYTES, PIECE_BYTES_MAX);
    try {
      cutAt = piece(bytes);
    } catch (GpdbException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY || bytes == PIECE_BYTES) {
        throw e;
      }
      bytes = PIECE_BYTES;
      cutAt = piece(bytes);
    }
    cutEnd = cutAt + bytes;
    cutBytes += bytes;
    cutIsZero = false;
  }

  private long piece(long size) {
    long address;
    try {
      address = driver.allocate(size);
    } catch (GpdbException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY || !freePieces()) {
        throw e;
      }
      address = driver.allocate(size);
    }
    pieces.add(address);
    return address;
  }

  /** Cuts what is left of the last piece into the largest blocks that fit. */
  private void shelveRest() {
    while (cutEnd - cutAt >= BYTES_MIN) {
      long size = Long.highestOneBit(cutEnd - cutAt);
      shelve(cutAt, size);
      cutAt += size;
    }
  }

  private void shelve(long block, long size) {
    free.computeIfAbsent(size, key -> new ArrayDeque<>()).addFirst(block);
    freeBytes += size;
  }

  synchronized void give(long block, long size) {
    if (size >= PIECE_BYTES && freeBytes + size > FREE_BYTES_MAX) {
      pieces.remove(block);
      driver.free(block);
    } else {
      shelve(block, size);
    }
  }

  /** Gives free blocks that are a piece each to the driver; whether there were any. */
  private boolean freePieces() {
    boolean any = false;
    for (Map.Entry<Long, Deque<Long>> shelf : free.entrySet()) {
      if (shelf.getKey() >= PIECE_BYTES) {
        for (long block : shelf.getValue()) {
          pieces.remove(block);
          freeBytes -= shelf.getKey();
          driver.free(block);
          any = true;
        }
        shelf.getValue().clear();
      }
    }
    return any;
  }

  /** Gives everything to the driver, blocks in use too: nobody uses them any more. */
  @Override
  public synchronized void close() {
    pieces.forEach(driver::free);
    pieces.clear();
    free.clear();
    freeBytes = 0;
    cutAt = 0;
    cutEnd = 0;
    cutBytes = 0;
  }
}
