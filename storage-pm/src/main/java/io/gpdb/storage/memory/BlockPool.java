package io.gpdb.storage.memory;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Off-heap memory in blocks of a power of two, from 256 bytes to 1 MiB.
 *
 * <p>A released block is handed out again, or given back to the system by {@link #trim}. A reader
 * without a lock may look at a block that was released meanwhile: it sees bytes that are not its
 * own, which it finds out by validating its stamp, or meets the {@link IllegalStateException} of
 * memory that is gone, but never an unmapped page.
 */
public final class BlockPool implements AutoCloseable {
  static final int MIN_BYTES = 256;
  public static final int MAX_BYTES = 1 << 20;
  private static final int CLASSES =
      Integer.numberOfTrailingZeros(MAX_BYTES) - Integer.numberOfTrailingZeros(MIN_BYTES) + 1;
  private static final long FIRST_SLAB_BYTES = 64 << 10;
  private static final long LAST_SLAB_BYTES = 1 << 20;

  /** Free memory up to this is kept for what comes. */
  private static final long KEPT_FREE_BYTES = 4 << 20;

  private final List<ArrayDeque<MemorySegment>> free = new ArrayList<>();
  private final TreeMap<Long, Slab> slabs = new TreeMap<>();
  private Slab slab = Slab.NONE;
  private long reservedBytes;
  private long limitBytes = Long.MAX_VALUE;

  /** Memory as it was taken from the system: cut into blocks from its beginning. */
  private static final class Slab {
    static final Slab NONE = new Slab(Arena.global(), MemorySegment.NULL);

    private final Arena arena;
    private final MemorySegment bytes;
    private long cutBytes;
    private long usedBytes;

    Slab(Arena arena, MemorySegment bytes) {
      this.arena = arena;
      this.bytes = bytes;
    }

    MemorySegment cut(int size) {
      MemorySegment block = bytes.asSlice(cutBytes, size);
      cutBytes += size;
      return block;
    }

    long restBytes() {
      return bytes.byteSize() - cutBytes;
    }
  }

  public BlockPool() {
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
  public MemorySegment allocate(long bytes) {
    int size = blockBytes(bytes);
    MemorySegment recycled;
    synchronized (this) {
      recycled = free.get(classOf(size)).pollLast();
      if (recycled == null) {
        return carve(size);
      }
      use(recycled, size);
    }
    return recycled.fill((byte) 0);
  }

  public synchronized void release(MemorySegment block) {
    free.get(classOf((int) block.byteSize())).addLast(block);
    use(block, -block.byteSize());
  }

  private void use(MemorySegment block, long bytes) {
    Map.Entry<Long, Slab> around = slabs.floorEntry(block.address());
    if (around != null) { // none is left of a closed pool
      around.getValue().usedBytes += bytes;
    }
  }

  /** Gives back to the system what is free as a whole, but for a little. */
  public synchronized void trim() {
    TreeMap<Long, Slab> unused = new TreeMap<>();
    long kept = 0;
    for (Slab each : slabs.values()) {
      if (each.usedBytes == 0 && each != slab) {
        kept += each.bytes.byteSize();
        if (kept > KEPT_FREE_BYTES) {
          unused.put(each.bytes.address(), each);
        }
      }
    }
    if (unused.isEmpty()) {
      return;
    }
    free.forEach(blocks -> blocks.removeIf(block -> liesIn(unused, block)));
    for (Slab each : unused.values()) {
      slabs.remove(each.bytes.address());
      reservedBytes -= each.bytes.byteSize();
      each.arena.close();
    }
  }

  private static boolean liesIn(NavigableMap<Long, Slab> some, MemorySegment block) {
    Map.Entry<Long, Slab> below = some.floorEntry(block.address());
    return below != null && block.address() < below.getKey() + below.getValue().bytes.byteSize();
  }

  /** Memory that is taken from the system. */
  public synchronized long reservedBytes() {
    return reservedBytes;
  }

  @Override
  public synchronized void close() {
    slabs.values().forEach(each -> each.arena.close());
    slabs.clear();
  }

  private MemorySegment carve(int size) {
    if (slab.restBytes() < size) {
      shelveRest();
      long wanted = Math.clamp(reservedBytes / 4, FIRST_SLAB_BYTES, LAST_SLAB_BYTES);
      slab = reserve(Math.max(size, Long.highestOneBit(wanted)));
    }
    slab.usedBytes += size;
    return slab.cut(size);
  }

  /** The unused rest of a slab goes to the free lists, cut into the largest blocks that fit. */
  private void shelveRest() {
    while (slab.restBytes() >= MIN_BYTES) {
      int size = (int) Math.min(Long.highestOneBit(slab.restBytes()), MAX_BYTES);
      free.get(classOf(size)).addFirst(slab.cut(size));
    }
  }

  /** From now on taking more than so many bytes from the system fails. */
  public synchronized void limit(long bytes) {
    limitBytes = bytes;
  }

  private Slab reserve(long bytes) {
    if (bytes > limitBytes - reservedBytes) {
      throw new GpdbException(
          ErrorCode.OUT_OF_MEMORY,
          "no memory for table data: bytes=%d, reservedBytes=%d, limitBytes=%d"
              .formatted(bytes, reservedBytes, limitBytes));
    }
    Arena arena = Arena.ofShared();
    try {
      Slab reserved = new Slab(arena, SystemMemory.allocate(arena, bytes, 4096));
      slabs.put(reserved.bytes.address(), reserved);
      reservedBytes += bytes;
      return reserved;
    } catch (OutOfMemoryError e) {
      arena.close();
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
