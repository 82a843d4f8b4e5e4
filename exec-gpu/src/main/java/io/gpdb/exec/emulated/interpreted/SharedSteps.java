package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.AtomicMemory;
import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.emulated.common.LaneMask;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.SharedArray;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Reg;

/**
 * Steps on the arrays that the lanes of a block share. Each kind of array has loops of its own,
 * which a step gets when it is made: of a loop for all HotSpot compiles what it has seen.
 */
final class SharedSteps {
  /** A mask is mixed where more than one lane in so many is active, and as many are not. */
  private static final int MIXED_SHARE = 8;

  private SharedSteps() {}

  /** The step's loop over lanes whose indices are in range. */
  private interface Access {
    void run(BlockState s, Object array, long[] index, LaneMask mask);
  }

  private static BlockStep step(int array, Reg index, int length, Access access) {
    MemorySteps.Indices indices = MemorySteps.indices(index);
    return (s, mask) -> {
      long[] at = indices.of(s, mask);
      s.requireInRange(at, length, mask);
      access.run(s, s.shared[array], at, mask);
    };
  }

  static BlockStep load(Op.LoadShared op, SharedArray of) {
    int dst = op.dst().id();
    Access access =
        switch (of.element()) {
          case I8, I16, I32 -> (s, array, at, mask) -> load((int[]) array, at, s.i32[dst], mask);
          case I64 -> (s, array, at, mask) -> load((long[]) array, at, s.i64[dst], mask);
          case F32 -> (s, array, at, mask) -> load((float[]) array, at, s.f32[dst], mask);
          case F64 -> (s, array, at, mask) -> load((double[]) array, at, s.f64[dst], mask);
        };
    return step(op.array(), op.index(), of.size(), access);
  }

  private static void load(int[] array, long[] index, int[] d, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        d[i] = array[(int) index[i]];
      }
    }
  }

  private static void load(long[] array, long[] index, long[] d, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        d[i] = array[(int) index[i]];
      }
    }
  }

  private static void load(float[] array, long[] index, float[] d, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        d[i] = array[(int) index[i]];
      }
    }
  }

  private static void load(double[] array, long[] index, double[] d, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        d[i] = array[(int) index[i]];
      }
    }
  }

  static BlockStep store(Op.StoreShared op, SharedArray of) {
    int value = op.value().id();
    Element element = of.element();
    Access access =
        switch (element) {
          case I8, I16 ->
              (s, array, at, mask) -> storeNarrow((int[]) array, element, at, s.i32[value], mask);
          case I32 -> (s, array, at, mask) -> store((int[]) array, at, s.i32[value], mask);
          case I64 -> (s, array, at, mask) -> store((long[]) array, at, s.i64[value], mask);
          case F32 -> (s, array, at, mask) -> store((float[]) array, at, s.f32[value], mask);
          case F64 -> (s, array, at, mask) -> store((double[]) array, at, s.f64[value], mask);
        };
    return step(op.array(), op.index(), of.size(), access);
  }

  private static void store(int[] array, long[] index, int[] a, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        array[(int) index[i]] = a[i];
      }
    }
  }

  private static void store(long[] array, long[] index, long[] a, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        array[(int) index[i]] = a[i];
      }
    }
  }

  private static void store(float[] array, long[] index, float[] a, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        array[(int) index[i]] = a[i];
      }
    }
  }

  private static void store(double[] array, long[] index, double[] a, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        array[(int) index[i]] = a[i];
      }
    }
  }

  private static void storeNarrow(
      int[] array, Element element, long[] index, int[] a, LaneMask mask) {
    for (int i = mask.lo; i < mask.hi; i++) {
      if (mask.on[i] != 0) {
        array[(int) index[i]] = narrowed(element, a[i]);
      }
    }
  }

  /** The value as an element keeps it. */
  static int narrowed(Element element, int value) {
    return switch (element) {
      case I8 -> (byte) value;
      case I16 -> (short) value;
      case I32, I64, F32, F64 -> value;
    };
  }

  static BlockStep atomic(Op.AtomicShared op, SharedArray of) {
    boolean isWide = of.element() == Element.I64;
    boolean isUnread = op.dst() == null;
    Access access =
        isUnread && op.op() == AtomicOp.ADD
            ? add(isWide, op.value().id())
            : isUnread && op.op() == AtomicOp.MIN
                ? min(isWide, op.value().id())
                : isWide ? atomicI64(op) : atomicI32(op);
    return step(op.array(), op.index(), of.size(), access);
  }

  // The commonest: counts, sums and first rows of groups, whose old values nobody reads

  private static Access add(boolean isWide, int value) {
    return isWide
        ? (s, array, at, mask) -> addI64((long[]) array, at, s.i64[value], mask)
        : (s, array, at, mask) -> addI32((int[]) array, at, s.i32[value], mask);
  }

  private static Access min(boolean isWide, int value) {
    return isWide
        ? (s, array, at, mask) -> minI64((long[]) array, at, s.i64[value], mask)
        : (s, array, at, mask) -> minI32((int[]) array, at, s.i32[value], mask);
  }

  private static Access atomicI32(Op.AtomicShared op) {
    Reg compare = op.compare();
    Reg dst = op.dst();
    int value = op.value().id();
    return (s, array, at, mask) -> {
      int[] wanted = compare == null ? s.scratchI32 : s.i32[compare.id()];
      int[] d = dst == null ? s.scratchI32 : s.i32[dst.id()];
      atomicI32(op.op(), (int[]) array, at, s.i32[value], wanted, d, mask);
    };
  }

  private static Access atomicI64(Op.AtomicShared op) {
    Reg compare = op.compare();
    Reg dst = op.dst();
    int value = op.value().id();
    return (s, array, at, mask) -> {
      long[] wanted = compare == null ? s.scratchI64 : s.i64[compare.id()];
      long[] d = dst == null ? s.scratchI64 : s.i64[dst.id()];
      atomicI64(op.op(), (long[]) array, at, s.i64[value], wanted, d, mask);
    };
  }

  private static void atomicI32(
      AtomicOp op, int[] array, long[] index, int[] value, int[] compare, int[] d, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        d[i] = AtomicMemory.i32(op, array, (int) index[i], value[i], compare[i]);
      }
    }
  }

  private static void atomicI64(
      AtomicOp op,
      long[] array,
      long[] index,
      long[] value,
      long[] compare,
      long[] d,
      LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        d[i] = AtomicMemory.i64(op, array, (int) index[i], value[i], compare[i]);
      }
    }
  }

  /**
   * Whether the mask has both active and other lanes between its ends, so that a branch for each
   * lane would often be predicted wrongly.
   */
  private static boolean isMixed(LaneMask mask) {
    int lanes = mask.hi - mask.lo;
    return mask.count * MIXED_SHARE > lanes && (lanes - mask.count) * MIXED_SHARE > lanes;
  }

  // Where the mask is mixed, the other lanes leave the first element as it is

  private static void addI32(int[] array, long[] index, int[] value, LaneMask mask) {
    if (isMixed(mask)) {
      addMixed(array, index, value, mask);
    } else {
      addEach(array, index, value, mask);
    }
  }

  private static void addMixed(int[] array, long[] index, int[] value, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      array[(int) index[i] & on[i]] += value[i] & on[i];
    }
  }

  private static void addEach(int[] array, long[] index, int[] value, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        array[(int) index[i]] += value[i];
      }
    }
  }

  private static void addI64(long[] array, long[] index, long[] value, LaneMask mask) {
    if (isMixed(mask)) {
      addMixed(array, index, value, mask);
    } else {
      addEach(array, index, value, mask);
    }
  }

  private static void addMixed(long[] array, long[] index, long[] value, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      array[(int) index[i] & on[i]] += value[i] & on[i];
    }
  }

  private static void addEach(long[] array, long[] index, long[] value, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        array[(int) index[i]] += value[i];
      }
    }
  }

  private static void minI32(int[] array, long[] index, int[] value, LaneMask mask) {
    if (isMixed(mask)) {
      minMixed(array, index, value, mask);
    } else {
      minEach(array, index, value, mask);
    }
  }

  private static void minMixed(int[] array, long[] index, int[] value, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      int at = (int) index[i] & on[i];
      int least = (value[i] & on[i]) | (Integer.MAX_VALUE & ~on[i]);
      if (least < array[at]) {
        array[at] = least;
      }
    }
  }

  private static void minEach(int[] array, long[] index, int[] value, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0 && value[i] < array[(int) index[i]]) {
        array[(int) index[i]] = value[i];
      }
    }
  }

  private static void minI64(long[] array, long[] index, long[] value, LaneMask mask) {
    if (isMixed(mask)) {
      minMixed(array, index, value, mask);
    } else {
      minEach(array, index, value, mask);
    }
  }

  private static void minMixed(long[] array, long[] index, long[] value, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      int at = (int) index[i] & on[i];
      long least = (value[i] & on[i]) | (Long.MAX_VALUE & ~(long) on[i]);
      if (least < array[at]) {
        array[at] = least;
      }
    }
  }

  private static void minEach(long[] array, long[] index, long[] value, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0 && value[i] < array[(int) index[i]]) {
        array[(int) index[i]] = value[i];
      }
    }
  }
}
