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

  /** Blocks are cut from pieces of this size where they are smaller. */
  private static final long PIECE_BYTES = 8L << 20;

  /** Free blocks of a piece each are kept up to this. */
  private static final long FREE_BYTES_MAX = 4L << 30;

  private final CudaDriver driver;

  // Under this object's monitor
  private final Map<Long, Deque<Long>> free = new HashMap<>();
  private final Set<Long> pieces = new HashSet<>();
  private long freeBytes;
  private long cutAt;
  private long cutEnd;

  DeviceBlocks(CudaDriver driver) {
    this.driver = driver;
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
    if (cutEnd - cutAt < size) {
      shelveRest();
      cutAt = piece(PIECE_BYTES);
      cutEnd = cutAt + PIECE_BYTES;
    }
    long block = cutAt;
    cutAt += size;
    return block;
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
  }
}
