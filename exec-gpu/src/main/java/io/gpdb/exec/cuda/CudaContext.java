package io.gpdb.exec.cuda;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A GPU as this process uses it. It is made once and stays: making it takes a quarter of a second.
 * Before each call its context is made that of the calling thread, which may have been another's
 * before.
 *
 * <p>A fault in a kernel is for good: the process gets nothing from the GPU any more. Each later
 * call fails with the first fault's text.
 */
final class CudaContext {
  private static final String LIBRARY = "libcuda.so.1";
  private static final int NAME_BYTES_MAX = 256;
  private static final int COMPUTE_CAPABILITY_MAJOR = 75;
  private static final int COMPUTE_CAPABILITY_LEAST = 9;
  private static final int OUT_OF_MEMORY = 2;
  private static final int PEER_ACCESS_ENABLED_BEFORE = 704;

  /**
   * Threads that wait for the GPU let others run. As the driver has it otherwise, each takes a
   * processor while it waits, which is for milliseconds where several processes use the GPU.
   */
  private static final int SCHEDULING_YIELD = 2;

  /** Of a GPU's memory: its clock in kHz, and the width of its bus in bits. */
  private static final int[] MEMORY_ATTRIBUTES = {36, 37};

  /** Of two GPUs: loads and stores of the other's memory, and atomic operations on it. */
  private static final int[] PEER_ATTRIBUTES = {2, 3};

  /**
   * What the context keeps: an illegal address, a launch that took too long, the context's end, an
   * assertion, faults of the stack, of instructions and of addresses, a failed launch.
   */
  private static final Set<Integer> FAULTS =
      Set.of(700, 702, 709, 710, 714, 715, 716, 717, 718, 719);

  /** By the GPUs' numbers; guarded by itself. */
  private static final Map<Integer, CudaContext> OPENED = new HashMap<>();

  /** Of all GPUs, which reach the host's registered memory alike. */
  private static final RegisteredPages PAGES = new RegisteredPages(new OpenedPages());

  final CudaLibrary calls;
  private final int device;
  private final long handle;
  private final long memoryBytes;
  private final String description;
  private final long bandwidth;
  private volatile @Nullable String fault;

  private CudaContext(
      CudaLibrary calls,
      int device,
      long handle,
      long memoryBytes,
      long bandwidth,
      String description) {
    this.calls = calls;
    this.device = device;
    this.memoryBytes = memoryBytes;
    this.bandwidth = bandwidth;
    this.handle = handle;
    this.description = description;
  }

  /**
   * The GPU of that number, from 0 on.
   *
   * @throws GpdbException CANNOT_OPEN with the reason in one line
   */
  static CudaContext of(int number) {
    synchronized (OPENED) {
      CudaContext known = OPENED.get(number);
      if (known != null && known.hasFailed()) {
        throw cannot("GPU %d failed, until a new process: %s".formatted(number, known.fault), null);
      }
      if (known == null) {
        known = open(number);
        OPENED.put(number, known);
      }
      return known;
    }
  }

  /** Any GPU that has not failed registers pages for all of them. */
  private static final class OpenedPages implements HostPages {
    private static NativeDriver driver() {
      synchronized (OPENED) {
        CudaContext any = null;
        for (CudaContext each : OPENED.values()) {
          any = any == null || any.hasFailed() ? each : any;
        }
        if (any == null) {
          throw new IllegalStateException("no GPU is open");
        }
        return new NativeDriver(any);
      }
    }

    @Override
    public boolean register(long address, long bytes, boolean readOnly) {
      return driver().register(address, bytes, readOnly);
    }

    @Override
    public void unregister(long address) {
      driver().unregister(address);
    }
  }

  /** How many GPUs there are. */
  static int count() {
    return count(library(), answer(Long.BYTES));
  }

  private static int count(CudaLibrary calls, MemorySegment out) {
    require(calls, calls.init, calls.init.run(0));
    require(calls, calls.count, calls.count.run(out.address()));
    return out.get(ValueLayout.JAVA_INT, 0);
  }

  /**
   * Has the kernels of each of these GPUs reach the memory of the others.
   *
   * @throws GpdbException CANNOT_OPEN where two of them are not linked so
   */
  static void link(List<CudaContext> gpus) {
    for (CudaContext from : gpus) {
      for (CudaContext to : gpus) {
        if (from != to) {
          from.reach(to);
        }
      }
    }
  }

  private void reach(CudaContext other) {
    MemorySegment out = answer(Long.BYTES);
    for (int attribute : PEER_ATTRIBUTES) {
      NativeCall asked = calls.peerAttribute;
      require(calls, asked, asked.run(out.address(), attribute, device, other.device));
      if (out.get(ValueLayout.JAVA_INT, 0) == 0) {
        throw cannot(
            "GPU %d does not reach the memory of GPU %d".formatted(device, other.device), null);
      }
    }
    enter();
    int result = calls.enablePeer.run(other.handle, 0);
    if (result != PEER_ACCESS_ENABLED_BEFORE) {
      require(calls, calls.enablePeer, result);
    }
  }

  private static CudaContext open(int number) {
    CudaLibrary calls = library();
    MemorySegment out = answer(NAME_BYTES_MAX);
    int count = count(calls, out);
    if (number < 0 || number >= count) {
      throw cannot("there is no GPU %d, their number is %d".formatted(number, count), null);
    }
    require(calls, calls.get, calls.get.run(out.address(), number));
    int device = out.get(ValueLayout.JAVA_INT, 0);
    long memoryBytes = memoryBytes(calls, device, out);
    String description = describe(calls, device, memoryBytes, out);
    long bandwidth = bandwidth(calls, device, out);
    // Refused where other code of the process has the GPU: its way of waiting is as good.
    int _ = calls.scheduling.run(device, SCHEDULING_YIELD);
    require(calls, calls.retain, calls.retain.run(out.address(), device));
    long handle = out.get(ValueLayout.JAVA_LONG, 0);
    return new CudaContext(calls, device, handle, memoryBytes, bandwidth, description);
  }

  /** For what a call stores; no thread owns it, as in {@link CallMemory}. */
  private static MemorySegment answer(long bytes) {
    return Arena.ofAuto().allocate(bytes, Long.BYTES);
  }

  @SuppressWarnings("restricted") // a library is looked up by its name
  private static CudaLibrary library() {
    try {
      return new CudaLibrary(SymbolLookup.libraryLookup(LIBRARY, Arena.global()));
    } catch (IllegalArgumentException | NoSuchElementException e) {
      throw cannot("no usable " + LIBRARY + " (NVIDIA's driver)", e);
    } catch (IllegalCallerException e) {
      throw cannot("start java with --enable-native-access=ALL-UNNAMED", e);
    }
  }

  private static long memoryBytes(CudaLibrary calls, int device, MemorySegment out) {
    require(calls, calls.totalMemory, calls.totalMemory.run(out.address(), device));
    return out.get(ValueLayout.JAVA_LONG, 0);
  }

  /** Two transfers of the bus's width at each tick of the memory's clock. */
  private static long bandwidth(CudaLibrary calls, int device, MemorySegment out) {
    long product = 2 * 1000 / Byte.SIZE;
    for (int attribute : MEMORY_ATTRIBUTES) {
      boolean isKnown = calls.attribute.run(out.address(), attribute, device) == 0;
      product *= isKnown ? out.get(ValueLayout.JAVA_INT, 0) : 0;
    }
    return product;
  }

  private static String describe(
      CudaLibrary calls, int device, long memoryBytes, MemorySegment out) {
    long to = out.address();
    require(calls, calls.attribute, calls.attribute.run(to, COMPUTE_CAPABILITY_MAJOR, device));
    int capability = out.get(ValueLayout.JAVA_INT, 0);
    require(calls, calls.name, calls.name.run(to, NAME_BYTES_MAX, device));
    String name = out.getString(0);
    if (capability < COMPUTE_CAPABILITY_LEAST) {
      throw cannot(
          "%s has compute capability %d, needed is %d"
              .formatted(name, capability, COMPUTE_CAPABILITY_LEAST),
          null);
    }
    return "%s, %d MiB".formatted(name, memoryBytes >> 20);
  }

  private static void require(CudaLibrary calls, NativeCall call, int result) {
    if (result != 0) {
      throw cannot(call.name() + " returned " + text(calls, result), null);
    }
  }

  private static GpdbException cannot(String reason, @Nullable Throwable cause) {
    return new GpdbException(ErrorCode.CANNOT_OPEN, "no CUDA device: " + reason, cause);
  }

  @SuppressWarnings("restricted") // the driver returns the address of a text
  private static String text(CudaLibrary calls, int result) {
    MemorySegment out = answer(Long.BYTES);
    if (calls.errorName.run(result, out.address()) != 0) {
      return String.valueOf(result);
    }
    MemorySegment name = MemorySegment.ofAddress(out.get(ValueLayout.JAVA_LONG, 0));
    return result + " (" + name.reinterpret(NAME_BYTES_MAX).getString(0) + ")";
  }

  String description() {
    return description;
  }

  long memoryBytes() {
    return memoryBytes;
  }

  /** Of its memory, in bytes a second; 0 where the driver does not say. */
  long bandwidth() {
    return bandwidth;
  }

  /** The same for all GPUs. */
  static RegisteredPages pages() {
    return PAGES;
  }

  boolean hasFailed() {
    return fault != null;
  }

  /** Makes the context the calling thread's; no call of this thread comes between. */
  void enter() {
    String before = fault;
    if (before != null) {
      throw new GpdbException(
          ErrorCode.POISONED, "the GPU failed before, until a new process: " + before);
    }
    check(calls.setCurrent, calls.setCurrent.run(handle));
  }

  void check(NativeCall call, int result) {
    if (result == 0) {
      return;
    }
    String what = call.name() + " returned " + text(calls, result);
    if (result == OUT_OF_MEMORY) {
      throw new GpdbException(ErrorCode.OUT_OF_MEMORY, "no memory on the GPU: " + what);
    }
    if (FAULTS.contains(result)) {
      fault = what;
      throw new GpdbException(ErrorCode.POISONED, "the GPU failed: " + what);
    }
    throw new GpdbException(ErrorCode.INTERNAL, "the GPU failed: " + what);
  }
}
