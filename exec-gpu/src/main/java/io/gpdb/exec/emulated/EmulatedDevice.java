package io.gpdb.exec.emulated;

import io.gpdb.exec.Device;
import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.Stream;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.emulated.common.ImmediateStream;
import io.gpdb.exec.emulated.common.ReadyKernels;
import io.gpdb.exec.emulated.compiled.KeptLanes;
import io.gpdb.exec.emulated.interpreted.Practice;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelVerifier;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostMemory;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * The device that every machine has: runs the blocks of a launch on the launching thread and, from
 * {@link #BLOCKS_ALONE_MAX} blocks on, on helper threads. Equal kernels share one program.
 */
public final class EmulatedDevice implements Device {
  /**
   * Launches of up to this number of blocks of rows for each group stay on the launching thread.
   */
  static final int BLOCKS_ALONE_MAX = 4;

  /** Of several groups with so few blocks each, those of up to this number of rows together. */
  static final int GROUPED_ROWS_ALONE_MAX = 200_000;

  /** The counters of the work in hand, where it is to be counted apart. */
  static final ScopedValue<ExecutionCounters> COUNTED = ScopedValue.newInstance();

  private final ExecutionCounters counters = new ExecutionCounters();
  private final EmulatedOptions options;
  private final HostMemory memory;
  private final LaunchPool pool;
  private final KeptLanes kept;
  private final ReadyKernels<EmulatedKernel> kernels = new ReadyKernels<>(this::ready);

  public EmulatedDevice(EmulatedOptions options) {
    this(options, HostMemory.INSTANCE);
  }

  /**
   * @param memory what its kernels reach; the host reaches it too
   */
  public EmulatedDevice(EmulatedOptions options, HostMemory memory) {
    this.options = options;
    this.memory = memory;
    this.pool = new LaunchPool(options.workers());
    this.kept = new KeptLanes(options.workers());
  }

  @Override
  public String name() {
    return "emulated, " + options.workers() + " workers";
  }

  @Override
  public LoadedKernel load(Kernel kernel) {
    return kernels.of(kernel);
  }

  private EmulatedKernel ready(Kernel kernel) {
    KernelVerifier.verify(kernel);
    return new EmulatedKernel(
        kernel,
        new ProgramChoice(kernel, options, pool::background),
        pool,
        counters,
        options,
        kept);
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
    return ScopedValue.where(COUNTED, into).call(work::get);
  }

  @Override
  public void share(int pieces, IntConsumer piece) {
    pool.run(new HostWork(pieces, piece));
  }

  /** Where every kernel runs compiled, or none does, the interpreted loops are of no use. */
  @Override
  public void expectScans() {
    if (options.mode() == Mode.AUTO) {
      int processors = Math.min(options.workers(), Runtime.getRuntime().availableProcessors());
      Practice.OF_PROCESS.begin(processors, memory.slabs());
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
