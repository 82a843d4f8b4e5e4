package io.gpdb.exec.cuda;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.KeptLaunch;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.Stream;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelVerifier;
import io.gpdb.storage.memory.DeviceMemory;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The CUDA device on a stub, which learns of each kernel before it is loaded. */
public final class AnnouncingDevice implements Device {
  private final StubDriver stub;
  private final CudaDevice device;
  private final AtomicInteger keptLaunches = new AtomicInteger();
  private final AtomicReference<@Nullable Runnable> beforeKept = new AtomicReference<>();

  /** On a stub of its own, which is given all kernels. */
  public AnnouncingDevice() {
    this(new StubDriver());
  }

  /** On a stub of its own; the host takes plans of up to {@code hostRows} rows. */
  public AnnouncingDevice(long hostRows) {
    this(new StubDriver(), hostRows);
  }

  AnnouncingDevice(StubDriver stub) {
    this(stub, 0L);
  }

  AnnouncingDevice(StubDriver stub, @Nullable Long hostRows) {
    this(stub, new RegisteredPages(stub), new LinkedMemories(), hostRows);
  }

  private AnnouncingDevice(
      StubDriver stub, RegisteredPages pages, LinkedMemories linked, @Nullable Long hostRows) {
    this.stub = stub;
    device =
        new CudaDevice(
            stub, pages, linked, new EmulatedDevice(EmulatedOptions.standard()), hostRows);
  }

  /** On stubs that reach each other's memory. */
  public static List<AnnouncingDevice> linked(int number, long hostRows) {
    StubDriver.Machine machine = new StubDriver.Machine();
    RegisteredPages pages = new RegisteredPages(new StubDriver(machine));
    LinkedMemories linked = new LinkedMemories();
    return IntStream.range(0, number)
        .mapToObj(i -> new AnnouncingDevice(new StubDriver(machine), pages, linked, hostRows))
        .toList();
  }

  @Override
  public LoadedKernel load(Kernel kernel) {
    KernelVerifier.verify(kernel);
    stub.announce(kernel);
    return new Counting(device.load(kernel));
  }

  /** Has the GPU fail for good after that number of the driver's calls. */
  public void failAfter(long calls) {
    stub.failAfter(calls);
  }

  public boolean hasFailed() {
    return stub.hasFailed();
  }

  /** How often groups were launched that had been kept. */
  public int keptLaunches() {
    return keptLaunches.get();
  }

  /** Has the work done once, before the next launch of groups that were kept. */
  public void beforeKeptLaunch(Runnable work) {
    beforeKept.set(work);
  }

  /** Counts launches of kept groups. */
  private final class Counting implements LoadedKernel {
    private final LoadedKernel kernel;

    Counting(LoadedKernel kernel) {
      this.kernel = kernel;
    }

    @Override
    public Kernel kernel() {
      return kernel.kernel();
    }

    @Override
    public void launch(List<LaunchGroup> groups) {
      kernel.launch(groups);
    }

    @Override
    public void enqueue(List<LaunchGroup> groups) {
      kernel.enqueue(groups);
    }

    @Override
    public @Nullable KeptLaunch keep(List<LaunchGroup> groups) {
      KeptLaunch kept = kernel.keep(groups);
      return kept == null
          ? null
          : new KeptLaunch() {
            @Override
            public boolean enqueue(Arguments first) {
              Runnable before = beforeKept.getAndSet(null);
              if (before != null) {
                before.run();
              }
              boolean launched = kept.enqueue(first);
              if (launched) {
                keptLaunches.incrementAndGet();
              }
              return launched;
            }

            @Override
            public boolean isCurrent() {
              return kept.isCurrent();
            }
          };
    }
  }

  @Override
  public String name() {
    return device.name();
  }

  @Override
  public long hostRows() {
    return device.hostRows();
  }

  @Override
  public void finish() {
    device.finish();
  }

  @Override
  public DeviceMemory memory() {
    return device.memory();
  }

  @Override
  public Stream stream() {
    return device.stream();
  }

  @Override
  public ExecutionCounters counters() {
    return device.counters();
  }

  @Override
  public <T> T counted(ExecutionCounters counters, Supplier<T> work) {
    return device.counted(counters, work);
  }

  @Override
  public void close() {
    device.close();
  }
}
