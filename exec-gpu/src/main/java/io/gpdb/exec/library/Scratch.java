package io.gpdb.exec.library;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Off-heap memory for one launch or one operator, taken from a process-wide pool and given back by
 * {@link #close}. Contents are undefined when taken. Used by one thread at a time.
 *
 * <p>The pool keeps segments of 2^k bytes, at most {@link #POOL_BYTES_MAX} in all; what does not
 * fit is left to the garbage collector.
 */
final class Scratch implements AutoCloseable {
  static final long POOL_BYTES_MAX = 256L << 20;

  private static final int SMALLEST_SHIFT = 12;
  private static final int LARGEST_SHIFT = 26;
  private static final long ALIGNMENT_BYTES = 256;
  private static final List<ConcurrentLinkedDeque<MemorySegment>> POOL = pool();
  private static final AtomicLong POOLED_BYTES = new AtomicLong();

  private final List<MemorySegment> taken = new ArrayList<>();

  private static List<ConcurrentLinkedDeque<MemorySegment>> pool() {
    List<ConcurrentLinkedDeque<MemorySegment>> shelves = new ArrayList<>();
    for (int shift = SMALLEST_SHIFT; shift <= LARGEST_SHIFT; shift++) {
      shelves.add(new ConcurrentLinkedDeque<>());
    }
    return shelves;
  }

  /** A segment of at least {@code bytes} bytes, aligned to 256; longer than asked, often. */
  MemorySegment atLeast(long bytes) {
    int shift = Math.max(SMALLEST_SHIFT, 64 - Long.numberOfLeadingZeros(Math.max(1, bytes) - 1));
    MemorySegment segment = null;
    if (shift <= LARGEST_SHIFT) {
      segment = POOL.get(shift - SMALLEST_SHIFT).pollFirst();
    }
    if (segment == null) {
      segment = Arena.ofAuto().allocate(1L << shift, ALIGNMENT_BYTES);
    } else {
      POOLED_BYTES.addAndGet(-segment.byteSize());
    }
    taken.add(segment);
    return segment;
  }

  /** Exactly {@code bytes} bytes. */
  MemorySegment bytes(long bytes) {
    return atLeast(bytes).asSlice(0, bytes);
  }

  /** {@code count} i32 elements. */
  MemorySegment ints(long count) {
    return bytes(count << 2);
  }

  /** {@code count} i64 elements. */
  MemorySegment longs(long count) {
    return bytes(count << 3);
  }

  /** Gives back a segment that {@link #atLeast} returned, before {@link #close}. */
  void release(MemorySegment segment) {
    if (taken.remove(segment)) {
      giveBack(segment);
    }
  }

  @Override
  public void close() {
    taken.forEach(Scratch::giveBack);
    taken.clear();
  }

  private static void giveBack(MemorySegment segment) {
    int shift = Long.numberOfTrailingZeros(segment.byteSize());
    if (shift <= LARGEST_SHIFT && POOLED_BYTES.addAndGet(segment.byteSize()) <= POOL_BYTES_MAX) {
      POOL.get(shift - SMALLEST_SHIFT).offerFirst(segment);
    } else if (shift <= LARGEST_SHIFT) {
      POOLED_BYTES.addAndGet(-segment.byteSize());
    }
  }
}
