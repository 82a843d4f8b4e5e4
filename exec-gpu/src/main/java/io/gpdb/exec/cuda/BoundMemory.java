package io.gpdb.exec.cuda;

import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * How many bytes of the GPU's memory a launch was given: what its kernel reads and writes there if
 * it takes every value once. Bytes that several groups have are counted once.
 */
final class BoundMemory {
  private final Map<Long, Long> bytesAt = new HashMap<>();

  /**
   * Adds a buffer.
   *
   * @param address as kernels reach it: of a buffer of the host's, perhaps that of a copy
   */
  void add(DeviceBuffer buffer, long address) {
    boolean isHosts = buffer instanceof HostBuffer host && host.segment().address() == address;
    if (!isHosts) {
      bytesAt.merge(address, buffer.bytes(), Math::max);
    }
  }

  long bytes() {
    return bytesAt.values().stream().mapToLong(Long::longValue).sum();
  }
}
