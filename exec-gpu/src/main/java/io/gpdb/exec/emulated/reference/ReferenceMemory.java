package io.gpdb.exec.emulated.reference;

import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.emulated.common.BlockTraps;
import io.gpdb.exec.emulated.common.LaneMath;
import io.gpdb.exec.emulated.common.PersistEffects;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Op.FenceScope;
import io.gpdb.exec.ir.Op.PersistScope;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The memory of one block in the reference executor: buffers, shared arrays, traps, counters. */
public final class ReferenceMemory {
  private static final int WARP = Op.WARP_LANES;
  private static final int SECTOR_BYTES = 32;
  private static final int LINE_BYTES = 128;

  private final Kernel kernel;
  private final long firstGlobal;
  private final MemorySegment[] buffers;
  private final Element[] elements;
  private final long[] lengths;
  private final long[][] shared;
  private final boolean[] trapped;
  private final BlockTraps traps;
  private final @Nullable PersistEffects persists;
  private final @Nullable ExecutionCounters counters;
  private final Set<Long> warpSectors = new HashSet<>();
  private int accessWarp = -1;

  public ReferenceMemory(
      Kernel kernel,
      int block,
      MemorySegment[] buffers,
      BlockTraps traps,
      @Nullable PersistEffects persists,
      @Nullable ExecutionCounters counters) {
    this.kernel = kernel;
    this.firstGlobal = (long) block * kernel.blockSize();
    this.buffers = buffers;
    this.elements = new Element[buffers.length];
    this.lengths = new long[buffers.length];
    for (int i = 0; i < buffers.length; i++) {
      elements[i] = kernel.buffers().get(i).element();
      lengths[i] = buffers[i].byteSize() / elements[i].bytes();
    }
    this.shared = new long[kernel.shared().size()][];
    for (int i = 0; i < shared.length; i++) {
      shared[i] = new long[kernel.shared().get(i).size()];
    }
    this.trapped = new boolean[kernel.blockSize()];
    this.traps = traps;
    this.persists = persists;
    this.counters = counters;
  }

  long global(int lane) {
    return firstGlobal + lane;
  }

  boolean hasTrapped(int lane) {
    return trapped[lane];
  }

  void trap(int lane, int code, long detail) {
    trapped[lane] = true;
    traps.trap(code, detail);
  }

  /** Whether the element exists; where not, the lane has trapped. */
  boolean inBuffer(int lane, int buffer, long index) {
    return inRange(lane, index, lengths[buffer]);
  }

  boolean inShared(int lane, int array, long index) {
    return inRange(lane, index, shared[array].length);
  }

  private boolean inRange(int lane, long index, long length) {
    if (index >= 0 && index < length) {
      return true;
    }
    trap(lane, Op.OUT_OF_RANGE, global(lane));
    return false;
  }

  long load(int lane, int buffer, long index) {
    countAccess(lane, buffer, index);
    MemorySegment segment = buffers[buffer];
    return switch (elements[buffer]) {
      case I8 -> segment.getAtIndex(ValueLayout.JAVA_BYTE, index);
      case I16 -> segment.getAtIndex(ValueLayout.JAVA_SHORT, index);
      case I32, F32 -> segment.getAtIndex(ValueLayout.JAVA_INT, index);
      case I64, F64 -> segment.getAtIndex(ValueLayout.JAVA_LONG, index);
    };
  }

  void store(int lane, int buffer, long index, long bits) {
    countAccess(lane, buffer, index);
    noteStored(lane, buffer, index);
    MemorySegment segment = buffers[buffer];
    long stored = LaneMath.canonical(elements[buffer].register(), bits);
    switch (elements[buffer]) {
      case I8 -> segment.setAtIndex(ValueLayout.JAVA_BYTE, index, (byte) stored);
      case I16 -> segment.setAtIndex(ValueLayout.JAVA_SHORT, index, (short) stored);
      case I32, F32 -> segment.setAtIndex(ValueLayout.JAVA_INT, index, (int) stored);
      case I64, F64 -> segment.setAtIndex(ValueLayout.JAVA_LONG, index, stored);
    }
  }

  private void noteStored(int lane, int buffer, long index) {
    if (persists != null && kernel.buffers().get(buffer).space() == Kernel.Space.PERSISTENT) {
      int bytes = elements[buffer].bytes();
      persists.storing(lane, buffer, index * bytes, bytes);
    }
  }

  long loadShared(int array, long index) {
    return shared[array][(int) index];
  }

  void storeShared(int array, long index, long bits) {
    shared[array][(int) index] =
        switch (kernel.shared().get(array).element()) {
          case I8 -> (byte) bits;
          case I16 -> (short) bits;
          case I32, F32 -> (int) bits;
          case I64, F64 -> bits;
        };
  }

  long atomic(int lane, AtomicOp op, int buffer, long index, long value, long compare) {
    countAccess(lane, buffer, index);
    noteStored(lane, buffer, index);
    MemorySegment segment = buffers[buffer];
    boolean narrow = elements[buffer] == Element.I32;
    VarHandle handle =
        narrow ? ValueLayout.JAVA_INT.varHandle() : ValueLayout.JAVA_LONG.varHandle();
    long offset = index * elements[buffer].bytes();
    while (true) {
      long old =
          narrow
              ? (int) handle.getVolatile(segment, offset)
              : (long) handle.getVolatile(segment, offset);
      long next = updated(op, old, value, compare);
      boolean done =
          narrow
              ? handle.compareAndSet(segment, offset, (int) old, (int) next)
              : handle.compareAndSet(segment, offset, old, next);
      if (done) {
        return old;
      }
    }
  }

  long atomicShared(AtomicOp op, int array, long index, long value, long compare) {
    long old = loadShared(array, index);
    storeShared(array, index, updated(op, old, value, compare));
    return old;
  }

  private static long updated(AtomicOp op, long old, long value, long compare) {
    return switch (op) {
      case ADD -> old + value;
      case MIN -> Math.min(old, value);
      case MAX -> Math.max(old, value);
      case AND -> old & value;
      case OR -> old | value;
      case EXCHANGE -> value;
      case CAS -> old == compare ? value : old;
    };
  }

  void logAppend(int lane, int buffer, long base, int entry, long[] words) {
    long length = lengths[buffer];
    long stripe = (long) words.length * WARP;
    boolean known = entry >= 0 && base >= 0 && base <= length;
    long first = known ? base + entry / WARP * stripe + entry % WARP : -1;
    if (!known || first + stripe - WARP >= length) {
      trap(lane, Op.OUT_OF_RANGE, global(lane));
      return;
    }
    for (int w = 0; w < words.length; w++) {
      store(lane, buffer, first + (long) w * WARP, words[w]);
    }
    if (counters != null) {
      counters.logged((long) words.length * Integer.BYTES);
    }
  }

  void fence(FenceScope scope, boolean[] active) {
    if (persists != null) {
      persists.fencing(scope, active);
    }
    VarHandle.fullFence();
    if (counters != null) {
      counters.fenced(scope, warps(active, active));
    }
  }

  void persist(PersistScope scope, boolean[] active) {
    long warps = warps(active, active);
    if (warps == 0) {
      return;
    }
    if (persists != null) {
      persists.persisting(scope, active);
    }
    if (counters != null && scope != PersistScope.KERNEL) {
      counters.persisted(scope, scope == PersistScope.WORKITEM ? warps : 1);
    }
  }

  void branched(boolean[] one, boolean[] other) {
    if (counters == null) {
      return;
    }
    boolean[] either = new boolean[one.length];
    for (int lane = 0; lane < one.length; lane++) {
      either[lane] = one[lane] || other[lane];
    }
    counters.branched(warps(either, either), warps(one, other));
  }

  /** Warps with a lane in the one set and a lane in the other. */
  private static long warps(boolean[] one, boolean[] other) {
    long warps = 0;
    for (int start = 0; start < one.length; start += WARP) {
      warps += anyIn(one, start) && anyIn(other, start) ? 1 : 0;
    }
    return warps;
  }

  private static boolean anyIn(boolean[] lanes, int start) {
    for (int lane = start; lane < start + WARP; lane++) {
      if (lanes[lane]) {
        return true;
      }
    }
    return false;
  }

  // Accesses of one operation are counted warp by warp

  void beginAccess() {
    accessWarp = -1;
  }

  void endAccess() {
    if (counters != null && accessWarp >= 0) {
      long lines =
          warpSectors.stream().map(s -> s / (LINE_BYTES / SECTOR_BYTES)).distinct().count();
      counters.accessed(1, warpSectors.size(), lines);
    }
    warpSectors.clear();
    accessWarp = -1;
  }

  private void countAccess(int lane, int buffer, long index) {
    if (counters == null) {
      return;
    }
    if (lane / WARP != accessWarp) {
      endAccess();
      accessWarp = lane / WARP;
    }
    long address = buffers[buffer].address() + index * elements[buffer].bytes();
    warpSectors.add(address / SECTOR_BYTES);
  }
}
