package io.gpdb.exec.cuda;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.cuda.LaunchSlots.LaunchSlot;
import io.gpdb.exec.cuda.RegisteredPages.Need;
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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

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
  private final ExecutionCounters counters;
  private final Entry single;
  private final Entry grouped;
  private final Set<PersistScope> persists;

  CudaKernel(
      Kernel kernel,
      CudaDriver driver,
      CudaMemory memory,
      RegisteredPages pages,
      LaunchSlots slots,
      ExecutionCounters counters) {
    this.kernel = kernel;
    this.driver = driver;
    this.memory = memory;
    this.pages = pages;
    this.slots = slots;
    this.counters = counters;
    single = new Entry(driver, kernel, false);
    grouped = new Entry(driver, kernel, true);
    this.persists = Ops.persistScopes(kernel);
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
    int blocks = LaunchGroup.blocksOf(kernel, groups);
    StopSignal.current().check();
    List<Need> needs = new ArrayList<>();
    List<Bound> bound = groups.stream().map(group -> bound(group, needs)).toList();
    long warps = blocks * (long) ((kernel.blockSize() + WARP_LANES - 1) / WARP_LANES);
    counters.launched(blocks, warps);
    CudaDevice.countedApart(each -> each.launched(blocks, warps));
    if (blocks == 0) {
      return;
    }
    boolean byRecord = groups.size() > 1 || PtxPrinter.needsRecord(kernel);
    long trap;
    try {
      trap = slots.with(slot -> launch(slot, needs, byRecord, bound, blocks));
    } finally {
      Reference.reachabilityFence(groups);
    }
    persist(bound);
    if (trap != BlockTraps.NONE) {
      throw new KernelTrap(kernel.name(), BlockTraps.code(trap), BlockTraps.detail(trap));
    }
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

  private long launch(
      LaunchSlot slot, List<Need> needs, boolean byRecord, List<Bound> groups, int blocks) {
    if (!byRecord) {
      slot.reserve(LaunchSlot.TRAP_BYTES);
      return pages.use(needs, () -> launchOne(slot, groups.get(0)));
    }
    long numbersAt = LaunchSlot.TRAP_BYTES + recordBytes() * groups.size();
    slot.reserve(numbersAt + (long) Integer.BYTES * blocks);
    return pages.use(needs, () -> launchGroups(slot, groups, blocks, numbersAt));
  }

  private long recordBytes() {
    return PtxPrinter.recordBytes(kernel);
  }

  private Bound bound(LaunchGroup group, List<Need> needs) {
    Arguments arguments = group.arguments();
    DeviceBuffer[] buffers = arguments.boundBuffers();
    long[] scalars = arguments.boundScalars();
    long[] fields = new long[2 * buffers.length + scalars.length];
    for (int i = 0; i < buffers.length; i++) {
      BufferParam buffer = kernel.buffers().get(i);
      String place = "kernel " + kernel.name() + ": argument " + buffer.name();
      fields[2 * i] = memory.reached(buffers[i], buffer.access() != Access.READ, place, needs);
      fields[2 * i + 1] = buffers[i].bytes() / buffer.element().bytes();
    }
    System.arraycopy(scalars, 0, fields, 2 * buffers.length, scalars.length);
    return new Bound(group, fields);
  }

  private long launchOne(LaunchSlot slot, Bound one) {
    long[] parameters = Arrays.copyOf(one.fields, one.fields.length + 1);
    parameters[one.fields.length] = slot.device();
    launch(slot, single, one.group.blocks(), parameters);
    return slot.awaitTrap(BlockTraps.NONE);
  }

  /** See {@code PtxParameters}: behind the trap word the groups' records, then group numbers. */
  private long launchGroups(LaunchSlot slot, List<Bound> groups, int blocks, long numbersAt) {
    MemorySegment host = slot.host();
    int before = 0;
    for (int g = 0; g < groups.size(); g++) {
      Bound each = groups.get(g);
      long at = LaunchSlot.TRAP_BYTES + recordBytes() * g;
      int count = each.group.blocks();
      host.set(ValueLayout.JAVA_LONG, at, before);
      host.set(ValueLayout.JAVA_LONG, at + 8, count);
      MemorySegment.copy(each.fields, 0, host, ValueLayout.JAVA_LONG, at + 16, each.fields.length);
      for (int block = before; block < before + count; block++) {
        host.set(ValueLayout.JAVA_INT, numbersAt + (long) Integer.BYTES * block, g);
      }
      before += count;
    }
    slot.hand(numbersAt + (long) Integer.BYTES * blocks);
    long device = slot.device();
    launch(slot, grouped, blocks, device + LaunchSlot.TRAP_BYTES, device + numbersAt, device);
    return slot.awaitTrap(BlockTraps.NONE);
  }

  private void launch(LaunchSlot slot, Entry entry, int blocks, long... parameters) {
    long handle = entry.handle();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment values = arena.allocateFrom(ValueLayout.JAVA_LONG, parameters);
      driver.launch(handle, blocks, kernel.blockSize(), values, slot.stream());
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
          counters.persistedBytes(bytes);
          flushed.add(targets[i]);
        }
      }
    }
    if (persists.contains(PersistScope.KERNEL)) {
      counters.persisted(PersistScope.KERNEL, 1);
    }
    BlockPersists.drainOnce(new ArrayList<>(flushed));
  }
}
