package io.gpdb.storage.memory;

/**
 * Host memory for copies of a device's buffers that are read one after the other. A fresh copy of a
 * chunk costs as much for its pages as for its bytes. Used by one thread.
 */
public final class HostRoom {
  private static final long BYTES_MIN = 64 << 10;

  private HostBuffer memory = HostBuffer.NONE;

  /** Memory of that size, which has what was asked for before. */
  public HostBuffer of(long bytes) {
    if (memory.bytes() < bytes) {
      memory = HostBuffer.collected(Math.max(BYTES_MIN, Long.highestOneBit(bytes - 1) << 1));
    }
    return memory.slice(0, bytes);
  }
}
