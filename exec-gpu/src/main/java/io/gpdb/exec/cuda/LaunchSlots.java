package io.gpdb.exec.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;

/** The slots that launches and copies use; as many are made as are in use at a time. */
final class LaunchSlots implements AutoCloseable {
  private final CudaDriver driver;
  private final RegisteredPages pages;
  private final ConcurrentLinkedDeque<LaunchSlot> free = new ConcurrentLinkedDeque<>();
  private final List<LaunchSlot> all = new ArrayList<>();

  LaunchSlots(CudaDriver driver, RegisteredPages pages) {
    this.driver = driver;
    this.pages = pages;
  }

  /** Gives work to a stream, and waits for it. */
  void use(LongConsumer work) {
    with(
        slot -> {
          work.accept(slot.stream());
          driver.await(slot.stream());
          return 0;
        });
  }

  /** Has the work use a slot alone. */
  long with(ToLongFunction<LaunchSlot> work) {
    LaunchSlot slot = free.pollFirst();
    if (slot == null) {
      slot = made();
    }
    try {
      return work.applyAsLong(slot);
    } finally {
      free.addFirst(slot);
    }
  }

  private synchronized LaunchSlot made() {
    LaunchSlot slot = new LaunchSlot(driver, pages);
    all.add(slot);
    return slot;
  }

  @Override
  public synchronized void close() {
    all.forEach(LaunchSlot::close);
    all.clear();
    free.clear();
  }

  /** A stream, and memory on both sides for what a launch hands over. */
  static final class LaunchSlot {
    /** The trap word, at the front of both memories. */
    static final long TRAP_BYTES = Long.BYTES;

    private static final long FIRST_BYTES = 64 << 10;

    private final CudaDriver driver;
    private final RegisteredPages pages;
    private final long stream;
    private Arena arena = Arena.ofShared();
    private MemorySegment host = MemorySegment.NULL;
    private long device;

    private LaunchSlot(CudaDriver driver, RegisteredPages pages) {
      this.driver = driver;
      this.pages = pages;
      stream = driver.openStream();
    }

    long stream() {
      return stream;
    }

    /** Makes both memories that large at least; what was in them may be gone. */
    void reserve(long bytes) {
      if (host.byteSize() >= bytes) {
        return;
      }
      long size = Math.max(FIRST_BYTES, Long.highestOneBit(bytes - 1) << 1);
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
      resetTrap();
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

    /** Copies the first bytes to the GPU. */
    void hand(long bytes) {
      driver.copy(device, host.address(), bytes, stream);
    }

    /** Waits, and returns the smallest trap's key; the word is as before a launch again. */
    long awaitTrap(long none) {
      driver.copy(host.address(), device, TRAP_BYTES, stream);
      driver.await(stream);
      long key = host.get(ValueLayout.JAVA_LONG, 0);
      if (key != none) {
        resetTrap();
      }
      return key;
    }

    private void resetTrap() {
      host.set(ValueLayout.JAVA_LONG, 0, Long.MAX_VALUE);
      hand(TRAP_BYTES);
      driver.await(stream);
    }

    private void release() {
      if (host.byteSize() > 0) {
        pages.forget(host);
        driver.free(device);
      }
      arena.close();
      host = MemorySegment.NULL;
    }

    private void close() {
      release();
      driver.closeStream(stream);
    }
  }
}
