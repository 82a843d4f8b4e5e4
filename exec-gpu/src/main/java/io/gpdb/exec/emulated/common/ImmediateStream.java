package io.gpdb.exec.emulated.common;

import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.Stream;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A stream that does what it is given at once; a failure is kept until it is awaited. */
public final class ImmediateStream implements Stream {
  private @Nullable RuntimeException failure;

  @Override
  public void launch(LoadedKernel kernel, List<LaunchGroup> groups) {
    unlessFailed(() -> kernel.launch(groups));
  }

  @Override
  public void copy(DeviceBuffer from, long fromOffset, DeviceBuffer to, long toOffset, long bytes) {
    unlessFailed(() -> to.copyFrom(from, fromOffset, toOffset, bytes));
  }

  private void unlessFailed(Runnable work) {
    if (failure == null) {
      try {
        work.run();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
  }

  @Override
  public void await() {
    RuntimeException first = failure;
    failure = null;
    if (first != null) {
      throw first;
    }
  }

  @Override
  public void close() {}
}
