package io.gpdb.exec.cuda;

import io.gpdb.exec.Device;
import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.Stream;
import io.gpdb.exec.emulated.common.ImmediateStream;
import io.gpdb.exec.emulated.common.ReadyKernels;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelVerifier;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.DeviceMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An NVIDIA GPU of compute capability 9.0 or later. Launches that use the GPU's memory alone, and
 * whose text does not trap, are not waited for: they follow each other in a {@link LaunchQueue}.
 * Others end before they return. Figures of the kernels' inside are not counted.
 *
 * <p>Statements that read few rows are left to the host, which has read them before the GPU has
 * been asked: as far as it reaches the buffers of their launches.
 */
public final class CudaDevice implements Device {
  private final CudaDriver driver;
  private final Device host;
  private final RegisteredPages pages;
  private final LaunchSlots slots;
  private final CudaMemory memory;
  private final long hostRows;
  private final LaunchCounters counters = new LaunchCounters();
  private final ReadyKernels<CudaKernel> kernels = new ReadyKernels<>(this::ready);

  /**
   * @param hostRows see {@link #hostRows}; null for what {@link HostRows} measures
   */
  CudaDevice(
      CudaDriver driver,
      RegisteredPages pages,
      LinkedMemories linked,
      Device host,
      @Nullable Long hostRows) {
    this.driver = driver;
    this.pages = pages;
    this.host = host;
    slots = new LaunchSlots(driver, pages, counters);
    DeviceBlocks blocks =
        new DeviceBlocks(
            driver,
            (address, bytes) ->
                slots.enqueue(stream -> driver.fill(address, (byte) 0, bytes, stream)));
    memory = new CudaMemory(driver, slots, blocks, pages, counters, linked);
    this.hostRows = hostRows == null ? HostRows.measured(slots, blocks) : hostRows;
  }

  /**
   * Opens a GPU.
   *
   * @param number from 0 on
   * @param host runs the host's kernels, and shares its work among threads; closed with this
   * @param hostRows rows up to which a plan's kernels are the host's; null for a measured number
   * @throws GpdbException CANNOT_OPEN with the reason in one line, where there is no such GPU
   */
  public static CudaDevice open(int number, Device host, @Nullable Long hostRows) {
    return open(CudaContext.of(number), new LinkedMemories(), host, hostRows);
  }

  /**
   * Opens several GPUs, each of whose kernels reach the memory of all.
   *
   * @param host makes what runs the host's kernels, for each of them
   * @throws GpdbException CANNOT_OPEN also where two of them do not reach each other's memory
   */
  public static List<Device> openLinked(
      List<Integer> numbers, Supplier<? extends Device> host, @Nullable Long hostRows) {
    List<CudaContext> gpus = numbers.stream().map(CudaContext::of).toList();
    CudaContext.link(gpus);
    LinkedMemories linked = new LinkedMemories();
    List<Device> opened = new ArrayList<>();
    try {
      gpus.forEach(gpu -> opened.add(open(gpu, linked, host.get(), hostRows)));
    } catch (RuntimeException | Error e) {
      opened.forEach(Device::close);
      throw e;
    }
    return opened;
  }

  private static CudaDevice open(
      CudaContext gpu, LinkedMemories linked, Device host, @Nullable Long hostRows) {
    NativeDriver driver = new NativeDriver(gpu);
    return new CudaDevice(driver, CudaContext.pages(), linked, host, hostRows);
  }

  /** How many GPUs there are; CANNOT_OPEN where that is not to be known. */
  public static int count() {
    return CudaContext.count();
  }

  @Override
  public String name() {
    return "CUDA, " + driver.description();
  }

  @Override
  public LoadedKernel load(Kernel kernel) {
    return kernels.of(kernel);
  }

  private CudaKernel ready(Kernel kernel) {
    KernelVerifier.verify(kernel);
    HostKernel onHost = new HostKernel(kernel, host);
    return new CudaKernel(kernel, driver, memory, pages, slots, counters, onHost);
  }

  @Override
  public long hostRows() {
    return hostRows;
  }

  @Override
  public void finish() {
    slots.finish();
  }

  @Override
  public DeviceMemory memory() {
    return memory;
  }

  /** What comes after a trap is not done, so that each launch is awaited. */
  @Override
  public Stream stream() {
    return new ImmediateStream();
  }

  @Override
  public ExecutionCounters counters() {
    return counters.all();
  }

  @Override
  public <T> T counted(ExecutionCounters into, Supplier<T> work) {
    return counters.apart(into, work);
  }

  @Override
  public void share(int pieces, IntConsumer piece) {
    host.share(pieces, piece);
  }

  @Override
  public void close() {
    try (driver;
        host;
        memory) {
      slots.close();
    }
  }
}
