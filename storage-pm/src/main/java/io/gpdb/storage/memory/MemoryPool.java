package io.gpdb.storage.memory;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Off-heap memory of one database, in blocks by size: powers of two from 256 bytes to 64 MiB,
 * multiples of 1 MiB above. Blocks below 1 MiB are cut from slabs, the others are a slab each.
 * Blocks start at multiples of 256. Thread-safe; a free block is taken and given back without a
 * lock.
 *
 * <p>What is given back is taken again, or goes back to the system: blocks of 1 MiB and more at
 * once where more than {@link #keptBytesMax} would be free, slabs that are free as a whole by
 * {@link #trim}. Blocks above 64 MiB are taken again for the same size alone, which a statement
 * that is run once more asks for. A reader without a lock may look at a block that was given back
 * meanwhile: it sees bytes that are not its own, which it finds out by validating its stamp, or
 * meets the {@link IllegalStateException} of memory that is gone, but never an unmapped page.
 *
 * <p>Only a {@link MemoryAccount} takes blocks, so that each is counted or ends with its statement.
 */
final class MemoryPool implements AutoCloseable {
  static final int BLOCK_BYTES_MIN = 256;
  static final long BLOCK_BYTES_LARGE = 1 << 20;
  static final long POWER_BYTES_MAX = 64L << 20;

  /** Free memory up to this waits for what comes, whatever the limit of statements. */
  static final long KEPT_BYTES_MIN = 128L << 20;

  /** And where that limit is high, a part of it: statements over many rows take it each time. */
  private static final int KEPT_SHARE = 16;

  private static final long KEPT_BYTES_MAX = 1L << 30;

  /** Free memory that {@link #trim} leaves. */
  private static final long TRIMMED_BYTES = 4 << 20;

  private static final long FIRST_SLAB_BYTES = 64 << 10;

  /**
   * The first slabs up to this are one of the source: giving one back stops every thread for a
   * moment.
   */
  static final long BASE_BYTES = 4 * FIRST_SLAB_BYTES;

  private static final int SMALLEST_SHIFT = Integer.numberOfTrailingZeros(BLOCK_BYTES_MIN);
  private static final int LARGEST_SHIFT = Long.numberOfTrailingZeros(POWER_BYTES_MAX);

  private final SlabSource source;

  /** Of statements. */
  private final MemoryLimit limit;

  private final List<ConcurrentLinkedDeque<MemorySegment>> shelves = new ArrayList<>();

  /** Free blocks above {@link #POWER_BYTES_MAX}, those given back last first. */
  private final ConcurrentLinkedDeque<MemorySegment> largest = new ConcurrentLinkedDeque<>();

  /** At most one free block of each size that is at hand without a node of a queue. */
  private final AtomicReferenceArray<@Nullable MemorySegment> spares =
      new AtomicReferenceArray<>(LARGEST_SHIFT - SMALLEST_SHIFT + 1);

  private final AtomicLong freeBytes = new AtomicLong();
  private final TreeMap<Long, Slab> slabs = new TreeMap<>();
  private Slab slab = Slab.NONE;

  /** What the first slabs are cut from; it goes back to the system with the pool alone. */
  private Slab base = Slab.NONE;

  private volatile long reservedBytes;

  /**
   * More than this is free only until a thread gives a block back; above the bytes that are kept.
   */
  private volatile long trimAtBytes;

  private boolean closed;

  /** Memory as it was taken from the system: cut into blocks from its beginning. */
  private static final class Slab {
    static final Slab NONE = new Slab(new SlabSource.Slab(MemorySegment.NULL, () -> {}));

    /** What the source is given back. */
    private final SlabSource.Slab whole;

    private final MemorySegment bytes;
    private long cutBytes;

    /** Counted by {@link #trim}. */
    private long freeBytes;

    Slab(SlabSource.Slab whole) {
      this(whole, whole.bytes());
    }

    Slab(SlabSource.Slab whole, MemorySegment bytes) {
      this.whole = whole;
      this.bytes = bytes;
    }

    boolean holds(MemorySegment block) {
      return block.address() < bytes.address() + bytes.byteSize();
    }

    MemorySegment cut(long size) {
      MemorySegment block = bytes.asSlice(cutBytes, size);
      cutBytes += size;
      return block;
    }

    long restBytes() {
      return bytes.byteSize() - cutBytes;
    }
  }

  MemoryPool(SlabSource source, MemoryLimit limit) {
    this.source = source;
    this.limit = limit;
    for (int shift = SMALLEST_SHIFT; shift <= LARGEST_SHIFT; shift++) {
      shelves.add(new ConcurrentLinkedDeque<>());
    }
  }

  /** The size of the block that is taken where that number of bytes is needed. */
  static long blockBytes(long bytes) {
    if (bytes <= BLOCK_BYTES_MIN) {
      return BLOCK_BYTES_MIN;
    }
    return bytes <= POWER_BYTES_MAX
        ? Long.highestOneBit(bytes - 1) << 1
        : MemoryPieces.roundUp(bytes, BLOCK_BYTES_LARGE);
  }

  /** A block of {@link #blockBytes}, of undefined content unless it is to be zero. */
  MemorySegment take(long size, boolean zero) {
    MemorySegment known = size <= POWER_BYTES_MAX ? known(size) : knownLargest(size);
    if (known == null) {
      return fresh(size);
    }
    freeBytes.addAndGet(-size);
    return zero ? known.fill((byte) 0) : known;
  }

  private @Nullable MemorySegment known(long size) {
    int shelf = shelfOf(size);
    if (spares.getPlain(shelf) != null) {
      MemorySegment spare = spares.getAndSet(shelf, null);
      if (spare != null) {
        return spare;
      }
    }
    return shelves.get(shelf).pollFirst();
  }

  private @Nullable MemorySegment knownLargest(long size) {
    for (MemorySegment block : largest) {
      if (block.byteSize() == size && largest.remove(block)) {
        return block;
      }
    }
    return null;
  }

  void give(MemorySegment block) {
    long size = block.byteSize();
    if (size >= BLOCK_BYTES_LARGE && !isRoomFor(size)) {
      giveBack(block);
      return;
    }
    if (size > POWER_BYTES_MAX) {
      largest.offerFirst(block);
    } else {
      int shelf = shelfOf(size);
      if (spares.getPlain(shelf) != null || !spares.compareAndSet(shelf, null, block)) {
        shelves.get(shelf).offerFirst(block);
      }
    }
    long free = freeBytes.addAndGet(size);
    if (free > trimAtBytes && isMoreThanKept(free)) {
      trim(keptBytesMax() / 2);
    }
  }

  /**
   * Whether a block of 1 MiB or more may be kept, which is worth more than those above 64 MiB that
   * were given back longest ago.
   */
  private boolean isRoomFor(long size) {
    while (isMoreThanKept(freeBytes.get() + size)) {
      MemorySegment oldest = largest.pollLast();
      if (oldest == null) {
        return false;
      }
      freeBytes.addAndGet(-oldest.byteSize());
      giveBack(oldest);
    }
    return true;
  }

  private boolean isMoreThanKept(long free) {
    return free > KEPT_BYTES_MIN && free > keptBytesMax();
  }

  /** Free memory up to this waits for what comes. */
  private long keptBytesMax() {
    return Math.clamp(limit.bytes() / KEPT_SHARE, KEPT_BYTES_MIN, KEPT_BYTES_MAX);
  }

  private ConcurrentLinkedDeque<MemorySegment> shelf(long size) {
    return size > POWER_BYTES_MAX ? largest : shelves.get(shelfOf(size));
  }

  private static int shelfOf(long size) {
    return Long.numberOfTrailingZeros(size) - SMALLEST_SHIFT;
  }

  /** Gives a block that is a whole slab back to the system. */
  private void giveBack(MemorySegment block) {
    Slab whole;
    synchronized (this) {
      whole = slabs.remove(block.address());
      if (whole == null) { // the pool was closed
        return;
      }
      reservedBytes -= block.byteSize();
    }
    whole.whole.giveBack().run();
  }

  /** Memory that is taken from the system, free blocks included. */
  long reservedBytes() {
    return reservedBytes;
  }

  /** Gives back to the system the slabs that are wholly free, except a few. */
  void trim() {
    trim(TRIMMED_BYTES);
  }

  private synchronized void trim(long keptMax) {
    List<MemorySegment> blocks = takeAllFree();
    List<Slab> unused = unused(blocks, keptMax);
    for (Slab each : unused) {
      slabs.remove(each.bytes.address());
      reservedBytes -= each.bytes.byteSize();
      each.whole.giveBack().run();
    }
    long left = 0;
    for (MemorySegment block : blocks) {
      Map.Entry<Long, Slab> around = slabs.floorEntry(block.address());
      if (around != null && around.getValue().holds(block)) {
        shelf(block.byteSize()).offerLast(block);
        left += block.byteSize();
      }
    }
    trimAtBytes = 2 * freeBytes.addAndGet(left);
  }

  private List<MemorySegment> takeAllFree() {
    List<MemorySegment> blocks = new ArrayList<>();
    for (int shelf = 0; shelf < shelves.size(); shelf++) {
      long size = 1L << (shelf + SMALLEST_SHIFT);
      for (MemorySegment b = known(size); b != null; b = known(size)) {
        freeBytes.addAndGet(-b.byteSize());
        blocks.add(b);
      }
    }
    for (MemorySegment b = largest.pollFirst(); b != null; b = largest.pollFirst()) {
      freeBytes.addAndGet(-b.byteSize());
      blocks.add(b);
    }
    return blocks;
  }

  /** Slabs all of whose bytes are in the free blocks, except some that are kept. */
  private List<Slab> unused(List<MemorySegment> blocks, long keptMax) {
    slabs.values().forEach(each -> each.freeBytes = 0);
    for (MemorySegment block : blocks) {
      Map.Entry<Long, Slab> around = slabs.floorEntry(block.address());
      if (around != null) {
        around.getValue().freeBytes += block.byteSize();
      }
    }
    List<Slab> unused = new ArrayList<>();
    long kept = 0;
    for (Slab each : slabs.values()) {
      if (each.freeBytes == each.bytes.byteSize()
          && each != slab
          && !each.whole.equals(base.whole)) {
        kept += each.freeBytes;
        if (kept > keptMax) {
          unused.add(each);
        }
      }
    }
    return unused;
  }

  @Override
  public synchronized void close() {
    closed = true;
    takeAllFree();
    slabs.values().stream()
        .map(each -> each.whole)
        .distinct()
        .forEach(whole -> whole.giveBack().run());
    slabs.clear();
    slab = Slab.NONE;
    base = Slab.NONE;
    reservedBytes = 0;
  }

  private synchronized MemorySegment fresh(long size) {
    if (closed) {
      throw new GpdbException(ErrorCode.CLOSED, "the memory of a closed database is gone");
    }
    if (size >= BLOCK_BYTES_LARGE) {
      return reserve(size).cut(size);
    }
    if (slab.restBytes() < size) {
      shelveRest();
      long wanted = Math.clamp(reservedBytes / 4, FIRST_SLAB_BYTES, BLOCK_BYTES_LARGE);
      slab = reserve(Math.max(size, Long.highestOneBit(wanted)));
    }
    return slab.cut(size);
  }

  /** The unused rest of a slab goes to the shelves, cut into the largest blocks that fit. */
  private void shelveRest() {
    while (slab.restBytes() >= BLOCK_BYTES_MIN) {
      long size = Long.highestOneBit(slab.restBytes());
      shelf(size).addLast(slab.cut(size));
      freeBytes.addAndGet(size);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  private Slab reserve(long bytes) {
    if (base == Slab.NONE && bytes <= BASE_BYTES) {
      base = taken(BASE_BYTES);
    }
    Slab reserved = base.restBytes() < bytes ? taken(bytes) : new Slab(base.whole, base.cut(bytes));
    slabs.put(reserved.bytes.address(), reserved);
    reservedBytes += bytes;
    return reserved;
  }

  private Slab taken(long bytes) {
    try {
      return new Slab(source.take(bytes));
    } catch (OutOfMemoryError first) {
      trim(0);
      try {
        return new Slab(source.take(bytes));
      } catch (OutOfMemoryError second) {
        throw new GpdbException(
            ErrorCode.OUT_OF_MEMORY,
            "the system has no memory: bytes=" + bytes + ", reservedBytes=" + reservedBytes,
            second);
      }
    }
  }
}
