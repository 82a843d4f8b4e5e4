package io.gpdb.storage.memory;

/** Where results are to go: returns buffers of exactly that number of bytes, aligned to 256. */
public interface BufferAllocator {
  /** Of the device's memory. */
  DeviceBuffer allocate(long bytes);

  /** Of host memory that kernels reach: for what the host makes. */
  HostBuffer pin(long bytes);

  /** What the host has made, where kernels read it best; the host writes it no more. */
  default DeviceBuffer settled(HostBuffer made) {
    if (made.memory().isHosts()) {
      return made;
    }
    DeviceBuffer own = allocate(made.bytes());
    own.copyFrom(made, 0, 0, made.bytes());
    return own;
  }
}
