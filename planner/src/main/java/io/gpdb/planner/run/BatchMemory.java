package io.gpdb.planner.run;

import io.gpdb.storage.memory.SystemMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one batch, from a process-wide pool of segments of 2^k bytes and given back by
 * {@link #close}. Contents are undefined when taken. Any thread may read and write it; taken and
 * given back by one thread at a time. (Closing a shared arena stops every thread; this does not.)
 */
public final class BatchMemory implements SegmentAllocator, AutoCloseable {
  private static final long POOL_BYTES_MAX = 256L << 20;
  private static final int SMALLEST_SHIFT = 8;
  private static final int LARGEST_SHIFT = 26;
  private static final long ALIGNMENT_BYTES = 256;
  private static final List<ConcurrentLinkedDeque<MemorySegment>> POOL = shelves();
  private static final AtomicLong POOLED_BYTES = new AtomicLong();

  /**
   * Whether batches begun from now on end with their memory, for tests; see {@link #endWithUse}.
   */
  @SuppressWarnings("NonFinalStaticField")
  private static volatile boolean endsWithUse = Boolean.getBoolean("gpdb.poison");

  private final List<MemorySegment> taken = new ArrayList<>();

  /** The batch's own memory where it ends with its use; null where it is from the pool. */
  private final @Nullable Arena own = endsWithUse ? Arena.ofShared() : null;

  /**
   * For tests: whether whoever reads a batch's memory after its release gets an exception. The pool
   * is then not used, which makes every batch slower. {@code -Dgpdb.poison=true} begins so.
   */
  public static void endWithUse(boolean ends) {
    endsWithUse = ends;
  }

  private static List<ConcurrentLinkedDeque<MemorySegment>> shelves() {
    List<ConcurrentLinkedDeque<MemorySegment>> shelves = new ArrayList<>();
    for (int shift = SMALLEST_SHIFT; shift <= LARGEST_SHIFT; shift++) {
      shelves.add(new ConcurrentLinkedDeque<>());
    }
    return List.copyOf(shelves);
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    if (own != null) {
      return own.allocate(Math.max(1, byteSize), ALIGNMENT_BYTES).asSlice(0, byteSize);
    }
    int shift = Math.max(SMALLEST_SHIFT, 64 - Long.numberOfLeadingZeros(Math.max(1, byteSize) - 1));
    MemorySegment segment =
        shift <= LARGEST_SHIFT ? POOL.get(shift - SMALLEST_SHIFT).pollFirst() : null;
    if (segment == null) {
      segment = SystemMemory.allocate(Arena.ofAuto(), 1L << shift, ALIGNMENT_BYTES);
    } else {
      POOLED_BYTES.addAndGet(-segment.byteSize());
    }
    taken.add(segment);
    return segment.asSlice(0, byteSize);
  }

  /** A bitmap over {@code rows} rows, all clear. */
  public MemorySegment bitmap(long rows) {
    MemorySegment bitmap = allocate(Batch.bitmapBytes(rows), Integer.BYTES);
    bitmap.fill((byte) 0);
    return bitmap;
  }

  @Override
  public void close() {
    if (own != null && own.scope().isAlive()) {
      own.close();
    }
    for (MemorySegment segment : taken) {
      int shift = Long.numberOfTrailingZeros(segment.byteSize());
      if (shift <= LARGEST_SHIFT) {
        if (POOLED_BYTES.addAndGet(segment.byteSize()) <= POOL_BYTES_MAX) {
          POOL.get(shift - SMALLEST_SHIFT).offerFirst(segment);
        } else {
          POOLED_BYTES.addAndGet(-segment.byteSize());
        }
      }
    }
    taken.clear();
  }
}
