package io.gpdb.exec.library.base;

import io.gpdb.storage.memory.BufferAllocator;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HeldBlocks;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;

/**
 * Off-heap memory for one launch or one operator, charged to the statement that the thread works
 * for, freed by {@link #close}. Contents are undefined when taken. Used by one thread at a time.
 */
public final class Scratch implements BufferAllocator, AutoCloseable {
  private final HeldBlocks blocks = new HeldBlocks(MemoryAccount.current());

  /** A buffer of at least {@code bytes} bytes, aligned to 256; longer than asked, often. */
  public DeviceBuffer atLeast(long bytes) {
    return blocks.allocate(bytes);
  }

  /** Exactly {@code bytes} bytes. */
  @Override
  public DeviceBuffer allocate(long bytes) {
    return atLeast(bytes).slice(0, bytes);
  }

  /** As {@link #allocate(long)}, in a part of the device's memory. */
  public DeviceBuffer allocate(long bytes, int part) {
    return blocks.allocate(bytes, part).slice(0, bytes);
  }

  @Override
  public HostBuffer pin(long bytes) {
    return blocks.pin(bytes).slice(0, bytes);
  }

  /** {@code count} i32 elements. */
  public DeviceBuffer ints(long count) {
    return allocate(count << 2);
  }

  /** {@code count} i64 elements. */
  public DeviceBuffer longs(long count) {
    return allocate(count << 3);
  }

  /** Frees a buffer that {@link #atLeast} returned, before {@link #close}. */
  public void release(DeviceBuffer buffer) {
    blocks.give(buffer);
  }

  @Override
  public void close() {
    blocks.close();
  }
}
