package io.gpdb.simulation.medium;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.ForwardingDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.PersistCounters;
import io.gpdb.storage.memory.PersistenceDomain;
import io.gpdb.storage.memory.PersistentMemory;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A directory whose memories fail on request, for tests and campaigns: growth with a full disk,
 * which leaves them as they were; stores, whole or half done, and drains with an I/O error, which
 * poisons them.
 */
public final class FaultyDirectory extends ForwardingDirectory {
  /** What can fail. */
  public enum Fault {
    GROW,
    STORE,
    DRAIN
  }

  /** How much of a store that fails arrives, in halves: 0 nothing, 1 the first half, 2 all. */
  public synchronized void failedStoresLeave(int halves) {
    halvesLeft = halves;
  }

  private synchronized long left(long bytes) {
    return bytes * halvesLeft / 2;
  }

  /** One act on a memory. */
  public record Act(Fault fault, String memory, int number) {}

  private final Map<PersistentMemory, FaultyMemory> memories = new HashMap<>();
  private Predicate<Act> failing = act -> false;
  private int acts;
  private int halvesLeft;

  public FaultyDirectory(StorageDirectory inner) {
    super(inner);
  }

  /** What is beneath, which never fails. */
  public StorageDirectory inner() {
    return inner;
  }

  /** From now on the acts that the predicate names fail; they are numbered from 0 again. */
  public synchronized void failWhen(Predicate<Act> newFailing) {
    failing = newFailing;
    acts = 0;
  }

  /** How many acts there were since {@link #failWhen}. */
  public synchronized int acts() {
    return acts;
  }

  private synchronized boolean fails(Fault fault, String memory) {
    return failing.test(new Act(fault, memory, acts++));
  }

  @Override
  public synchronized PersistentMemory open(String name, long initialSizeBytes) {
    boolean creates = !inner.exists(name);
    if (creates && fails(Fault.GROW, name)) {
      throw new GpdbException(ErrorCode.DISK_FULL, "disk is full, as asked for: memory=" + name);
    }
    return memories.compute(
        inner.open(name, initialSizeBytes),
        (memory, old) -> old == null || old.closed ? new FaultyMemory(memory) : old);
  }

  private final class FaultyMemory implements PersistentMemory {
    private final PersistentMemory memory;
    private volatile boolean poisoned;
    private volatile boolean closed;

    FaultyMemory(PersistentMemory memory) {
      this.memory = memory;
    }

    private void act(Fault fault) {
      checkPoison();
      if (fails(fault, memory.name())) {
        poisoned = true;
        throw new GpdbException(
            ErrorCode.IO_ERROR, fault + " failed, as asked for: memory=" + memory.name());
      }
    }

    private void checkPoison() {
      if (poisoned) {
        throw new GpdbException(
            ErrorCode.POISONED, "memory is not usable: memory=" + memory.name());
      }
    }

    @Override
    public String name() {
      return memory.name();
    }

    @Override
    public PersistenceDomain domain() {
      return memory.domain();
    }

    @Override
    public long sizeBytes() {
      return memory.sizeBytes();
    }

    @Override
    public void grow(long newSizeBytes) {
      checkPoison();
      if (newSizeBytes > sizeBytes() && fails(Fault.GROW, name())) {
        throw new GpdbException(
            ErrorCode.DISK_FULL, "disk is full, as asked for: memory=" + name());
      }
      memory.grow(newSizeBytes);
    }

    /** Fails as a store does. */
    @Override
    public void shrink(long newSizeBytes) {
      act(Fault.STORE);
      memory.shrink(newSizeBytes);
    }

    @Override
    public void store(long offset, MemorySegment source) {
      try {
        act(Fault.STORE);
      } catch (GpdbException e) {
        if (e.code() == ErrorCode.IO_ERROR) {
          memory.store(offset, source.asSlice(0, left(source.byteSize())));
        }
        throw e;
      }
      memory.store(offset, source);
    }

    @Override
    public void load(long offset, MemorySegment target) {
      checkPoison();
      memory.load(offset, target);
    }

    @Override
    public MemorySegment view(long offset, long bytes, boolean writable) {
      checkPoison();
      return memory.view(offset, bytes, writable);
    }

    @Override
    public void flush(long offset, long bytes) {
      checkPoison();
      memory.flush(offset, bytes);
    }

    @Override
    public void drain() {
      act(Fault.DRAIN);
      memory.drain();
    }

    @Override
    public PersistCounters counters() {
      return memory.counters();
    }

    @Override
    public void close() {
      closed = true;
      memory.close();
    }
  }
}
