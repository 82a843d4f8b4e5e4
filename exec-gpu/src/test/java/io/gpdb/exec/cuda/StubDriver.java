package io.gpdb.exec.cuda;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.emulated.common.BlockTraps;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ptx.PtxPrinter;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A driver without a GPU: host memory stands for the GPU's, and the emulated device runs the
 * kernels whose PTX it is given. It takes apart what a launch hands over as the printed entries do,
 * and refuses addresses that no GPU would reach. A stream does nothing before it is waited for, the
 * latest that it may.
 */
final class StubDriver implements CudaDriver {
  private static final long PAGE_BYTES = 4096;
  private static final byte UNDEFINED = (byte) 0xa5;

  private final Device runner = new EmulatedDevice(new EmulatedOptions(Mode.INTERPRETED, 1, false));
  private final Map<String, Kernel> known = new ConcurrentHashMap<>();
  private final Map<Long, Entry> entries = new ConcurrentHashMap<>();

  private final ConcurrentSkipListMap<Long, Memory> device;
  private final ConcurrentSkipListMap<Long, Page> registered;

  // Under this object's monitor
  private final Map<Long, Work> streams = new HashMap<>();
  private long bytesMax = Long.MAX_VALUE;
  private int registrationsMade;
  private int fills;
  private long streamsMade = 100;
  private boolean closed;

  /** How many more calls succeed before the GPU fails for good, as after a kernel's fault. */
  private final AtomicLong callsLeft = new AtomicLong(Long.MAX_VALUE);

  /** Which host pages, if any, the system does not let a GPU write; none at first. */
  private @Nullable MemorySegment unwritable;

  /** What a stream was given and has not done. */
  private final class Work {
    private final Deque<Runnable> given = new ArrayDeque<>();
    private final Lock doing = new ReentrantLock();

    synchronized void give(Runnable piece) {
      given.addLast(piece);
    }

    private synchronized @Nullable Runnable next() {
      return given.pollFirst();
    }

    void finish() {
      doing.lock();
      try {
        for (Runnable piece = next(); piece != null; piece = next()) {
          if (!hasFailed()) {
            piece.run();
          }
        }
      } finally {
        doing.unlock();
      }
    }
  }

  private record Entry(Kernel kernel, boolean grouped) {}

  /** What GPUs have in common that reach each other's memory. */
  static final class Machine {
    private final ConcurrentSkipListMap<Long, Memory> device = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListMap<Long, Page> registered = new ConcurrentSkipListMap<>();
  }

  private record Memory(StubDriver owner, Arena arena, MemorySegment bytes) {}

  private record Page(long end, boolean readOnly) {}

  StubDriver() {
    this(new Machine());
  }

  StubDriver(Machine machine) {
    device = machine.device;
    registered = machine.registered;
  }

  /** The kernel may be loaded from now on. */
  void announce(Kernel kernel) {
    known.put(PtxPrinter.print(List.of(kernel)), kernel);
    known.put(PtxPrinter.printGrouped(List.of(kernel)), kernel);
  }

  /**
   * Has the GPU fail after that number of calls: it does no work any more, nor what it was given.
   */
  void failAfter(long calls) {
    callsLeft.set(calls);
  }

  boolean hasFailed() {
    return callsLeft.get() <= 0;
  }

  private void call() {
    if (callsLeft.updateAndGet(left -> Math.max(0, left - 1)) == 0) {
      throw new GpdbException(ErrorCode.POISONED, "the GPU failed: stub");
    }
  }

  synchronized void limit(long bytes) {
    bytesMax = bytes;
  }

  synchronized void refuseStoresTo(MemorySegment pages) {
    unwritable = pages;
  }

  synchronized int registrations() {
    return registered.size();
  }

  /** How often memory was registered so far. */
  synchronized int registrationsMade() {
    return registrationsMade;
  }

  synchronized int allocations() {
    return device.size();
  }

  /** How often memory was filled so far. */
  synchronized int fills() {
    return fills;
  }

  synchronized int streams() {
    return streams.size();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public String description() {
    return "stub";
  }

  @Override
  public synchronized long memoryBytes() {
    return Math.min(bytesMax, 1L << 40);
  }

  @Override
  public long bandwidth() {
    return 1_000_000_000;
  }

  @Override
  public synchronized long allocate(long bytes) {
    call();
    long used =
        device.values().stream()
            .filter(m -> m.owner == this)
            .mapToLong(m -> m.bytes.byteSize())
            .sum();
    if (used + bytes > bytesMax) {
      throw new GpdbException(ErrorCode.OUT_OF_MEMORY, "no memory on the GPU: stub");
    }
    Arena arena = Arena.ofShared();
    MemorySegment memory = arena.allocate(bytes, 256).fill(UNDEFINED);
    device.put(memory.address(), new Memory(this, arena, memory));
    return memory.address();
  }

  @Override
  public void free(long address) {
    finishAll();
    release(address);
  }

  private synchronized void release(long address) {
    Memory memory = device.remove(address);
    if (memory == null) {
      throw new IllegalStateException("free of memory that was not allocated");
    }
    memory.arena.close();
  }

  @Override
  public synchronized boolean register(long address, long bytes, boolean readOnly) {
    call();
    if (address % PAGE_BYTES != 0 || bytes % PAGE_BYTES != 0 || bytes == 0) {
      throw new IllegalStateException("registered are whole pages");
    }
    Map.Entry<Long, Page> before = registered.lowerEntry(address + bytes);
    if (before != null && before.getValue().end > address) {
      throw new IllegalStateException("registered twice");
    }
    MemorySegment refused = unwritable;
    if (!readOnly
        && refused != null
        && refused.address() < address + bytes
        && address < refused.address() + refused.byteSize()) {
      return false;
    }
    registrationsMade++;
    registered.put(address, new Page(address + bytes, readOnly));
    return true;
  }

  @Override
  public synchronized void unregister(long address) {
    if (registered.remove(address) == null) {
      throw new IllegalStateException("not registered");
    }
  }

  @Override
  public long load(String ptx, String entry) {
    call();
    Kernel kernel = known.get(ptx);
    if (kernel == null) {
      throw new IllegalStateException("the PTX of no announced kernel: " + entry);
    }
    boolean grouped = entry.equals(PtxPrinter.groupedEntryName(kernel));
    if (!grouped && !entry.equals(PtxPrinter.entryName(kernel))) {
      throw new IllegalStateException("no entry " + entry);
    }
    long handle = entries.size() + 1L;
    while (entries.putIfAbsent(handle, new Entry(kernel, grouped)) != null) {
      handle++;
    }
    return handle;
  }

  @Override
  public synchronized long openStream() {
    call();
    long stream = ++streamsMade;
    streams.put(stream, new Work());
    return stream;
  }

  @Override
  public void closeStream(long stream) {
    work(stream).finish();
    synchronized (this) {
      streams.remove(stream);
    }
  }

  private synchronized Work work(long stream) {
    Work work = streams.get(stream);
    if (work == null) {
      throw new IllegalStateException("no stream " + stream);
    }
    return work;
  }

  /** As the driver does before it frees memory. */
  private void finishAll() {
    List<Work> all;
    synchronized (this) {
      all = List.copyOf(streams.values());
    }
    all.forEach(Work::finish);
  }

  @Override
  public void copy(long to, long from, long bytes, long stream) {
    call();
    work(stream).give(() -> copyNow(to, from, bytes));
  }

  private void copyNow(long to, long from, long bytes) {
    boolean toDevice = isOnDevice(to, bytes);
    boolean fromDevice = isOnDevice(from, bytes);
    if (!toDevice && !fromDevice) {
      throw new IllegalStateException("a copy from host to host");
    }
    if (!toDevice || !fromDevice) {
      requireOnePart(toDevice ? from : to, bytes);
    }
    at(to, bytes).copyFrom(at(from, bytes));
  }

  /** As the driver does, refuses host memory that is registered in part, or by several calls. */
  private synchronized void requireOnePart(long address, long bytes) {
    Map.Entry<Long, Page> first = registered.floorEntry(address);
    boolean inside = first != null && first.getValue().end > address;
    Long next = registered.higherKey(address);
    long end = inside ? first.getValue().end : next == null ? Long.MAX_VALUE : next;
    if (address + bytes > end) {
      throw new IllegalStateException("a copy of memory that is registered in part");
    }
  }

  @Override
  public void fill(long address, byte value, long bytes, long stream) {
    call();
    if (!isOnDevice(address, bytes)) {
      throw new IllegalStateException("filled is the GPU's memory");
    }
    synchronized (this) {
      fills++;
    }
    work(stream).give(() -> at(address, bytes).fill(value));
  }

  @SuppressWarnings("restricted") // addresses are what a driver is given
  private static MemorySegment at(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  private synchronized boolean isOnDevice(long address, long bytes) {
    Map.Entry<Long, Memory> around = device.floorEntry(address);
    return around != null
        && address + bytes <= around.getKey() + around.getValue().bytes.byteSize();
  }

  /** What a kernel loads from or stores to; throws where no GPU would reach it. */
  private synchronized MemorySegment reached(long address, long bytes, boolean written) {
    for (long at = address; at < address + bytes && !isOnDevice(address, bytes); ) {
      Map.Entry<Long, Page> page = registered.floorEntry(at);
      if (page == null || page.getValue().end <= at || (page.getValue().readOnly && written)) {
        throw new IllegalStateException("a fault: the GPU does not reach that address");
      }
      at = page.getValue().end;
    }
    return at(address, bytes);
  }

  @Override
  public void launch(long entry, int blocks, int blockSize, long[] parameters, long stream) {
    call();
    Entry loaded = entries.get(entry);
    if (loaded == null || loaded.kernel.blockSize() != blockSize || blocks < 1) {
      throw new IllegalStateException("a launch that does not fit its entry");
    }
    long[] values = parameters.clone();
    work(stream).give(() -> launchNow(loaded, blocks, values));
  }

  private void launchNow(Entry loaded, int blocks, long[] values) {
    List<LaunchGroup> groups = new ArrayList<>();
    if (loaded.grouped) {
      byRecords(loaded.kernel, blocks, values, groups);
    } else {
      groups.add(group(loaded.kernel, blocks, values));
    }
    MemorySegment trap = reached(values[values.length - 1], Long.BYTES, true);
    try {
      runner.load(loaded.kernel).launch(groups);
    } catch (KernelTrap e) {
      long key = BlockTraps.key(e.code(), e.detail());
      trap.set(ValueLayout.JAVA_LONG, 0, Math.min(key, trap.get(ValueLayout.JAVA_LONG, 0)));
    }
  }

  /** As the grouped entry does: each block finds its group by the group's number. */
  private void byRecords(Kernel kernel, int blocks, long[] values, List<LaunchGroup> to) {
    int fields = PtxPrinter.recordBytes(kernel) / Long.BYTES;
    MemorySegment numbers = reached(values[1], (long) Integer.BYTES * blocks, false);
    for (int block = 0; block < blocks; ) {
      int number = numbers.getAtIndex(ValueLayout.JAVA_INT, block);
      long at = values[0] + (long) number * fields * Long.BYTES;
      long[] record = reached(at, (long) fields * Long.BYTES, false).toArray(ValueLayout.JAVA_LONG);
      int count = (int) record[1];
      for (int other = block; other < block + count; other++) {
        if (record[0] != block || numbers.getAtIndex(ValueLayout.JAVA_INT, other) != number) {
          throw new IllegalStateException("a block of the wrong group");
        }
      }
      to.add(group(kernel, count, Arrays.copyOfRange(record, 2, fields)));
      block += count;
    }
  }

  private LaunchGroup group(Kernel kernel, int blocks, long[] values) {
    Arguments arguments = new Arguments(kernel);
    int buffers = kernel.buffers().size();
    for (int i = 0; i < buffers; i++) {
      Kernel.BufferParam buffer = kernel.buffers().get(i);
      long bytes = values[2 * i + 1] * buffer.element().bytes();
      boolean written = buffer.access() != Kernel.Access.READ;
      HostBuffer bound =
          bytes == 0
              ? HostBuffer.NONE
              : HostMemory.INSTANCE.map(reached(values[2 * i], bytes, written));
      arguments.buffer(i, bound);
    }
    for (int i = 0; i < kernel.scalars().size(); i++) {
      arguments.scalar(i, values[2 * buffers + i]);
    }
    return new LaunchGroup(blocks, arguments);
  }

  @Override
  public void await(long stream) {
    call();
    work(stream).finish();
  }

  @Override
  public synchronized void close() {
    closed = true;
    runner.close();
  }
}
