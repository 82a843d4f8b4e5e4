package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.AtomicMemory;
import io.gpdb.exec.emulated.common.BlockPersists;
import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.emulated.common.LaneMask;
import io.gpdb.exec.emulated.common.LaneRows;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Op.SpecialKind;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Steps that load, store and update elements of buffers. */
public final class MemorySteps {
  private MemorySteps() {}

  /** Finds the lanes' indices of an access, in [lo, hi) of the mask. */
  interface Indices {
    long[] of(BlockState state, LaneMask mask);
  }

  /** Indices that are i32 are widened into the state's scratch array. */
  static Indices indices(Reg index) {
    int id = index.id();
    if (index.type() == Type.I64) {
      return (s, mask) -> s.i64[id];
    }
    LaneSteps.Lanes widen = LaneLoops.convert(index, Type.I64);
    return (s, mask) -> {
      widen.run(s, s.indexScratch, mask.lo, mask.hi);
      return s.indexScratch;
    };
  }

  /** The index of lane 0 where lane i accesses that + i. */
  private interface FirstIndex {
    int of(BlockState state, LaneMask mask);
  }

  /** Where the index is GLOBAL, or THREAD + a value that all lanes have; else null. */
  private static @Nullable FirstIndex firstIndex(LaneRows rows, Reg index) {
    if (rows.special(index) == SpecialKind.GLOBAL) {
      return (s, mask) -> s.firstGlobal();
    }
    Reg start = rows.start(index);
    return start == null ? null : (s, mask) -> s.i32[start.id()][mask.lo];
  }

  /** The first element where lanes [lo, hi) access consecutive ones that all exist; else -1. */
  private static long run(FirstIndex first, BlockState state, LaneMask mask, int buffer) {
    if (state.counters != null) {
      return -1;
    }
    int start = first.of(state, mask);
    boolean exists = start >= 0 && (long) start + mask.hi <= state.elements[buffer];
    return exists && start + mask.hi >= 0 ? (long) start + mask.lo : -1;
  }

  /**
   * @param overwrite whether inactive lanes may receive any value
   */
  static BlockStep load(LaneRows rows, Op.Load op, Element element, boolean overwrite) {
    FirstIndex firstIndex = firstIndex(rows, op.index());
    int buffer = op.buffer();
    int dst = op.dst().id();
    Type type = op.dst().type();
    BlockStep anywhere = loadAnywhere(op, element);
    if (firstIndex == null) {
      return anywhere;
    }
    BufferRuns.Run runs = BufferRuns.loads(element);
    return (s, mask) -> {
      long run = mask.isDense() ? run(firstIndex, s, mask, buffer) : -1;
      if (run < 0) {
        anywhere.run(s, mask);
        return;
      }
      boolean direct = overwrite || mask.isContiguous();
      Object d = direct ? s.registers[dst] : s.scratch(type);
      runs.copy(s, s.buffers[buffer], run * element.bytes(), d, mask.lo, mask.hi);
      if (!direct) {
        mask.blend(type, d, s.registers[dst]);
      }
    };
  }

  private static BlockStep loadAnywhere(Op.Load op, Element element) {
    int buffer = op.buffer();
    int dst = op.dst().id();
    Indices indices = indices(op.index());
    Indexed load = indexedLoad(element, dst);
    boolean mayBeTable = SmallTables.serves(element);
    return (s, mask) -> {
      long[] index = indices.of(s, mask);
      s.requireInRange(index, s.elements[buffer], mask);
      AccessCount.count(s, mask, buffer, index, 1, 0);
      if (mayBeTable && SmallTables.serve(s, buffer, mask)) {
        SmallTables.load(s, element, buffer, index, s.i32[dst], mask);
      } else {
        load.run(s, s.buffers[buffer], index, mask);
      }
    };
  }

  /** Loads the elements at the active lanes' indices, or stores there. */
  private interface Indexed {
    void run(BlockState s, MemorySegment segment, long[] index, LaneMask mask);
  }

  private static Indexed indexedLoad(Element element, int dst) {
    return switch (element) {
      case I8 -> (s, segment, index, m) -> BufferLoops.loadI8(segment, index, s.i32[dst], m);
      case I16 -> (s, segment, index, m) -> BufferLoops.loadI16(segment, index, s.i32[dst], m);
      case I32 -> (s, segment, index, m) -> BufferLoops.loadI32(segment, index, s.i32[dst], m);
      case I64 -> (s, segment, index, m) -> BufferLoops.loadI64(segment, index, s.i64[dst], m);
      case F32 -> (s, segment, index, m) -> BufferLoops.loadF32(segment, index, s.f32[dst], m);
      case F64 -> (s, segment, index, m) -> BufferLoops.loadF64(segment, index, s.f64[dst], m);
    };
  }

  private static Indexed indexedStore(Element element, int a) {
    return switch (element) {
      case I8 -> (s, segment, index, m) -> BufferLoops.storeI8(segment, index, s.i32[a], m);
      case I16 -> (s, segment, index, m) -> BufferLoops.storeI16(segment, index, s.i32[a], m);
      case I32 ->
          (s, segment, index, m) -> BufferScatter.storeI32(s, segment, index, 0, s.i32[a], m);
      case I64 -> (s, segment, index, m) -> BufferScatter.storeI64(s, segment, index, s.i64[a], m);
      case F32 -> (s, segment, index, m) -> BufferScatter.storeF32(s, segment, index, s.f32[a], m);
      case F64 -> (s, segment, index, m) -> BufferScatter.storeF64(s, segment, index, s.f64[a], m);
    };
  }

  static BlockStep store(LaneRows rows, Op.Store op, Element element) {
    FirstIndex firstIndex = firstIndex(rows, op.index());
    int buffer = op.buffer();
    int value = op.value().id();
    BlockStep anywhere = storeAnywhere(op, element);
    if (firstIndex == null) {
      return anywhere;
    }
    BufferRuns.Run runs = BufferRuns.stores(element);
    return (s, mask) -> {
      long run = mask.isContiguous() ? run(firstIndex, s, mask, buffer) : -1;
      if (run < 0 || s.isTracked(buffer)) {
        anywhere.run(s, mask);
        return;
      }
      Object values = s.registers[value];
      runs.copy(s, s.buffers[buffer], run * element.bytes(), values, mask.lo, mask.hi);
    };
  }

  private static BlockStep storeAnywhere(Op.Store op, Element element) {
    int buffer = op.buffer();
    Indices indices = indices(op.index());
    Indexed store = indexedStore(element, op.value().id());
    return (s, mask) -> {
      long[] index = indices.of(s, mask);
      s.requireInRange(index, s.elements[buffer], mask);
      AccessCount.count(s, mask, buffer, index, 1, 0);
      store.run(s, s.buffers[buffer], index, mask);
      trackStores(s, mask, buffer, index, element.bytes());
    };
  }

  private static void trackStores(
      BlockState s, LaneMask mask, int buffer, long[] index, int bytes) {
    BlockPersists persists = s.persists;
    if (persists == null || !s.isTracked(buffer)) {
      return;
    }
    for (int i = mask.lo; i < mask.hi; i++) {
      if (mask.on[i] != 0) {
        persists.stored(buffer, index[i] * bytes, bytes);
      }
    }
  }

  static BlockStep atomic(Op.Atomic op, Element element) {
    int buffer = op.buffer();
    Indices indices = indices(op.index());
    return (s, mask) -> {
      long[] index = indices.of(s, mask);
      s.requireInRange(index, s.elements[buffer], mask);
      AccessCount.count(s, mask, buffer, index, 1, 0);
      trackStores(s, mask, buffer, index, element.bytes());
      if (element == Element.I32) {
        int[] compare = op.compare() == null ? s.scratchI32 : s.i32[op.compare().id()];
        int[] value = s.i32[op.value().id()];
        atomicI32(op.op(), s.buffers[buffer], index, value, compare, target(s, op.dst()), mask);
      } else {
        long[] compare = op.compare() == null ? s.scratchI64 : s.i64[op.compare().id()];
        long[] value = s.i64[op.value().id()];
        long[] d = op.dst() == null ? s.scratchI64 : s.i64[op.dst().id()];
        atomicI64(op.op(), s.buffers[buffer], index, value, compare, d, mask);
      }
    };
  }

  private static int[] target(BlockState s, @Nullable Reg dst) {
    return dst == null ? s.scratchI32 : s.i32[dst.id()];
  }

  private static void atomicI32(
      AtomicOp op,
      MemorySegment segment,
      long[] index,
      int[] value,
      int[] compare,
      int[] d,
      LaneMask mask) {
    for (int i = mask.lo; i < mask.hi; i++) {
      if (mask.on[i] != 0) {
        d[i] = AtomicMemory.i32(op, segment, index[i] << 2, value[i], compare[i]);
      }
    }
  }

  private static void atomicI64(
      AtomicOp op,
      MemorySegment segment,
      long[] index,
      long[] value,
      long[] compare,
      long[] d,
      LaneMask mask) {
    for (int i = mask.lo; i < mask.hi; i++) {
      if (mask.on[i] != 0) {
        d[i] = AtomicMemory.i64(op, segment, index[i] << 3, value[i], compare[i]);
      }
    }
  }

  static BlockStep logAppend(Op.LogAppend op) {
    int buffer = op.buffer();
    int[] words = op.words().stream().mapToInt(Reg::id).toArray();
    return (s, mask) -> {
      long[] first = firstWords(s, mask, op, s.elements[buffer]);
      AccessCount.count(s, mask, buffer, first, words.length, Op.WARP_LANES);
      for (int w = 0; w < words.length; w++) {
        int[] word = s.i32[words[w]];
        BufferScatter.storeI32(s, s.buffers[buffer], first, w * Op.WARP_LANES, word, mask);
        trackStores(s, mask, buffer, shifted(s, first, mask, w), Integer.BYTES);
      }
      if (s.counters != null) {
        s.counters.logged((long) mask.count * words.length * Integer.BYTES);
      }
    };
  }

  private static long[] shifted(BlockState s, long[] first, LaneMask mask, int word) {
    if (s.persists != null) {
      for (int i = mask.lo; i < mask.hi; i++) {
        s.scratchI64[i] = first[i] + (long) word * Op.WARP_LANES;
      }
    }
    return s.scratchI64;
  }

  /** The element of each entry's word 0; lanes whose entry does not fit have trapped. */
  private static long[] firstWords(BlockState s, LaneMask mask, Op.LogAppend op, long length) {
    long[] base = s.i64[op.base().id()];
    int[] entry = s.i32[op.entry().id()];
    long[] first = s.indexScratch;
    List<Reg> words = op.words();
    for (int i = mask.lo; i < mask.hi; i++) {
      if (mask.on[i] != 0) {
        first[i] = firstWord(base[i], entry[i], words.size(), length);
        if (first[i] < 0) {
          s.trap(i, Op.OUT_OF_RANGE, (long) s.firstGlobal() + i);
        }
      }
    }
    return first;
  }

  /** The element of the entry's word 0, or -1 where a word is outside [0, length). */
  public static long firstWord(long base, int entry, int words, long length) {
    if (entry < 0 || base < 0 || base > length) {
      return -1;
    }
    long stripe = (long) words * Op.WARP_LANES;
    long first = base + entry / Op.WARP_LANES * stripe + entry % Op.WARP_LANES;
    return first + stripe - Op.WARP_LANES >= length ? -1 : first;
  }
}
