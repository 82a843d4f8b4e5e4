package io.gpdb.storage.home;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The free space of the home file, as blocks of a power of two from 4 KiB to 1 MiB, each aligned to
 * its size; larger extents are runs of whole MiB. Lowest offset first, so that the end of the file
 * becomes free.
 */
public final class ExtentAllocator {
  static final int MIN_BYTES = 4096;
  static final int MAX_BLOCK_BYTES = 1 << 20;
  private static final int MIN_SHIFT = 12;
  private static final int ORDERS = 9;

  private final List<TreeSet<Long>> free = new ArrayList<>();
  private long freeBytes;

  ExtentAllocator() {
    for (int i = 0; i < ORDERS; i++) {
      free.add(new TreeSet<>());
    }
  }

  /** The bytes of the file that an extent of {@code bytes} occupies. */
  public static long occupiedBytes(long bytes) {
    if (bytes <= MIN_BYTES) {
      return MIN_BYTES;
    }
    if (bytes <= MAX_BLOCK_BYTES) {
      return Long.highestOneBit(bytes - 1) << 1;
    }
    return (bytes + MAX_BLOCK_BYTES - 1) / MAX_BLOCK_BYTES * MAX_BLOCK_BYTES;
  }

  /** The alignment of an extent of {@code bytes}. */
  static long alignment(long bytes) {
    return Math.min(occupiedBytes(bytes), MAX_BLOCK_BYTES);
  }

  synchronized long freeBytes() {
    return freeBytes;
  }

  /** Whether so many extents of {@code bytes} can be taken; of a block's size at most. */
  synchronized boolean hasRoom(long bytes, long extents) {
    int order = orderOf(occupiedBytes(bytes));
    long room = 0;
    for (int o = order; o < ORDERS && room < extents; o++) {
      room += (long) free.get(o).size() << (o - order);
    }
    return room >= extents;
  }

  /** Takes a free range for {@code bytes}; returns its offset, -1 when there is none. */
  synchronized long take(long bytes) {
    long occupied = occupiedBytes(bytes);
    long offset = occupied <= MAX_BLOCK_BYTES ? takeBlock(orderOf(occupied)) : takeRun(occupied);
    if (offset >= 0) {
      freeBytes -= occupied;
    }
    return offset;
  }

  /** Takes exactly that range; false when part of it is not free. */
  synchronized boolean takeAt(long offset, long bytes) {
    return takeRange(offset, offset + occupiedBytes(bytes));
  }

  /** Takes a range of 4 KiB units; false when part of it is not free. */
  synchronized boolean takeRange(long offset, long end) {
    List<long[]> cut = new ArrayList<>();
    for (long at = offset; at < end; ) {
      long[] block = freeBlockAround(at);
      if (block == null) {
        cut.forEach(b -> addRange(b[0], b[1]));
        return false;
      }
      free.get(orderOf(block[1] - block[0])).remove(block[0]);
      freeBytes -= block[1] - block[0];
      cut.add(block);
      at = block[1];
    }
    for (long[] block : cut) {
      addRange(block[0], Math.min(block[1], offset));
      addRange(Math.max(block[0], end), block[1]);
    }
    return true;
  }

  /** Returns the range that {@link #take} took for {@code bytes}. */
  synchronized void give(long offset, long bytes) {
    addRange(offset, offset + occupiedBytes(bytes));
  }

  /** Adds a range of 4 KiB units to the free space. */
  synchronized void addRange(long from, long to) {
    long at = from;
    while (at < to) {
      long size = Math.min(Long.highestOneBit(to - at), MAX_BLOCK_BYTES);
      long aligned = at == 0 ? MAX_BLOCK_BYTES : Math.min(Long.lowestOneBit(at), MAX_BLOCK_BYTES);
      size = Math.min(size, aligned);
      freeBytes += size;
      addBlock(at, orderOf(size));
      at += size;
    }
  }

  /** The lowest offset from which on all is free up to {@code end}. */
  synchronized long freeBefore(long end) {
    long at = end;
    for (long size = blockBefore(at); size > 0; size = blockBefore(at)) {
      at -= size;
    }
    return at;
  }

  /** The size of the free block that ends there; 0 when there is none. */
  private long blockBefore(long end) {
    for (int o = 0; o < ORDERS; o++) {
      long size = (long) MIN_BYTES << o;
      if (free.get(o).contains(end - size)) {
        return size;
      }
    }
    return 0;
  }

  private void addBlock(long offset, int order) {
    long at = offset;
    int o = order;
    while (o < ORDERS - 1) {
      long buddy = at ^ ((long) MIN_BYTES << o);
      if (!free.get(o).remove(buddy)) {
        break;
      }
      at = Math.min(at, buddy);
      o++;
    }
    free.get(o).add(at);
  }

  /** From the lowest block that is large enough, so that the end of the file becomes free. */
  private long takeBlock(int order) {
    int from = -1;
    for (int o = order; o < ORDERS; o++) {
      TreeSet<Long> blocks = free.get(o);
      if (!blocks.isEmpty() && (from < 0 || blocks.first() < free.get(from).first())) {
        from = o;
      }
    }
    if (from < 0) {
      return -1;
    }
    long first = free.get(from).removeFirst();
    for (int split = from - 1; split >= order; split--) {
      free.get(split).add(first + ((long) MIN_BYTES << split));
    }
    return first;
  }

  private long takeRun(long occupied) {
    TreeSet<Long> blocks = free.get(ORDERS - 1);
    long start = firstRun(blocks, occupied);
    if (start >= 0) {
      for (long at = start; at < start + occupied; at += MAX_BLOCK_BYTES) {
        blocks.remove(at);
      }
    }
    return start;
  }

  private static long firstRun(Iterable<Long> blocks, long occupied) {
    long start = -1;
    long end = -1;
    for (long block : blocks) {
      start = block == end ? start : block;
      end = block + MAX_BLOCK_BYTES;
      if (end - start == occupied) {
        return start;
      }
    }
    return -1;
  }

  private long @Nullable [] freeBlockAround(long at) {
    for (int o = 0; o < ORDERS; o++) {
      long size = (long) MIN_BYTES << o;
      long start = at & -size;
      if (free.get(o).contains(start)) {
        return new long[] {start, start + size};
      }
    }
    return null;
  }

  private static int orderOf(long size) {
    return Long.numberOfTrailingZeros(size) - MIN_SHIFT;
  }
}
