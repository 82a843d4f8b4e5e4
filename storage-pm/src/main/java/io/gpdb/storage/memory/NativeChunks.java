package io.gpdb.storage.memory;

import com.sun.management.OperatingSystemMXBean;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pool of off-heap memory in chunks of 2^k bytes. What is given back beyond {@link
 * #POOLED_BYTES_MAX} is freed at once. Thread-safe.
 *
 * <p>What is in use has a limit, by default half of the machine's memory: so that a huge
 * transaction fails, and not the process.
 */
public final class NativeChunks implements AutoCloseable {
  static final long POOLED_BYTES_MAX = 8L << 20;
  static final int SMALLEST_SHIFT = 12;

  /** Below this nobody asks how much memory the machine has. */
  private static final long LITTLE_BYTES = 256L << 20;

  private static final long UNKNOWN = -1;
  private static final int LARGEST_SHIFT = 62;
  private static final long ALIGNMENT_BYTES = 256;

  private final List<ArrayDeque<NativeChunk>> shelves = new ArrayList<>();
  private long pooledBytes;
  private long usedBytes;
  private long limitBytes = UNKNOWN;

  /** One piece of memory; its contents are undefined when taken. */
  public record NativeChunk(Arena arena, MemorySegment segment) {
    public long bytes() {
      return segment.byteSize();
    }
  }

  public NativeChunks() {
    for (int shift = SMALLEST_SHIFT; shift <= LARGEST_SHIFT; shift++) {
      shelves.add(new ArrayDeque<>());
    }
  }

  public synchronized void limit(long bytes) {
    limitBytes = bytes;
  }

  public synchronized long limitBytes() {
    if (limitBytes == UNKNOWN) {
      limitBytes = Machine.BYTES / 2;
    }
    return limitBytes;
  }

  /** What was taken and not given back. */
  public synchronized long usedBytes() {
    return usedBytes;
  }

  /** Asked once in a process: the answer is read from files of the system. */
  private static final class Machine {
    static final long BYTES =
        ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean machine
            ? machine.getTotalMemorySize()
            : Long.MAX_VALUE;
  }

  /** A chunk of at least so many bytes; throws OUT_OF_MEMORY beyond the limit. */
  public NativeChunk take(long bytes) {
    return take(shift(bytes), true);
  }

  /** As {@link #take}, whatever the limit: for small things that commits and recovery need. */
  public NativeChunk takeAnyway(long bytes) {
    return take(shift(bytes), false);
  }

  private static int shift(long bytes) {
    return Math.max(SMALLEST_SHIFT, 64 - Long.numberOfLeadingZeros(Math.max(1, bytes) - 1));
  }

  private NativeChunk take(int shift, boolean limited) {
    synchronized (this) {
      long used = usedBytes + (1L << shift);
      if (limited && isTooMuch(used)) {
        throw noMemory(1L << shift, null);
      }
      usedBytes = used;
      NativeChunk pooled = shelves.get(shift - SMALLEST_SHIFT).pollLast();
      if (pooled != null) {
        pooledBytes -= pooled.bytes();
        return pooled;
      }
    }
    try {
      return allocate(1L << shift);
    } catch (OutOfMemoryError first) {
      close();
      try {
        return allocate(1L << shift);
      } catch (OutOfMemoryError second) {
        synchronized (this) {
          usedBytes -= 1L << shift;
          throw noMemory(1L << shift, second);
        }
      }
    }
  }

  private boolean isTooMuch(long used) {
    return limitBytes == UNKNOWN ? used > LITTLE_BYTES && used > limitBytes() : used > limitBytes;
  }

  private static NativeChunk allocate(long bytes) {
    Arena arena = Arena.ofShared();
    try {
      return new NativeChunk(arena, SystemMemory.allocate(arena, bytes, ALIGNMENT_BYTES));
    } catch (OutOfMemoryError e) {
      arena.close();
      throw e;
    }
  }

  private GpdbException noMemory(long bytes, @Nullable OutOfMemoryError cause) {
    String message =
        "no memory for undo versions and logs: bytes=%d, usedBytes=%d, limitBytes=%d"
            .formatted(bytes, usedBytes, limitBytes);
    return cause == null
        ? new GpdbException(ErrorCode.OUT_OF_MEMORY, message)
        : new GpdbException(ErrorCode.OUT_OF_MEMORY, message, cause);
  }

  public void give(NativeChunk chunk) {
    synchronized (this) {
      usedBytes -= chunk.bytes();
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
  @Override
  public synchronized void close() {
    shelves.forEach(
        shelf -> {
          shelf.forEach(chunk -> chunk.arena().close());
          shelf.clear();
        });
    pooledBytes = 0;
  }
}
