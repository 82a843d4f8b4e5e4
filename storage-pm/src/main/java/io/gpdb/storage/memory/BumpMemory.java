package io.gpdb.storage.memory;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Off-heap memory that only grows, is cut back to a mark, or freed whole. A piece is inside one
 * block of the account, never across two. Used by one thread at a time.
 */
public final class BumpMemory {
  static final int FIRST_CHUNK_BYTES = 16 << 10;
  static final int LATER_CHUNK_BYTES = 1 << 20;

  private final MemoryAccount account;
  private final boolean limited;
  private final List<MemorySegment> chunks = new ArrayList<>(0);

  /** Of all chunks but the last. */
  private final List<Long> usedBytes = new ArrayList<>(0);

  private long used;
  private long totalBytes;
  private long reservedBytes;

  /** A moment to go back to. */
  public record Mark(int chunkCount, long used, long totalBytes) {}

  public BumpMemory(MemoryAccount account) {
    this(account, true);
  }

  private BumpMemory(MemoryAccount account, boolean limited) {
    this.account = account;
    this.limited = limited;
  }

  /** One that takes what it needs whatever the limit. */
  public static BumpMemory unlimited(MemoryAccount account) {
    return new BumpMemory(account, false);
  }

  /** A piece of undefined content that starts at a multiple of {@code alignment} in its chunk. */
  public MemorySegment allocate(long bytes, int alignment) {
    long from = (used + alignment - 1) / alignment * alignment;
    if (chunks.isEmpty() || from + bytes > last().byteSize()) {
      open(bytes);
      from = 0;
    }
    totalBytes += from + bytes - used;
    used = from + bytes;
    return last().asSlice(from, bytes);
  }

  /** As {@link #allocate}, for kernels, too. */
  public HostBuffer buffer(long bytes, int alignment) {
    return account.memory().map(allocate(bytes, alignment));
  }

  private void open(long bytes) {
    if (!chunks.isEmpty()) {
      usedBytes.add(used);
    }
    long least = chunks.isEmpty() ? FIRST_CHUNK_BYTES : LATER_CHUNK_BYTES;
    long size = Math.max(bytes, least);
    MemorySegment chunk = limited ? account.take(size) : account.takeAnyway(size);
    chunks.add(chunk);
    reservedBytes += chunk.byteSize();
    used = 0;
  }

  private MemorySegment last() {
    return chunks.getLast();
  }

  public long totalBytes() {
    return totalBytes;
  }

  /** What is taken from the account. */
  public long reservedBytes() {
    return reservedBytes;
  }

  public int chunkCount() {
    return chunks.size();
  }

  /** The used part of a chunk. */
  public MemorySegment used(int chunk) {
    long bytes = chunk == chunks.size() - 1 ? used : usedBytes.get(chunk);
    return chunks.get(chunk).asSlice(0, bytes);
  }

  public Mark mark() {
    return new Mark(chunks.size(), used, totalBytes);
  }

  public void cutBack(Mark mark) {
    while (chunks.size() > mark.chunkCount()) {
      MemorySegment chunk = chunks.removeLast();
      reservedBytes -= chunk.byteSize();
      account.give(chunk);
      if (!usedBytes.isEmpty()) {
        usedBytes.removeLast();
      }
    }
    used = mark.used();
    totalBytes = mark.totalBytes();
  }

  public void free() {
    cutBack(new Mark(0, 0, 0));
  }
}
