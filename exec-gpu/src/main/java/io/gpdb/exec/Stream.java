package io.gpdb.exec;

import io.gpdb.storage.memory.DeviceBuffer;
import java.util.List;

/**
 * Launches and copies that a device carries out in the order in which they were given; whoever
 * hands them over goes on meanwhile. What is after a failure is not done. Used by one thread at a
 * time.
 */
public interface Stream extends AutoCloseable {
  /** What the groups' arguments and buffers are stays so until the next {@link #await}. */
  void launch(LoadedKernel kernel, List<LaunchGroup> groups);

  /** As {@link DeviceBuffer#copyFrom}: one of the two may be the host's. */
  void copy(DeviceBuffer from, long fromOffset, DeviceBuffer to, long toOffset, long bytes);

  /** Returns when everything given has ended; the first failure since the last call is thrown. */
  void await();

  /** Waits for what was given, whatever has become of it. */
  @Override
  void close();
}
