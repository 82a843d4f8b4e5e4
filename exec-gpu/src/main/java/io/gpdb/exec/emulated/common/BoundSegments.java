package io.gpdb.exec.emulated.common;

import io.gpdb.exec.Arguments;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.MemorySegment;

/** What a launch's buffers are to kernels that run on the host: segments. */
public final class BoundSegments {
  private BoundSegments() {}

  /** In the kernel's order; buffers of another device's memory are refused. */
  public static MemorySegment[] of(Arguments arguments) {
    DeviceBuffer[] buffers = arguments.boundBuffers();
    MemorySegment[] segments = new MemorySegment[buffers.length];
    for (int i = 0; i < segments.length; i++) {
      if (!(buffers[i] instanceof HostBuffer host)) {
        throw new IllegalArgumentException(
            "kernel %s: argument %s is in the memory of another device"
                .formatted(arguments.kernel().name(), arguments.kernel().buffers().get(i).name()));
      }
      segments[i] = host.segment();
    }
    return segments;
  }
}
