package io.gpdb.exec.library.base;

import io.gpdb.storage.memory.SystemMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Off-heap memory for one launch or one operator, given back by {@link #close}. Contents are
 * undefined when taken. Used by one thread at a time.
 *
 * <p>Up to 2^{@value #LARGEST_SHIFT} bytes a segment comes from a process-wide pool of segments of
 * 2^k bytes, which keeps at most {@value #POOL_BYTES_MAX} bytes; a larger one has an arena of its
 * own.
 */
public final class Scratch implements AutoCloseable {
  static final long POOL_BYTES_MAX = 256L << 20;

  private static final int SMALLEST_SHIFT = 12;
  private static final int LARGEST_SHIFT = 24;
  private static final long ALIGNMENT_BYTES = 256;
  private static final List<ConcurrentLinkedDeque<MemorySegment>> POOL = pool();
  private static final AtomicLong POOLED_BYTES = new AtomicLong();

  private final List<Taken> taken = new ArrayList<>();

  /** A segment in use; the arena is null when it is the pool's. */
  private record Taken(MemorySegment segment, @Nullable Arena arena) {
    void giveBack() {
      if (arena != null) {
        arena.close();
      } else if (POOLED_BYTES.addAndGet(segment.byteSize()) <= POOL_BYTES_MAX) {
        shelf(segment.byteSize()).offerFirst(segment);
      } else {
        POOLED_BYTES.addAndGet(-segment.byteSize());
      }
    }
  }

  private static List<ConcurrentLinkedDeque<MemorySegment>> pool() {
    List<ConcurrentLinkedDeque<MemorySegment>> shelves = new ArrayList<>();
    for (int shift = SMALLEST_SHIFT; shift <= LARGEST_SHIFT; shift++) {
      shelves.add(new ConcurrentLinkedDeque<>());
    }
    return shelves;
  }

  private static ConcurrentLinkedDeque<MemorySegment> shelf(long bytes) {
    return POOL.get(Long.numberOfTrailingZeros(bytes) - SMALLEST_SHIFT);
  }

  /** A segment of at least {@code bytes} bytes, aligned to 256; longer than asked, often. */
  public MemorySegment atLeast(long bytes) {
    if (bytes > 1L << LARGEST_SHIFT) {
      Arena arena = Arena.ofShared();
      taken.add(new Taken(SystemMemory.allocate(arena, bytes, ALIGNMENT_BYTES), arena));
    } else {
      long rounded = Math.max(1L << SMALLEST_SHIFT, Long.highestOneBit(bytes * 2 - 1));
      MemorySegment pooled = shelf(rounded).pollFirst();
      if (pooled == null) {
        pooled = SystemMemory.allocate(Arena.ofAuto(), rounded, ALIGNMENT_BYTES);
      } else {
        POOLED_BYTES.addAndGet(-rounded);
      }
      taken.add(new Taken(pooled, null));
    }
    return taken.getLast().segment();
  }

  /** Exactly {@code bytes} bytes. */
  public MemorySegment bytes(long bytes) {
    return atLeast(bytes).asSlice(0, bytes);
  }

  /** {@code count} i32 elements. */
  public MemorySegment ints(long count) {
    return bytes(count << 2);
  }

  /** {@code count} i64 elements. */
  public MemorySegment longs(long count) {
    return bytes(count << 3);
  }

  /** Gives back a segment that {@link #atLeast} returned, before {@link #close}. */
  public void release(MemorySegment segment) {
    for (int i = 0; i < taken.size(); i++) {
      if (taken.get(i).segment().equals(segment)) {
        taken.remove(i).giveBack();
        return;
      }
    }
  }

  @Override
  public void close() {
    taken.forEach(Taken::giveBack);
    taken.clear();
  }
}
