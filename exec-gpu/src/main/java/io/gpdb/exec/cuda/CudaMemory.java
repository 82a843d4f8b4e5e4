package io.gpdb.exec.cuda;

import io.gpdb.exec.cuda.RegisteredPages.Need;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.CellMemory;
import io.gpdb.storage.memory.Cells;
import io.gpdb.storage.memory.CountedBlocks;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.SlabSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;

/**
 * The GPU's memory, and the host's that its kernels reach. What a database cuts its host memory
 * from is registered as a whole; other host memory when a launch first needs it.
 */
final class CudaMemory implements DeviceMemory, CellMemory, AutoCloseable {
  static final long NOT_REACHED = -1;

  private static final Cleaner CLEANER = Cleaner.create();

  private final CudaDriver driver;
  private final LaunchSlots slots;
  private final LaunchCounters counters;
  private final DeviceBlocks blocks;
  private final RegisteredPages pages;
  private final ReadCopies copies;
  private final LinkedMemories linked;
  private volatile boolean closed;

  CudaMemory(
      CudaDriver driver,
      LaunchSlots slots,
      DeviceBlocks blocks,
      RegisteredPages pages,
      LaunchCounters counters,
      LinkedMemories linked) {
    this.linked = linked;
    this.counters = counters;
    this.driver = driver;
    this.slots = slots;
    this.blocks = blocks;
    copies = new ReadCopies(blocks, driver.memoryBytes() / 2);
    this.pages = pages;
  }

  @Override
  public SlabSource slabs() {
    return this::slab;
  }

  private SlabSource.Slab slab(long bytes) {
    Arena arena = Arena.ofShared();
    try {
      long whole = (bytes + RegisteredPages.PAGE_BYTES - 1) & -RegisteredPages.PAGE_BYTES;
      MemorySegment slab = arena.allocate(whole, RegisteredPages.PAGE_BYTES);
      pages.registerWhole(slab);
      Runnable giveBack =
          () -> {
            pages.forget(slab);
            arena.close();
          };
      return new SlabSource.Slab(slab.asSlice(0, bytes), giveBack);
    } catch (RuntimeException | OutOfMemoryError e) {
      arena.close();
      throw e;
    }
  }

  @Override
  public CudaBuffer allocate(long bytes, CountedBlocks account) {
    return allocated(bytes, account, blocks::take);
  }

  @Override
  public CudaBuffer allocateZeroed(long bytes, CountedBlocks account) {
    return allocated(bytes, account, blocks::takeZeroed);
  }

  private CudaBuffer allocated(long bytes, CountedBlocks account, LongUnaryOperator take) {
    long size = DeviceBlocks.blockBytes(bytes);
    account.charge(size);
    try {
      return new CudaBuffer(this, taken(size, take), size, null);
    } catch (RuntimeException e) {
      account.discharge(size);
      throw e;
    }
  }

  @Override
  public HostBuffer pin(long bytes, CountedBlocks account) {
    return new HostBuffer(account.take(bytes), this);
  }

  /** Copies for reading make room, where the GPU has no more. */
  private long taken(long size, LongUnaryOperator take) {
    try {
      return take.applyAsLong(size);
    } catch (GpdbException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY || !copies.dropAll()) {
        throw e;
      }
      return take.applyAsLong(size);
    }
  }

  @Override
  public void free(DeviceBuffer buffer, CountedBlocks account) {
    if (buffer instanceof HostBuffer host) {
      account.give(host.segment());
    } else {
      CudaBuffer own = own(buffer);
      blocks.give(own.address(), own.bytes());
      account.discharge(own.bytes());
    }
  }

  @Override
  public HostBuffer map(MemorySegment segment) {
    return new HostBuffer(segment, this);
  }

  @Override
  public DeviceBuffer mapUnchanging(MemorySegment segment) {
    return new MappedView(this, segment);
  }

  @Override
  public void unmap(DeviceBuffer view) {
    if (view instanceof MappedView mapped) {
      copies.end(mapped.copy());
    }
  }

  /** Linux does not let a device write pages that it writes to a disk itself. */
  @Override
  public boolean storesToDiskFiles() {
    return false;
  }

  @Override
  public CudaBuffer keep(HostBuffer content) {
    long size = DeviceBlocks.blockBytes(content.bytes());
    long address = taken(size, blocks::take);
    CudaBuffer.Kept kept = new CudaBuffer.Kept(content, address);
    CLEANER.register(kept, () -> giveKept(address, size));
    CudaBuffer copy = new CudaBuffer(this, address, content.bytes(), kept);
    copy(content, 0, copy, 0, content.bytes());
    return copy;
  }

  private void giveKept(long address, long size) {
    if (!closed) {
      blocks.give(address, size);
    }
  }

  @Override
  public void copy(DeviceBuffer from, long fromOffset, DeviceBuffer to, long toOffset, long n) {
    Objects.checkFromIndexSize(fromOffset, n, from.bytes());
    Objects.checkFromIndexSize(toOffset, n, to.bytes());
    if (from instanceof MappedView view) {
      copy(view.onHost(), fromOffset, to, toOffset, n);
      return;
    }
    if (from instanceof HostBuffer source && to instanceof HostBuffer target) {
      MemorySegment.copy(source.segment(), fromOffset, target.segment(), toOffset, n);
      return;
    }
    if (n == 0) {
      return;
    }
    try {
      copyOverLink(from, fromOffset, to, toOffset, n);
    } finally {
      Reference.reachabilityFence(from);
      Reference.reachabilityFence(to);
    }
  }

  private void copyOverLink(
      DeviceBuffer from, long fromOffset, DeviceBuffer to, long toOffset, long n) {
    if (to instanceof HostBuffer host) {
      requireAlive(host);
      copyToHost(host.segment().asSlice(toOffset, n), own(from).address() + fromOffset);
    } else if (from instanceof HostBuffer host) {
      requireAlive(host);
      copyToDevice(own(to).address() + toOffset, host.segment().asSlice(fromOffset, n));
    } else {
      long target = own(to).address() + toOffset;
      CudaBuffer source = linked(from);
      LongConsumer copy = stream -> driver.copy(target, source.address() + fromOffset, n, stream);
      if (source.memory() == this) {
        slots.enqueue(copy);
      } else {
        slots.use(copy);
      }
    }
  }

  private void copyToHost(MemorySegment host, long source) {
    long n = host.byteSize();
    if (n > LaunchSlot.STAGED_BYTES_MAX) {
      copyParts(
          host,
          (at, bytes, stream) -> driver.copy(host.address() + at, source + at, bytes, stream));
      return;
    }
    slots.with(
        slot -> {
          slot.copyToHost(host, source);
          return 0;
        });
  }

  /** Short ones come by a slot's memory, one by one. */
  @Override
  public void copyToHost(List<ToHost> copies) {
    List<ToHost> together = new ArrayList<>(copies.size());
    for (ToHost each : copies) {
      long bytes = each.from().bytes();
      boolean isOwn = each.from() instanceof CudaBuffer buffer && buffer.memory() == this;
      if (isOwn && bytes > LaunchSlot.STAGED_BYTES_MAX) {
        Objects.checkFromIndexSize(0, bytes, each.to().bytes());
        requireAlive(each.to());
        together.add(each);
      } else {
        each.to().copyFrom(each.from(), 0, 0, bytes);
      }
    }
    try {
      copyTogether(together);
    } finally {
      Reference.reachabilityFence(copies);
    }
  }

  private void copyTogether(List<ToHost> copies) {
    if (copies.isEmpty()) {
      return;
    }
    List<Need> needs = new ArrayList<>(copies.size());
    for (ToHost each : copies) {
      needs.add(new Need(hostOf(each), false, false));
      counters.count(c -> c.copied(each.from().bytes()));
    }
    LongConsumer all = stream -> copies.forEach(each -> copyByParts(each, stream));
    pages.use(
        needs,
        () -> {
          slots.use(all);
          return 0;
        });
  }

  private static MemorySegment hostOf(ToHost copy) {
    return copy.to().segment().asSlice(0, copy.from().bytes());
  }

  private void copyByParts(ToHost copy, long stream) {
    long host = copy.to().segment().address();
    long source = own(copy.from()).address();
    pages.forEachPart(
        host,
        copy.from().bytes(),
        (at, bytes) -> driver.copy(host + at, source + at, bytes, stream));
  }

  private void copyToDevice(long target, MemorySegment host) {
    if (host.byteSize() > LaunchSlot.STAGED_BYTES_MAX) {
      copyParts(
          host,
          (at, bytes, stream) -> driver.copy(target + at, host.address() + at, bytes, stream));
      return;
    }
    slots.enqueueWithSlot(slot -> slot.copyToDevice(target, host));
  }

  /** Copies a part of host memory, at an offset in it, by a stream. */
  @FunctionalInterface
  private interface HostCopy {
    void part(long offset, long bytes, long stream);
  }

  private void copyParts(MemorySegment host, HostCopy copy) {
    counters.count(each -> each.copied(host.byteSize()));
    pages.use(
        List.of(new Need(host, false, false)),
        () -> {
          slots.use(
              stream ->
                  pages.forEachPart(
                      host.address(),
                      host.byteSize(),
                      (offset, bytes) -> copy.part(offset, bytes, stream)));
          return 0;
        });
  }

  private static void requireAlive(HostBuffer host) {
    if (!host.segment().scope().isAlive()) {
      throw new IllegalStateException("memory that is gone");
    }
  }

  @Override
  public void fill(DeviceBuffer buffer, byte value) {
    if (buffer instanceof HostBuffer host) {
      host.segment().fill(value);
    } else if (buffer.bytes() > 0) {
      CudaBuffer own = own(buffer);
      slots.enqueue(stream -> driver.fill(own.address(), value, own.bytes(), stream));
    }
  }

  /** With one wait for those that are in the GPU's memory. */
  @Override
  public void fetch(Cells cells) {
    if (forEachOnHost(cells, cells::fetch)) {
      slots.with(
          slot -> {
            slot.fetch(cells, this::address);
            return 0;
          });
    }
  }

  /** Those in the GPU's memory follow what the queue has, and are not waited for. */
  @Override
  public void store(Cells cells) {
    if (forEachOnHost(cells, cells::store)) {
      slots.enqueueWithSlot(slot -> slot.store(cells, this::address));
    }
  }

  /** Whether there are others. */
  private static boolean forEachOnHost(Cells cells, IntConsumer action) {
    boolean others = false;
    for (int i = 0; i < cells.count(); i++) {
      if (cells.buffer(i) instanceof CudaBuffer) {
        others = true;
      } else {
        action.accept(i);
      }
    }
    return others;
  }

  /** Where a cell is in the GPU's memory; {@link #NOT_REACHED} where it is in the host's. */
  private long address(Cells cells, int cell) {
    if (!(cells.buffer(cell) instanceof CudaBuffer)) {
      return NOT_REACHED;
    }
    CudaBuffer buffer = own(cells.buffer(cell));
    Objects.checkFromIndexSize(cells.offset(cell), cells.bytes(cell), buffer.bytes());
    return buffer.address() + cells.offset(cell);
  }

  private CudaBuffer own(DeviceBuffer buffer) {
    if (buffer instanceof CudaBuffer own && own.memory() == this) {
      return own;
    }
    throw new IllegalArgumentException("a buffer of another device's memory");
  }

  /** This memory's, or that of a GPU that is linked. */
  private CudaBuffer linked(DeviceBuffer buffer) {
    if (buffer instanceof CudaBuffer other && other.memory().linked == linked) {
      return other;
    }
    throw new IllegalArgumentException("a buffer of another device's memory");
  }

  /**
   * Where a kernel finds the buffer; {@link #NOT_REACHED} where it does not. What it needs of the
   * host's memory is added to {@code needs}.
   *
   * @param written whether the kernel stores to it
   */
  long reached(DeviceBuffer buffer, boolean written, HostNeeds needs) {
    if (buffer instanceof CudaBuffer own && own.memory().linked == linked) {
      return own.address();
    }
    if (buffer instanceof HostBuffer host && (buffer.bytes() == 0 || buffer.memory() == this)) {
      if (buffer.bytes() > 0) {
        requireAlive(host);
        needs.add(host.segment(), written);
      }
      return host.segment().address();
    }
    if (buffer instanceof MappedView view && view.memory() == this) {
      return reached(view, needs);
    }
    return NOT_REACHED;
  }

  private long reached(MappedView view, HostNeeds needs) {
    long address = copies.read(view.copy(), (copy, target) -> copyToDevice(target, copy.source()));
    if (address != 0) {
      needs.add(view.copy());
      return address + view.offset();
    }
    needs.add(view.segment(), false);
    return view.segment().address();
  }

  ReadCopies copies() {
    return copies;
  }

  /**
   * Whether kernels may read where the buffer is for as long as the device is open, whatever has
   * become of it: blocks of that size are not given back to the driver.
   */
  static boolean isReadable(DeviceBuffer buffer) {
    boolean isBlock =
        switch (buffer) {
          case CudaBuffer own -> own.kept() == null;
          case MappedView _ -> true;
          default -> false;
        };
    return isBlock && DeviceBlocks.staysTaken(buffer.bytes());
  }

  /** The launch has ended or is in the queue. */
  void release(HostNeeds needs) {
    needs.copies().forEach(copies::release);
  }

  @Override
  public void close() {
    closed = true;
    blocks.close();
    pages.sweep();
  }
}
