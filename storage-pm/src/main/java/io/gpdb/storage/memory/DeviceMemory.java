package io.gpdb.storage.memory;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The memory of a device, and host memory that its kernels reach. What a method does comes before
 * all that is done later, by the host or by kernels; copies to the host have ended when it returns.
 * Thread-safe.
 */
public interface DeviceMemory {
  /**
   * The memory for what belongs together, as the chunks of a tablet do: that of one GPU, where
   * there are several. Neighbouring numbers are of different ones. Its blocks are this memory's.
   */
  default DeviceMemory part(int number) {
    return this;
  }

  /** How many of its {@link #part}s are different. */
  default int parts() {
    return 1;
  }

  /** What a database with this device cuts its host memory from. */
  default SlabSource slabs() {
    return SlabSource.SYSTEM;
  }

  /**
   * At least that number of bytes of the device's memory, of undefined content, aligned to 256
   * bytes, counted by the account; OUT_OF_MEMORY beyond its limit.
   */
  DeviceBuffer allocate(long bytes, CountedBlocks account);

  /** As {@link #allocate}, filled with zeros. */
  DeviceBuffer allocateZeroed(long bytes, CountedBlocks account);

  /**
   * As {@link #allocate}, in host memory that kernels reach and that is never paged out: for what
   * the host writes, or reads, value by value.
   */
  HostBuffer pin(long bytes, CountedBlocks account);

  /** Frees, as a whole, what {@link #allocate} or {@link #pin} returned for the same account. */
  void free(DeviceBuffer buffer, CountedBlocks account);

  /**
   * Host memory that kernels are to reach where it is, as a mapping of a file; good as long as the
   * segment is.
   */
  HostBuffer map(MemorySegment segment);

  /**
   * As {@link #map}, of bytes that stay as they are until {@link #unmap}: kernels may read a copy
   * of them, which is not counted.
   */
  default DeviceBuffer mapUnchanging(MemorySegment segment) {
    return map(segment);
  }

  /** Ends what {@link #mapUnchanging} began; nothing uses the buffer any more. */
  default void unmap(DeviceBuffer buffer) {}

  /**
   * Whether kernels may store to mapped files of a disk. Where they may not, they read them, and
   * what they change is written by the host.
   */
  default boolean storesToDiskFiles() {
    return true;
  }

  /** Whether all of it is the host's, so that nothing is faster to reach elsewhere. */
  default boolean isHosts() {
    return false;
  }

  /**
   * The content where kernels read it best, for as long as the result is reachable: tables of a
   * plan. The content is not changed any more; what it takes is not counted.
   */
  DeviceBuffer keep(HostBuffer content);

  /** Copies between buffers of this memory, or one of them and the host's. */
  void copy(DeviceBuffer from, long fromOffset, DeviceBuffer to, long toOffset, long bytes);

  /** A buffer, and as many bytes of the host that take its content. */
  record ToHost(DeviceBuffer from, HostBuffer to) {}

  /** Copies several buffers to the host; with one wait for those of this memory. */
  default void copyToHost(List<ToHost> copies) {
    for (ToHost each : copies) {
      each.to().copyFrom(each.from(), 0, 0, each.from().bytes());
    }
  }

  void fill(DeviceBuffer buffer, byte value);
}
