package io.gpdb.simulation.explore;

import io.gpdb.exec.Device;
import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.Stream;
import io.gpdb.exec.emulated.common.ImmediateStream;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelVerifier;
import io.gpdb.exec.ir.Op;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostMemory;
import java.util.List;
import java.util.function.Supplier;

/** A device whose kernels run on the {@link LaunchExplorer}; it counts launches alone. */
public final class ExploringDevice implements Device {
  private final long seed;
  private final LaunchExplorer explorer;
  private final DeviceMemory memory;
  private final ExecutionCounters counters = new ExecutionCounters();

  /**
   * Interleaves warps as {@code seed} says, and reports to {@code listener} what they make persist.
   */
  public ExploringDevice(long seed, EffectListener listener) {
    this(seed, listener, HostMemory.INSTANCE);
  }

  /** With the databases on it in that memory. */
  public ExploringDevice(long seed, EffectListener listener, DeviceMemory memory) {
    this.seed = seed;
    this.explorer = new LaunchExplorer(seed, listener);
    this.memory = memory;
  }

  @Override
  public String name() {
    return "exploring, seed " + seed;
  }

  @Override
  public LoadedKernel load(Kernel kernel) {
    KernelVerifier.verify(kernel);
    return new Loaded(kernel);
  }

  private final class Loaded implements LoadedKernel {
    private final Kernel kernel;

    Loaded(Kernel kernel) {
      this.kernel = kernel;
    }

    @Override
    public Kernel kernel() {
      return kernel;
    }

    @Override
    public void launch(List<LaunchGroup> groups) {
      int blocks = LaunchGroup.blocksOf(kernel, groups);
      long blockWarps = (kernel.blockSize() + Op.WARP_LANES - 1L) / Op.WARP_LANES;
      counters.launched(blocks, blocks * blockWarps);
      explorer.launch(kernel, groups);
    }
  }

  @Override
  public DeviceMemory memory() {
    return memory;
  }

  @Override
  public Stream stream() {
    return new ImmediateStream();
  }

  @Override
  public ExecutionCounters counters() {
    return counters;
  }

  @Override
  public <T> T counted(ExecutionCounters into, Supplier<T> work) {
    return work.get();
  }

  @Override
  public void close() {}
}
