package io.gpdb.exec.cuda;

import io.gpdb.exec.ExecutionCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;

/**
 * The slots that launches and copies use: as many are made as are in use at a time, up to a limit
 * for those of the queue.
 */
final class LaunchSlots implements AutoCloseable {
  /** Slots that work of the queue uses, until the queue is waited for. */
  private static final int QUEUED_MAX = 64;

  private final CudaDriver driver;
  private final RegisteredPages pages;
  private final LaunchCounters counters;
  private final LaunchQueue queue;
  private final SlotMemory memory;
  private final ConcurrentLinkedDeque<LaunchSlot> free = new ConcurrentLinkedDeque<>();
  private final ConcurrentLinkedDeque<Queued> queued = new ConcurrentLinkedDeque<>();
  private final AtomicInteger queuedCount = new AtomicInteger();
  private final List<LaunchSlot> all = new ArrayList<>();

  /** A slot that the queue's work of that number uses. */
  private record Queued(LaunchSlot slot, long number) {}

  LaunchSlots(CudaDriver driver, RegisteredPages pages, LaunchCounters counters) {
    this.driver = driver;
    this.pages = pages;
    this.counters = counters;
    queue = new LaunchQueue(driver, pages);
    memory = new SlotMemory(driver, pages);
  }

  /** Gives work to a stream, and waits for it. */
  void use(LongConsumer work) {
    with(
        slot -> {
          work.accept(slot.stream());
          slot.await();
          return 0;
        });
  }

  /** Has the work use a slot alone; it waits for what it gave to the slot's stream. */
  long with(ToLongFunction<LaunchSlot> work) {
    LaunchSlot slot = taken();
    try {
      slot.queued(!queue.isEmpty());
      return work.applyAsLong(slot);
    } finally {
      free.addFirst(slot);
    }
  }

  /** Has work of the GPU's memory alone follow what the queue has; nobody waits for it. */
  void enqueue(LongConsumer work) {
    work.accept(queue.stream());
    queue.given();
  }

  /** As {@link #enqueue}, for work that is handed something in a slot's memory. */
  void enqueueWithSlot(Consumer<LaunchSlot> work) {
    LaunchSlot slot = taken();
    boolean isGiven = false;
    try {
      slot.queued(true);
      work.accept(slot);
      isGiven = true;
    } finally {
      if (!isGiven) {
        queue.given();
        queue.await();
        free.addFirst(slot);
      }
    }
    queued.addLast(new Queued(slot, queue.given()));
    if (queuedCount.incrementAndGet() >= QUEUED_MAX) {
      awaitQueue();
    }
  }

  /** Waits for what the queue has. */
  void finish() {
    if (!queue.isEmpty()) {
      awaitQueue();
    }
  }

  /** The trap word of launches that nobody waits for. */
  long queueTrap() {
    return queue.trapAddress();
  }

  private void awaitQueue() {
    counters.count(ExecutionCounters::waited);
    queue.await();
  }

  private LaunchSlot taken() {
    Queued first = queued.peekFirst();
    while (first != null && queue.hasEnded(first.number)) {
      if (queued.remove(first)) {
        queuedCount.decrementAndGet();
        free.addFirst(first.slot);
      }
      first = queued.peekFirst();
    }
    LaunchSlot slot = free.pollFirst();
    return slot == null ? made() : slot;
  }

  private synchronized LaunchSlot made() {
    LaunchSlot slot = new LaunchSlot(driver, pages, memory, queue, counters);
    all.add(slot);
    return slot;
  }

  @Override
  public synchronized void close() {
    try (queue) {
      queue.await();
    } finally {
      all.forEach(LaunchSlot::close);
      memory.close();
      all.clear();
      free.clear();
      queued.clear();
    }
  }
}
