package io.gpdb.exec.cuda;

import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.emulated.common.BlockTraps;
import io.gpdb.storage.memory.Cells;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stream, and memory on both sides for what a launch or a copy hands over: a part of what slots
 * share, or more where one hand-over has needed more.
 */
final class LaunchSlot implements AutoCloseable {
  /**
   * At the front of both memories: the trap word of kernels whose text traps, on the GPU, and that
   * of others, on the host.
   */
  static final long HEAD_BYTES = 2 * Long.BYTES;

  /** Copies of up to this many bytes go through the slot's memory. */
  static final long STAGED_BYTES_MAX = 128 << 10;

  private final CudaDriver driver;
  private final RegisteredPages pages;
  private final LaunchQueue queue;
  private final LaunchCounters counters;
  private final SlotMemory shared;

  /** The slot's own; 0 until it is needed. */
  private long stream;

  /** What the slot has of the shared memory; null where it has none, or memory of its own. */
  private SlotMemory.@Nullable Part part;

  private @Nullable Arena arena;
  private MemorySegment host = MemorySegment.NULL;
  private long device;

  private boolean isQueued;

  LaunchSlot(
      CudaDriver driver,
      RegisteredPages pages,
      SlotMemory shared,
      LaunchQueue queue,
      LaunchCounters counters) {
    this.driver = driver;
    this.pages = pages;
    this.shared = shared;
    this.queue = queue;
    this.counters = counters;
  }

  /** Whether the slot's work goes behind that of the queue from now on. */
  void queued(boolean behindQueue) {
    isQueued = behindQueue;
  }

  long stream() {
    return isQueued ? queue.stream() : own();
  }

  private long own() {
    if (stream == 0) {
      stream = driver.openStream();
    }
    return stream;
  }

  void await() {
    counters.count(ExecutionCounters::waited);
    if (isQueued) {
      queue.await();
    } else {
      driver.await(own());
    }
  }

  /** Makes both memories that large at least; what was in them may be gone. */
  void reserve(long bytes) {
    if (host.byteSize() >= bytes) {
      return;
    }
    if (bytes <= SlotMemory.SLOT_BYTES) {
      SlotMemory.Part taken = shared.take(this::own);
      part = taken;
      host = taken.host();
      device = taken.device();
    } else {
      reserveOwn(Long.highestOneBit(bytes - 1) << 1);
      resetTraps();
    }
  }

  private void reserveOwn(long size) {
    Arena larger = Arena.ofShared();
    try {
      MemorySegment pinned = larger.allocate(size, RegisteredPages.PAGE_BYTES);
      pages.use(List.of(new RegisteredPages.Need(pinned, true, true)), () -> 0);
      long memory = allocated(size, pinned);
      release();
      arena = larger;
      host = pinned;
      device = memory;
    } catch (RuntimeException | Error e) {
      larger.close();
      throw e;
    }
  }

  private long allocated(long size, MemorySegment pinned) {
    try {
      return driver.allocate(size);
    } catch (RuntimeException | Error e) {
      pages.forget(pinned);
      throw e;
    }
  }

  /** Pinned memory of the host. */
  MemorySegment host() {
    return host;
  }

  /** The GPU's memory of the same size. */
  long device() {
    return device;
  }

  /** Copies what is behind the head to the GPU, up to that number of bytes from the front. */
  void hand(long bytes) {
    counters.count(each -> each.copied(bytes - HEAD_BYTES));
    driver.copy(device + HEAD_BYTES, host.address() + HEAD_BYTES, bytes - HEAD_BYTES, stream());
  }

  /** Where a launch that is waited for leaves its trap. */
  long trapAddress(boolean trapsByText) {
    return trapsByText ? device : host.address() + Long.BYTES;
  }

  /** Waits, and returns the smallest trap's key; the word is as before a launch again. */
  long awaitTrap(boolean trapsByText) {
    if (trapsByText) {
      counters.count(each -> each.copied(Long.BYTES));
      driver.copy(host.address(), device, Long.BYTES, stream());
    }
    try {
      await();
    } catch (RuntimeException e) {
      takeTrap(trapsByText);
      throw e;
    }
    return takeTrap(trapsByText);
  }

  private long takeTrap(boolean trapsByText) {
    long key = host.get(ValueLayout.JAVA_LONG, trapsByText ? 0 : Long.BYTES);
    if (key != BlockTraps.NONE) {
      resetTraps();
    }
    return key;
  }

  /** Copies through the slot's memory, and waits. */
  void copyToHost(MemorySegment to, long from) {
    long n = to.byteSize();
    reserve(HEAD_BYTES + n);
    counters.count(each -> each.copied(n));
    driver.copy(host.address() + HEAD_BYTES, from, n, stream());
    await();
    MemorySegment.copy(host, HEAD_BYTES, to, 0, n);
  }

  /** Copies through the slot's memory, which the copy uses until it has ended. */
  void copyToDevice(long to, MemorySegment from) {
    long n = from.byteSize();
    reserve(HEAD_BYTES + n);
    counters.count(each -> each.copied(n));
    MemorySegment.copy(from, 0, host, HEAD_BYTES, n);
    driver.copy(to, host.address() + HEAD_BYTES, n, stream());
  }

  /** Where a cell is on the GPU; {@link CudaMemory#NOT_REACHED} for one to be left out. */
  @FunctionalInterface
  interface CellAddress {
    long of(Cells cells, int cell);
  }

  /** Copies cells through the slot's memory, and waits. */
  void fetch(Cells cells, CellAddress address) {
    reserve(HEAD_BYTES + (long) Cells.CELL_BYTES * cells.count());
    for (int i = 0; i < cells.count(); i++) {
      long from = address.of(cells, i);
      if (from != CudaMemory.NOT_REACHED) {
        int n = cells.bytes(i);
        counters.count(each -> each.copied(n));
        driver.copy(host.address() + HEAD_BYTES + (long) Cells.CELL_BYTES * i, from, n, stream());
      }
    }
    await();
    for (int i = 0; i < cells.count(); i++) {
      if (address.of(cells, i) != CudaMemory.NOT_REACHED) {
        cells.set(i, host.get(ValueLayout.JAVA_LONG, HEAD_BYTES + (long) Cells.CELL_BYTES * i));
      }
    }
  }

  /** Copies cells through the slot's memory, which the copies use until they have ended. */
  void store(Cells cells, CellAddress address) {
    reserve(HEAD_BYTES + (long) Cells.CELL_BYTES * cells.count());
    for (int i = 0; i < cells.count(); i++) {
      long to = address.of(cells, i);
      if (to != CudaMemory.NOT_REACHED) {
        int n = cells.bytes(i);
        counters.count(each -> each.copied(n));
        long at = HEAD_BYTES + (long) Cells.CELL_BYTES * i;
        host.set(ValueLayout.JAVA_LONG, at, cells.word(i));
        driver.copy(to, host.address() + at, n, stream());
      }
    }
  }

  private void resetTraps() {
    SlotMemory.clearTraps(host);
    driver.copy(device, host.address(), HEAD_BYTES, own());
    driver.await(own());
  }

  private void release() {
    if (part != null) {
      shared.give(part);
      part = null;
    } else if (arena != null) {
      pages.forget(host);
      driver.free(device);
      arena.close();
      arena = null;
    }
    host = MemorySegment.NULL;
  }

  @Override
  public void close() {
    release();
    if (stream != 0) {
      driver.closeStream(stream);
    }
  }
}
