package io.gpdb.storage.memory;

import java.util.function.LongFunction;

/**
 * Host memory for copies of a device's buffers that are read one after the other. A fresh copy of a
 * chunk costs as much for its pages as for its bytes. Memory of an account the device reaches by
 * itself; what else the host has, its driver reaches by way of a copy. Used by one thread.
 */
public final class HostRoom {
  private static final long BYTES_MIN = 64 << 10;

  private final LongFunction<HostBuffer> source;
  private HostBuffer memory = HostBuffer.NONE;

  /** One that lives as long as somebody refers to it; not counted. */
  public HostRoom() {
    this(HostBuffer::collected);
  }

  /**
   * @param source returns memory of at least that size, as {@link BumpMemory#buffer} does, which is
   *     freed by whoever has it
   */
  public HostRoom(LongFunction<HostBuffer> source) {
    this.source = source;
  }

  /** Memory of that size, which has what was asked for before. */
  public HostBuffer of(long bytes) {
    if (memory.bytes() < bytes) {
      memory = source.apply(Math.max(BYTES_MIN, Long.highestOneBit(bytes - 1) << 1));
    }
    return memory.slice(0, bytes);
  }
}
