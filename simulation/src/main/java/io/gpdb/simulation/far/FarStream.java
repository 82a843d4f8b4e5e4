package io.gpdb.simulation.far;

import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.Stream;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/** Keeps what it is given until it is awaited. */
final class FarStream implements Stream {
  private final Queue<Runnable> given = new ArrayDeque<>();

  @Override
  public void launch(LoadedKernel kernel, List<LaunchGroup> groups) {
    given.add(() -> kernel.launch(groups));
  }

  @Override
  public void copy(DeviceBuffer from, long fromOffset, DeviceBuffer to, long toOffset, long bytes) {
    given.add(() -> to.copyFrom(from, fromOffset, toOffset, bytes));
  }

  @Override
  public void await() {
    try {
      while (!given.isEmpty()) {
        given.remove().run();
      }
    } finally {
      given.clear();
    }
  }

  @Override
  public void close() {
    try {
      await();
    } catch (RuntimeException e) {
      // whoever wants to know of a failure awaits it
    }
  }
}
