package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.AtomicMemory;
import io.gpdb.exec.emulated.common.LaneMask;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Reg;

/** Steps on the arrays that the lanes of a block share. */
final class SharedSteps {
  /** A mask is mixed where more than one lane in so many is active, and as many are not. */
  private static final int MIXED_SHARE = 8;

  private SharedSteps() {}

  static BlockStep load(Op.LoadShared op, int length) {
    int dst = op.dst().id();
    MemorySteps.Indices indices = MemorySteps.indices(op.index());
    return (s, mask) -> {
      long[] index = indices.of(s, mask);
      s.requireInRange(index, length, mask);
      switch (s.shared[op.array()]) {
        case int[] array -> {
          int[] d = s.i32[dst];
          for (int i = mask.lo; i < mask.hi; i++) {
            if (mask.on[i] != 0) {
              d[i] = array[(int) index[i]];
            }
          }
        }
        case long[] array -> {
          long[] d = s.i64[dst];
          for (int i = mask.lo; i < mask.hi; i++) {
            if (mask.on[i] != 0) {
              d[i] = array[(int) index[i]];
            }
          }
        }
        case float[] array -> {
          float[] d = s.f32[dst];
          for (int i = mask.lo; i < mask.hi; i++) {
            if (mask.on[i] != 0) {
              d[i] = array[(int) index[i]];
            }
          }
        }
        case double[] array -> {
          double[] d = s.f64[dst];
          for (int i = mask.lo; i < mask.hi; i++) {
            if (mask.on[i] != 0) {
              d[i] = array[(int) index[i]];
            }
          }
        }
        default -> throw new AssertionError(op);
      }
    };
  }

  static BlockStep store(Op.StoreShared op, Element element, int length) {
    int value = op.value().id();
    MemorySteps.Indices indices = MemorySteps.indices(op.index());
    return (s, mask) -> {
      long[] index = indices.of(s, mask);
      s.requireInRange(index, length, mask);
      switch (s.shared[op.array()]) {
        case int[] array -> storeI32(array, element, index, s.i32[value], mask);
        case long[] array -> {
          long[] a = s.i64[value];
          for (int i = mask.lo; i < mask.hi; i++) {
            if (mask.on[i] != 0) {
              array[(int) index[i]] = a[i];
            }
          }
        }
        case float[] array -> {
          float[] a = s.f32[value];
          for (int i = mask.lo; i < mask.hi; i++) {
            if (mask.on[i] != 0) {
              array[(int) index[i]] = a[i];
            }
          }
        }
        case double[] array -> {
          double[] a = s.f64[value];
          for (int i = mask.lo; i < mask.hi; i++) {
            if (mask.on[i] != 0) {
              array[(int) index[i]] = a[i];
            }
          }
        }
        default -> throw new AssertionError(op);
      }
    };
  }

  private static void storeI32(int[] array, Element element, long[] index, int[] a, LaneMask mask) {
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

  static BlockStep atomic(Op.AtomicShared op, int length) {
    if (op.dst() == null && (op.op() == AtomicOp.ADD || op.op() == AtomicOp.MIN)) {
      return update(op, length);
    }
    MemorySteps.Indices indices = MemorySteps.indices(op.index());
    return (s, mask) -> {
      long[] index = indices.of(s, mask);
      s.requireInRange(index, length, mask);
      Reg compare = op.compare();
      Reg dst = op.dst();
      int value = op.value().id();
      switch (s.shared[op.array()]) {
        case int[] array -> {
          int[] wanted = compare == null ? s.scratchI32 : s.i32[compare.id()];
          int[] d = dst == null ? s.scratchI32 : s.i32[dst.id()];
          atomicI32(op.op(), array, index, s.i32[value], wanted, d, mask);
        }
        case long[] array -> {
          long[] wanted = compare == null ? s.scratchI64 : s.i64[compare.id()];
          long[] d = dst == null ? s.scratchI64 : s.i64[dst.id()];
          atomicI64(op.op(), array, index, s.i64[value], wanted, d, mask);
        }
        default -> throw new AssertionError(op);
      }
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

  /** The commonest: counts, sums and first rows of groups, whose old values nobody reads. */
  private static BlockStep update(Op.AtomicShared op, int length) {
    MemorySteps.Indices indices = MemorySteps.indices(op.index());
    int value = op.value().id();
    boolean adds = op.op() == AtomicOp.ADD;
    return (s, mask) -> {
      long[] index = indices.of(s, mask);
      s.requireInRange(index, length, mask);
      switch (s.shared[op.array()]) {
        case int[] array when adds -> addI32(array, index, s.i32[value], mask);
        case int[] array -> minI32(array, index, s.i32[value], mask);
        case long[] array when adds -> addI64(array, index, s.i64[value], mask);
        case long[] array -> minI64(array, index, s.i64[value], mask);
        default -> throw new AssertionError(op);
      }
    };
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
    int[] on = mask.on;
    if (isMixed(mask)) {
      for (int i = mask.lo; i < mask.hi; i++) {
        array[(int) index[i] & on[i]] += value[i] & on[i];
      }
      return;
    }
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        array[(int) index[i]] += value[i];
      }
    }
  }

  private static void addI64(long[] array, long[] index, long[] value, LaneMask mask) {
    int[] on = mask.on;
    if (isMixed(mask)) {
      for (int i = mask.lo; i < mask.hi; i++) {
        array[(int) index[i] & on[i]] += value[i] & on[i];
      }
      return;
    }
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        array[(int) index[i]] += value[i];
      }
    }
  }

  private static void minI32(int[] array, long[] index, int[] value, LaneMask mask) {
    int[] on = mask.on;
    if (isMixed(mask)) {
      for (int i = mask.lo; i < mask.hi; i++) {
        int at = (int) index[i] & on[i];
        int least = (value[i] & on[i]) | (Integer.MAX_VALUE & ~on[i]);
        if (least < array[at]) {
          array[at] = least;
        }
      }
      return;
    }
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0 && value[i] < array[(int) index[i]]) {
        array[(int) index[i]] = value[i];
      }
    }
  }

  private static void minI64(long[] array, long[] index, long[] value, LaneMask mask) {
    int[] on = mask.on;
    if (isMixed(mask)) {
      for (int i = mask.lo; i < mask.hi; i++) {
        int at = (int) index[i] & on[i];
        long least = (value[i] & on[i]) | (Long.MAX_VALUE & ~(long) on[i]);
        if (least < array[at]) {
          array[at] = least;
        }
      }
      return;
    }
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0 && value[i] < array[(int) index[i]]) {
        array[(int) index[i]] = value[i];
      }
    }
  }
}
