package io.gpdb.exec.emulated;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelVerifier;
import java.lang.foreign.MemorySegment;

/** The emulated device: runs every block on the calling thread by the reference executor. */
public final class EmulatedDevice implements Device {
  private final ExecutionCounters counters = new ExecutionCounters();
  private final EmulatedOptions options;

  public EmulatedDevice(EmulatedOptions options) {
    this.options = options;
  }

  @Override
  public String name() {
    return "emulated, " + options.workers() + " workers";
  }

  @Override
  public LoadedKernel load(Kernel kernel) {
    KernelVerifier.verify(kernel);
    return new Loaded(kernel, new ReferenceExecutor(kernel), counters);
  }

  @Override
  public ExecutionCounters counters() {
    return counters;
  }

  @Override
  public void close() {}

  private record Loaded(Kernel kernel, BlockProgram program, ExecutionCounters counters)
      implements LoadedKernel {
    @Override
    public void launch(int blocks, Arguments arguments) {
      MemorySegment[] buffers = arguments.boundBuffers();
      long[] scalars = arguments.boundScalars();
      BlockTraps traps = new BlockTraps();
      BlockPersists persists = new BlockPersists(buffers, arguments.persistTargets(), counters);
      counters.launched(blocks);
      for (int block = 0; block < blocks; block++) {
        program.runBlock(block, blocks, buffers, scalars, traps, persists, counters);
      }
      persists.endLaunch();
      traps.throwIfAny(kernel.name());
    }
  }
}
