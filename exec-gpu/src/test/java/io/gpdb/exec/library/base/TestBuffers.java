package io.gpdb.exec.library.base;

import io.gpdb.storage.memory.BufferAllocator;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.HostMemory;
import java.lang.foreign.MemorySegment;

/** Buffers of host memory for tests; they live as long as somebody refers to them. */
public final class TestBuffers {
  /** For results. */
  public static final BufferAllocator COLLECTED =
      new BufferAllocator() {
        @Override
        public DeviceBuffer allocate(long bytes) {
          return HostBuffer.collected(bytes);
        }

        @Override
        public HostBuffer pin(long bytes) {
          return HostBuffer.collected(bytes);
        }
      };

  private TestBuffers() {}

  public static HostBuffer of(MemorySegment segment) {
    return HostMemory.INSTANCE.map(segment);
  }
}
