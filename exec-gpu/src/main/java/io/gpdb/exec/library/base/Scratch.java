package io.gpdb.exec.library.base;

import io.gpdb.storage.memory.HeldBlocks;
import io.gpdb.storage.memory.MemoryAccount;
import java.lang.foreign.MemorySegment;

/**
 * Off-heap memory for one launch or one operator, charged to the statement that the thread works
 * for, freed by {@link #close}. Contents are undefined when taken. Used by one thread at a time.
 */
public final class Scratch implements AutoCloseable {
  private final HeldBlocks blocks = new HeldBlocks(MemoryAccount.current());

  /** A segment of at least {@code bytes} bytes, aligned to 256; longer than asked, often. */
  public MemorySegment atLeast(long bytes) {
    return blocks.take(bytes);
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

  /** Frees a segment that {@link #atLeast} returned, before {@link #close}. */
  public void release(MemorySegment segment) {
    blocks.give(segment);
  }

  @Override
  public void close() {
    blocks.close();
  }
}
