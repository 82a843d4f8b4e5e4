package io.gpdb.exec.cuda;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kernel as the host runs it, for statements that work there. The host's memory is as the
 * launches before have left it: whatever of the GPU's takes part in it was waited for.
 */
final class HostKernel {
  private final Kernel kernel;
  private final Device host;
  private volatile @Nullable LoadedKernel loaded;

  HostKernel(Kernel kernel, Device host) {
    this.kernel = kernel;
    this.host = host;
  }

  /** Runs the groups, if the statement works on the host and the host reaches their buffers. */
  boolean launch(List<LaunchGroup> groups) {
    if (!MemoryAccount.current().worksOnHost()) {
      return false;
    }
    List<LaunchGroup> reached = new ArrayList<>(groups.size());
    for (LaunchGroup group : groups) {
      Arguments arguments = onHost(group.arguments());
      if (arguments == null) {
        return false;
      }
      reached.add(new LaunchGroup(group.blocks(), arguments, group.rows()));
    }
    loaded().launch(reached);
    return true;
  }

  /** The arguments with buffers of the host's memory; null where one is in the GPU's alone. */
  private @Nullable Arguments onHost(Arguments given) {
    DeviceBuffer[] buffers = given.boundBuffers();
    PersistTarget[] targets = given.persistTargets();
    long[] scalars = given.boundScalars();
    Arguments arguments = new Arguments(kernel);
    for (int i = 0; i < buffers.length; i++) {
      HostBuffer reached = onHost(buffers[i]);
      if (reached == null) {
        return null;
      }
      arguments.persistent(i, reached, targets[i]);
    }
    for (int i = 0; i < scalars.length; i++) {
      arguments.scalar(i, scalars[i]);
    }
    return arguments;
  }

  private static @Nullable HostBuffer onHost(DeviceBuffer buffer) {
    return switch (buffer) {
      case HostBuffer own -> own;
      case MappedView view -> view.onHost();
      case CudaBuffer copy -> copy.original();
      default -> null;
    };
  }

  private LoadedKernel loaded() {
    LoadedKernel known = loaded;
    if (known == null) {
      known = host.load(kernel);
      loaded = known;
    }
    return known;
  }
}
