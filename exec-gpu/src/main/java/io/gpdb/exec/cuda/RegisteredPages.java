package io.gpdb.exec.cuda;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongSupplier;

/**
 * Which pages of the host's memory kernels reach. Pages are registered when a launch first needs
 * them, for the segment that it binds. When that segment's memory is freed, the system may map
 * other pages at the same addresses, while the GPU still has the old ones: so a registration whose
 * segment is gone is never used again, but ended by whoever meets it, when nothing runs that may
 * use it. All devices of a process share them, whichever GPU they are on. Thread-safe.
 */
final class RegisteredPages {
  static final long PAGE_BYTES = 4096;

  /** Registrations until those whose segments are gone are looked for. */
  private static final int SWEEP_EVERY = 64;

  private final HostPages driver;

  /** Read: launches and copies run. Write: a registration is ended that they might use. */
  private final ReentrantReadWriteLock uses = new ReentrantReadWriteLock();

  /** By first address; they do not overlap. Guarded by this. */
  private final TreeMap<Long, Range> ranges = new TreeMap<>();

  private int sinceSweep;

  /** Those of memory that was registered as a whole and stays so until it is forgotten. */
  private final Set<MemorySegment.Scope> whole = ConcurrentHashMap.newKeySet();

  /** Pages that were registered by one call, for a segment that is good as long as the scope. */
  private record Range(long start, long end, boolean readOnly, MemorySegment.Scope scope) {}

  /**
   * Host memory that a piece of work uses.
   *
   * @param reached whether kernels use it: otherwise copies alone, which need no registration
   * @param written whether kernels store to it
   */
  record Need(MemorySegment segment, boolean reached, boolean written) {
    long start() {
      return segment.address() & -PAGE_BYTES;
    }

    long end() {
      return (segment.address() + segment.byteSize() + PAGE_BYTES - 1) & -PAGE_BYTES;
    }
  }

  /** A part of host memory: all of it registered by one call, or none of it. */
  @FunctionalInterface
  interface Part {
    void accept(long offset, long bytes);
  }

  RegisteredPages(HostPages driver) {
    this.driver = driver;
  }

  /**
   * Does work that uses host memory. The work itself calls nothing of this class that registers or
   * ends registrations of what others may use.
   *
   * @throws GpdbException NOT_SUPPORTED where the system does not let kernels reach the pages, as
   *     those of a file on a disk for stores
   */
  long use(List<Need> needs, LongSupplier work) {
    assert uses.getReadHoldCount() == 0 : "a use inside of another: it could wait for itself";
    Lock using = uses.readLock();
    if (isSweepDue()) {
      sweep();
    }
    while (true) {
      using.lock();
      try {
        if (prepare(needs)) {
          return work.getAsLong();
        }
      } finally {
        using.unlock();
      }
      endStale(needs);
    }
  }

  /** Registers memory that is alone in its scope, until {@link #forget}. */
  void registerWhole(MemorySegment segment) {
    use(List.of(new Need(segment, true, true)), () -> 0);
    whole.add(segment.scope());
  }

  /** Whether all memory of the scope is registered. */
  boolean isWhole(MemorySegment.Scope scope) {
    return whole.contains(scope);
  }

  private synchronized boolean isSweepDue() {
    return sinceSweep >= SWEEP_EVERY;
  }

  /** Whether no registration of freed memory is in the way; registers what is missing. */
  private synchronized boolean prepare(List<Need> needs) {
    for (Need need : needs) {
      if (need.reached ? !register(need) : !areAlive(overlapping(need))) {
        return false;
      }
    }
    return true;
  }

  private static boolean areAlive(Map<Long, Range> ranges) {
    return ranges.values().stream().allMatch(range -> range.scope.isAlive());
  }

  private Map<Long, Range> overlapping(Need need) {
    Map.Entry<Long, Range> floor = ranges.floorEntry(need.start());
    boolean reachesIn = floor != null && floor.getValue().end > need.start();
    return ranges.subMap(reachesIn ? floor.getValue().start : need.start(), need.end());
  }

  /**
   * Registers what is missing; one look for each registration that is there, because a launch over
   * many tablets needs thousands. False where one of freed memory is in the way.
   */
  private boolean register(Need need) {
    long at = need.start();
    while (at < need.end()) {
      Map.Entry<Long, Range> floor = ranges.floorEntry(at);
      Range known = floor == null || floor.getValue().end <= at ? null : floor.getValue();
      if (known == null) {
        Long next = ranges.higherKey(at);
        long end = next == null ? need.end() : Math.min(need.end(), next);
        known = registered(at, end, need);
        ranges.put(at, known);
        sinceSweep++;
      } else if (!known.scope.isAlive()) {
        return false;
      } else if (known.readOnly && need.written) {
        throw refused(need);
      }
      at = known.end;
    }
    return true;
  }

  private Range registered(long start, long end, Need need) {
    MemorySegment.Scope scope = need.segment.scope();
    if (driver.register(start, end - start, false)) {
      return new Range(start, end, false, scope);
    }
    if (need.written || !driver.register(start, end - start, true)) {
      throw refused(need);
    }
    return new Range(start, end, true, scope);
  }

  private static GpdbException refused(Need need) {
    return new GpdbException(
        ErrorCode.NOT_SUPPORTED,
        "the system does not let the GPU reach these %d bytes of a mapped file; on tmpfs it does"
            .formatted(need.segment.byteSize()));
  }

  /** Ends the registrations of freed memory that are in the way. */
  private void endStale(List<Need> needs) {
    Lock alone = uses.writeLock();
    alone.lock();
    try {
      synchronized (this) {
        for (Need need : needs) {
          end(overlapping(need).values().iterator());
        }
      }
    } finally {
      alone.unlock();
    }
  }

  private void end(Iterator<Range> each) {
    while (each.hasNext()) {
      Range range = each.next();
      if (!range.scope.isAlive()) {
        each.remove();
        driver.unregister(range.start);
      }
    }
  }

  /** The parts that a copy of host memory is made of: the driver copies no other at once. */
  void forEachPart(long address, long bytes, Part part) {
    long at = address;
    while (at < address + bytes) {
      long end = Math.min(address + bytes, partEnd(at));
      part.accept(at - address, end - at);
      at = end;
    }
  }

  private synchronized long partEnd(long at) {
    Map.Entry<Long, Range> floor = ranges.floorEntry(at);
    if (floor != null && floor.getValue().end > at) {
      return floor.getValue().end;
    }
    Long next = ranges.higherKey(at);
    return next == null ? Long.MAX_VALUE : next;
  }

  /** The segment's memory, which nothing uses, is about to go back to the system, as a whole. */
  synchronized void forget(MemorySegment segment) {
    whole.remove(segment.scope());
    long end = segment.address() + segment.byteSize();
    for (Range range : List.copyOf(ranges.subMap(segment.address(), end).values())) {
      ranges.remove(range.start);
      driver.unregister(range.start);
    }
  }

  /** Ends all registrations of freed memory. */
  void sweep() {
    Lock alone = uses.writeLock();
    alone.lock();
    try {
      endAllStale();
    } finally {
      alone.unlock();
    }
  }

  private synchronized void endAllStale() {
    sinceSweep = 0;
    end(ranges.values().iterator());
  }
}
