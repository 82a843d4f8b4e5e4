package io.gpdb.exec.cuda;

import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.emulated.common.BlockTraps;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The order of work that nobody waits for: launches, copies and fills of the GPU's memory alone.
 * Thread-safe.
 *
 * <ul>
 *   <li>Work is carried out in the order in which it was given, whichever thread gave it. So memory
 *       that is freed behind a launch may be taken at once, for work that comes later.
 *   <li>Whoever waits for work of its own, or for a copy to the host, waits behind the queue: while
 *       the queue is not empty, that work is given to its stream too.
 *   <li>A piece of work counts as given when its call returns. What may depend on it begins after.
 * </ul>
 */
final class LaunchQueue implements AutoCloseable {
  private final CudaDriver driver;
  private final RegisteredPages pages;
  private final long stream;
  private final Arena arena = Arena.ofShared();

  /** The smallest trap of the queue's launches; the GPU stores to it, which it rarely does. */
  private final MemorySegment trap;

  private final AtomicLong given = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();

  LaunchQueue(CudaDriver driver, RegisteredPages pages) {
    this.driver = driver;
    this.pages = pages;
    trap = arena.allocate(RegisteredPages.PAGE_BYTES, RegisteredPages.PAGE_BYTES);
    trap.set(ValueLayout.JAVA_LONG, 0, BlockTraps.NONE);
    pages.use(List.of(new RegisteredPages.Need(trap, true, true)), () -> 0);
    stream = driver.openStream();
  }

  long stream() {
    return stream;
  }

  long trapAddress() {
    return trap.address();
  }

  boolean isEmpty() {
    return given.get() == ended.get();
  }

  /** The number of the work that the caller has given to the stream. */
  long given() {
    return given.incrementAndGet();
  }

  boolean hasEnded(long number) {
    return number <= ended.get();
  }

  /** Waits for all that was given. */
  void await() {
    long last = given.get();
    driver.await(stream);
    ended.accumulateAndGet(last, Math::max);
    VarHandle.fullFence();
    long key = trap.get(ValueLayout.JAVA_LONG, 0);
    if (key != BlockTraps.NONE) {
      trap.set(ValueLayout.JAVA_LONG, 0, BlockTraps.NONE);
      KernelTrap cause = new KernelTrap("", BlockTraps.code(key), BlockTraps.detail(key));
      throw new GpdbException(ErrorCode.INTERNAL, "a launch before failed", cause);
    }
  }

  @Override
  public void close() {
    driver.closeStream(stream);
    pages.forget(trap);
    arena.close();
  }
}
