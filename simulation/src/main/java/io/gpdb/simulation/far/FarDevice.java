package io.gpdb.simulation.far;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.Stream;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostMemory;
import java.util.List;
import java.util.function.Supplier;

/**
 * A device with a {@link FarMemory} of its own; another device runs the kernels. Its streams do
 * nothing before they are awaited, the latest that a stream may.
 */
public final class FarDevice implements Device {
  private final Device runner;
  private final FarMemory memory;

  /**
   * @param runner runs kernels on host memory; closed with this
   */
  public FarDevice(Device runner) {
    this(runner, new FarMachine());
  }

  /**
   * @param machine the devices of one machine reach each other's memory
   */
  public FarDevice(Device runner, FarMachine machine) {
    this.runner = runner;
    memory = new FarMemory(machine);
  }

  @Override
  public String name() {
    return "far, " + runner.name();
  }

  @Override
  public LoadedKernel load(Kernel kernel) {
    return new FarKernel(runner.load(kernel));
  }

  private final class FarKernel implements LoadedKernel {
    private final LoadedKernel inner;

    FarKernel(LoadedKernel inner) {
      this.inner = inner;
    }

    @Override
    public Kernel kernel() {
      return inner.kernel();
    }

    @Override
    public void launch(List<LaunchGroup> groups) {
      inner.launch(
          groups.stream()
              .map(g -> new LaunchGroup(g.blocks(), reached(g.arguments()), g.rows()))
              .toList());
    }
  }

  /** The same bindings, as the device that runs the kernels takes them. */
  private Arguments reached(Arguments given) {
    Kernel kernel = given.kernel();
    Arguments arguments = new Arguments(kernel);
    DeviceBuffer[] buffers = given.boundBuffers();
    PersistTarget[] targets = given.persistTargets();
    for (int i = 0; i < buffers.length; i++) {
      String place = "kernel " + kernel.name() + ": argument " + kernel.buffers().get(i).name();
      arguments.persistent(
          i, HostMemory.INSTANCE.map(memory.reached(buffers[i], place)), targets[i]);
    }
    long[] scalars = given.boundScalars();
    for (int i = 0; i < scalars.length; i++) {
      arguments.scalar(i, scalars[i]);
    }
    return arguments;
  }

  @Override
  public FarMemory memory() {
    return memory;
  }

  @Override
  public Stream stream() {
    return new FarStream();
  }

  @Override
  public ExecutionCounters counters() {
    return runner.counters();
  }

  @Override
  public <T> T counted(ExecutionCounters counters, Supplier<T> work) {
    return runner.counted(counters, work);
  }

  @Override
  public void close() {
    runner.close();
  }
}
