package io.gpdb.exec.cuda;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.KeptLaunch;
import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.emulated.common.BlockPersists;
import io.gpdb.exec.emulated.common.BlockTraps;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Space;
import io.gpdb.exec.ir.Op.PersistScope;
import io.gpdb.exec.ir.Ops;
import io.gpdb.exec.ptx.PtxPrinter;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A kernel on the GPU. It has an entry for launches of one group, whose arguments are the entry's
 * parameters, and one for several groups, whose arguments are records in the GPU's memory; each is
 * compiled when it is first launched.
 */
final class CudaKernel implements LoadedKernel {
  private static final int WARP_LANES = 32;

  private final Kernel kernel;
  private final CudaDriver driver;
  private final CudaMemory memory;
  private final RegisteredPages pages;
  private final LaunchSlots slots;
  private final LaunchCounters counters;
  private final HostKernel onHost;
  private final Entry single;
  private final Entry grouped;
  private final Set<PersistScope> persists;
  private final boolean trapsByText;
  private final int recordBytes;

  CudaKernel(
      Kernel kernel,
      CudaDriver driver,
      CudaMemory memory,
      RegisteredPages pages,
      LaunchSlots slots,
      LaunchCounters counters,
      HostKernel onHost) {
    this.kernel = kernel;
    this.driver = driver;
    this.memory = memory;
    this.pages = pages;
    this.slots = slots;
    this.counters = counters;
    this.onHost = onHost;
    single = new Entry(driver, kernel, false);
    grouped = new Entry(driver, kernel, true);
    persists = Ops.persistScopes(kernel);
    trapsByText = Ops.trapsByText(kernel);
    recordBytes = PtxPrinter.recordBytes(kernel);
  }

  /** The driver's handle of an entry, once it was asked for. */
  private static final class Entry {
    private final CudaDriver driver;
    private final Kernel kernel;
    private final boolean grouped;
    private volatile long handle;

    Entry(CudaDriver driver, Kernel kernel, boolean grouped) {
      this.driver = driver;
      this.kernel = kernel;
      this.grouped = grouped;
    }

    long handle() {
      long known = handle;
      return known != 0 ? known : loaded();
    }

    private synchronized long loaded() {
      if (handle == 0) {
        List<Kernel> kernels = List.of(kernel);
        handle =
            grouped
                ? driver.load(PtxPrinter.printGrouped(kernels), PtxPrinter.groupedEntryName(kernel))
                : driver.load(PtxPrinter.print(kernels), PtxPrinter.entryName(kernel));
      }
      return handle;
    }
  }

  @Override
  public Kernel kernel() {
    return kernel;
  }

  /** A launch on the GPU is not stopped in the middle: the statement ends behind it. */
  @Override
  public void launch(List<LaunchGroup> groups) {
    launch(groups, false);
  }

  @Override
  public void enqueue(List<LaunchGroup> groups) {
    launch(groups, mayReturnEarlier());
  }

  private boolean mayReturnEarlier() {
    return !trapsByText && persists.isEmpty() && !counters.isApart();
  }

  private void launch(List<LaunchGroup> groups, boolean mayReturnEarlier) {
    int blocks = LaunchGroup.blocksOf(kernel, groups);
    StopSignal.current().check();
    if (onHost.launch(groups)) {
      return;
    }
    HostNeeds needs = new HostNeeds(pages);
    try {
      launch(groups, blocks, needs, mayReturnEarlier);
    } finally {
      memory.release(needs);
      Reference.reachabilityFence(groups);
    }
  }

  private void launch(
      List<LaunchGroup> groups, int blocks, HostNeeds needs, boolean mayReturnEarlier) {
    BoundMemory boundMemory = counters.isApart() ? new BoundMemory() : null;
    List<Bound> bound = new ArrayList<>(groups.size());
    for (LaunchGroup group : groups) {
      bound.add(bound(group, needs, boundMemory));
    }
    count(blocks);
    if (blocks == 0) {
      return;
    }
    long start = System.nanoTime();
    long trap = launch(new BoundGroups(bound), blocks, needs, mayReturnEarlier);
    if (boundMemory != null) {
      countBound(boundMemory.bytes(), start);
    }
    persist(bound);
    raise(trap);
  }

  private void raise(long trap) {
    if (trap != BlockTraps.NONE) {
      throw new KernelTrap(kernel.name(), BlockTraps.code(trap), BlockTraps.detail(trap));
    }
  }

  private void count(int blocks) {
    long warps = blocks * (long) ((kernel.blockSize() + WARP_LANES - 1) / WARP_LANES);
    counters.count(each -> each.launched(blocks, warps));
  }

  private void countBound(long bytes, long start) {
    long nanos = System.nanoTime() - start;
    long bandwidth = driver.bandwidth();
    long nanosLeast = bandwidth == 0 ? 0 : (long) (1e9 * bytes / bandwidth);
    counters.countApart(each -> each.bound(bytes, nanos, nanosLeast));
  }

  /** By parameters where there is one group, and it fits; else by records. Returns the trap. */
  private long launch(GroupRecords groups, int blocks, HostNeeds needs, boolean mayReturnEarlier) {
    boolean byRecord = groups.count() > 1 || PtxPrinter.needsRecord(kernel);
    long[] fields = byRecord ? new long[0] : groups.first();
    if (!mayReturnEarlier || needs.any()) {
      return launchAndWait(
          needs,
          LaunchSlot.HEAD_BYTES + (byRecord ? bytesOf(groups.count(), blocks) : 0),
          (slot, trapAddress) -> {
            if (byRecord) {
              launchGroups(slot, groups, blocks, trapAddress);
            } else {
              launchOne(slot.stream(), blocks, fields, trapAddress);
            }
          });
    }
    if (byRecord) {
      slots.enqueueWithSlot(slot -> launchGroups(slot, groups, blocks, slots.queueTrap()));
    } else {
      slots.enqueue(stream -> launchOne(stream, blocks, fields, slots.queueTrap()));
    }
    return BlockTraps.NONE;
  }

  /** Gives a launch to a slot's stream. */
  @FunctionalInterface
  private interface SlotLaunch {
    void by(LaunchSlot slot, long trapAddress);
  }

  private long launchAndWait(HostNeeds needs, long slotBytes, SlotLaunch launch) {
    return slots.with(
        slot -> {
          slot.reserve(slotBytes); // registers memory, which a use of the pages must not
          long trapAddress = slot.trapAddress(trapsByText);
          return pages.use(
              needs.pages(),
              () -> {
                launch.by(slot, trapAddress);
                return slot.awaitTrap(trapsByText);
              });
        });
  }

  /** A group with what its arguments are on the GPU. */
  private static final class Bound {
    final LaunchGroup group;

    /** Address and length of each buffer, then the scalars. */
    final long[] fields;

    Bound(LaunchGroup group, long[] fields) {
      this.group = group;
      this.fields = fields;
    }
  }

  /** The records of groups that are bound for one launch. */
  private final class BoundGroups implements GroupRecords {
    private final List<Bound> groups;

    BoundGroups(List<Bound> groups) {
      this.groups = groups;
    }

    @Override
    public int count() {
      return groups.size();
    }

    @Override
    public long[] first() {
      return groups.getFirst().fields;
    }

    @Override
    public void write(MemorySegment host, long recordsAt, long numbersAt) {
      int[] numbers = new int[groups.stream().mapToInt(each -> each.group.blocks()).sum()];
      int before = 0;
      for (int g = 0; g < groups.size(); g++) {
        Bound each = groups.get(g);
        long at = recordsAt + (long) recordBytes * g;
        int count = each.group.blocks();
        host.set(ValueLayout.JAVA_LONG, at, before);
        host.set(ValueLayout.JAVA_LONG, at + 8, count);
        MemorySegment.copy(
            each.fields, 0, host, ValueLayout.JAVA_LONG, at + 16, each.fields.length);
        Arrays.fill(numbers, before, before + count, g);
        before += count;
      }
      MemorySegment.copy(numbers, 0, host, ValueLayout.JAVA_INT, numbersAt, numbers.length);
    }
  }

  private long bytesOf(int groups, int blocks) {
    return (long) recordBytes * groups + (long) Integer.BYTES * blocks;
  }

  private Bound bound(LaunchGroup group, HostNeeds needs, @Nullable BoundMemory boundMemory) {
    Arguments arguments = group.arguments();
    DeviceBuffer[] buffers = arguments.boundBuffers();
    long[] scalars = arguments.boundScalars();
    long[] fields = new long[2 * buffers.length + scalars.length];
    for (int i = 0; i < buffers.length; i++) {
      BufferParam buffer = kernel.buffers().get(i);
      fields[2 * i] = memory.reached(buffers[i], buffer.access() != Access.READ, needs);
      if (fields[2 * i] == CudaMemory.NOT_REACHED) {
        throw new IllegalArgumentException(
            "kernel %s: argument %s is in the memory of another device"
                .formatted(kernel.name(), buffer.name()));
      }
      fields[2 * i + 1] = buffers[i].bytes() / buffer.element().bytes();
      if (boundMemory != null) {
        boundMemory.add(buffers[i], fields[2 * i]);
      }
    }
    System.arraycopy(scalars, 0, fields, 2 * buffers.length, scalars.length);
    return new Bound(group, fields);
  }

  private void launchOne(long stream, int blocks, long[] fields, long trapAddress) {
    long[] parameters = Arrays.copyOf(fields, fields.length + 1);
    parameters[fields.length] = trapAddress;
    launch(stream, single, blocks, parameters);
  }

  /**
   * See {@code PtxParameters}: behind the slot's head, or where they are already, the groups'
   * records, then their numbers.
   */
  private void launchGroups(LaunchSlot slot, GroupRecords groups, int blocks, long trapAddress) {
    CudaBuffer there = groups.onDevice();
    if (there != null) {
      long numbers = there.address() + (long) recordBytes * groups.count();
      launch(slot.stream(), grouped, blocks, there.address(), numbers, trapAddress);
      return;
    }
    long numbersAt = LaunchSlot.HEAD_BYTES + (long) recordBytes * groups.count();
    long end = numbersAt + (long) Integer.BYTES * blocks;
    slot.reserve(end);
    groups.write(slot.host(), LaunchSlot.HEAD_BYTES, numbersAt);
    slot.hand(end);
    long device = slot.device();
    launch(
        slot.stream(),
        grouped,
        blocks,
        device + LaunchSlot.HEAD_BYTES,
        device + numbersAt,
        trapAddress);
  }

  private void launch(long stream, Entry entry, int blocks, long... parameters) {
    driver.launch(entry.handle(), blocks, kernel.blockSize(), parameters, stream);
  }

  @Override
  public @Nullable KeptLaunch keep(List<LaunchGroup> groups) {
    if (!persists.isEmpty() || MemoryAccount.current().worksOnHost()) {
      return null;
    }
    long dropsBefore = memory.copies().drops();
    HostNeeds needs = new HostNeeds(pages);
    try {
      BoundMemory boundMemory = new BoundMemory();
      List<long[]> fields = new ArrayList<>(groups.size());
      for (LaunchGroup group : groups) {
        if (!readsKeptBlocks(group.arguments().boundBuffers())) {
          return null;
        }
        fields.add(bound(group, needs, boundMemory).fields);
      }
      return needs.isRead()
          ? null
          : new Kept(
              new KeptGroups(kernel, groups, fields), needs, dropsBefore, boundMemory.bytes());
    } finally {
      memory.release(needs);
    }
  }

  private boolean readsKeptBlocks(DeviceBuffer[] buffers) {
    for (int i = 0; i < buffers.length; i++) {
      if (kernel.buffers().get(i).access() == Access.READ && !CudaMemory.isReadable(buffers[i])) {
        return false;
      }
    }
    return true;
  }

  /** Records of groups that are kept, and whether what they say of copies for reading is so. */
  private final class Kept implements KeptLaunch {
    private final KeptGroups groups;
    private final List<ReadCopy> copies;
    private final long dropsBefore;
    private final long bytesBound;
    private long askedAt = -1;

    Kept(KeptGroups groups, HostNeeds needs, long dropsBefore, long bytesBound) {
      this.bytesBound = bytesBound;
      this.groups = groups;
      this.copies = List.copyOf(needs.copies());
      this.dropsBefore = dropsBefore;
    }

    @Override
    public boolean enqueue(Arguments first) {
      StopSignal.current().check();
      if (MemoryAccount.current().worksOnHost() || !isCurrent()) {
        return false;
      }
      HostNeeds needs = new HostNeeds(pages);
      groups.rebind(first, buffer -> memory.reached(buffer, true, needs));
      if (!copies.isEmpty()) {
        askedAt = memory.copies().read(copies, askedAt);
      }
      count(groups.blocks());
      long start = System.nanoTime();
      groups.settle(memory::keep);
      long trap = launch(groups, groups.blocks(), needs, mayReturnEarlier());
      if (counters.isApart()) {
        countBound(bytesBound, start);
      }
      raise(trap);
      return true;
    }

    @Override
    public boolean isCurrent() {
      return memory.copies().drops() == dropsBefore;
    }
  }

  /**
   * What a kernel stored and fenced is in memory when the launch has ended. Which lines it stored
   * to is not known here: whole buffers are flushed.
   */
  private void persist(List<Bound> groups) {
    if (persists.isEmpty()) {
      return;
    }
    Set<PersistTarget> flushed = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Bound each : groups) {
      PersistTarget[] targets = each.group.arguments().persistTargets();
      for (int i = 0; i < targets.length; i++) {
        BufferParam buffer = kernel.buffers().get(i);
        long bytes = each.fields[2 * i + 1] * buffer.element().bytes();
        if (buffer.space() == Space.PERSISTENT && buffer.access() != Access.READ && bytes > 0) {
          targets[i].flush(0, bytes);
          counters.all().persistedBytes(bytes);
          flushed.add(targets[i]);
        }
      }
    }
    if (persists.contains(PersistScope.KERNEL)) {
      counters.all().persisted(PersistScope.KERNEL, 1);
    }
    BlockPersists.drainOnce(new ArrayList<>(flushed));
  }
}
