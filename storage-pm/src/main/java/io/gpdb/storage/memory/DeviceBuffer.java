package io.gpdb.storage.memory;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that the kernels of a device reach. Whoever passes a buffer on, cuts it, or launches
 * kernels on it never sees where it is; {@link #onHost} is the only way to its bytes.
 */
public interface DeviceBuffer {
  long bytes();

  /** The memory that the buffer is of: only its device's kernels reach it. */
  DeviceMemory memory();

  /** The {@link DeviceMemory#part} that it is in; 0 where that is the host's memory. */
  default int part() {
    return 0;
  }

  /** A part of this buffer, which is freed with it. */
  DeviceBuffer slice(long offset, long bytes);

  default DeviceBuffer slice(long offset) {
    return slice(offset, bytes() - offset);
  }

  /** Whether the first byte's address is a multiple of that number of bytes. */
  boolean isAligned(int alignmentBytes);

  /** Whether kernels may store to it. */
  boolean isWritable();

  /**
   * The bytes for the host to read: the memory itself where the host reads it, otherwise a copy as
   * of now. What is stored to the result may or may not reach the buffer: nobody does.
   */
  HostBuffer onHost();

  /** As {@link #onHost()}; a copy is in the room, until that is asked for memory again. */
  default HostBuffer onHost(HostRoom room) {
    return onHost();
  }

  /** As {@link #onHost()} where there is a buffer. */
  static @Nullable HostBuffer onHostOrNull(@Nullable DeviceBuffer buffer) {
    return buffer == null ? null : buffer.onHost();
  }

  /** Has the host change some of the bytes: where they are, or in a copy that goes back. */
  void edit(Consumer<HostBuffer> change);

  default void fill(byte value) {
    memory().fill(this, value);
  }

  /** Copies bytes of another buffer to this one; either may be the host's, they do not overlap. */
  default void copyFrom(DeviceBuffer from, long fromOffset, long toOffset, long n) {
    DeviceMemory of = from instanceof HostBuffer ? memory() : from.memory();
    of.copy(from, fromOffset, this, toOffset, n);
  }
}
