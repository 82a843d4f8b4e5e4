package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.LaneMask;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Loops of loads and stores over the active lanes of a block; every index is in range. */
final class BufferLoops {
  private BufferLoops() {}

  static void loadI8(MemorySegment segment, long[] index, int[] d, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        d[i] = segment.get(ValueLayout.JAVA_BYTE, index[i]);
      }
    }
  }

  static void storeI8(MemorySegment segment, long[] index, int[] a, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        segment.set(ValueLayout.JAVA_BYTE, index[i], (byte) a[i]);
      }
    }
  }

  static void loadI16(MemorySegment segment, long[] index, int[] d, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        d[i] = segment.get(ValueLayout.JAVA_SHORT, index[i] << 1);
      }
    }
  }

  static void storeI16(MemorySegment segment, long[] index, int[] a, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        segment.set(ValueLayout.JAVA_SHORT, index[i] << 1, (short) a[i]);
      }
    }
  }

  static void loadI32(MemorySegment segment, long[] index, int[] d, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        d[i] = segment.get(ValueLayout.JAVA_INT, index[i] << 2);
      }
    }
  }

  static void storeI32(MemorySegment segment, long[] index, int[] a, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        segment.set(ValueLayout.JAVA_INT, index[i] << 2, a[i]);
      }
    }
  }

  static void loadI64(MemorySegment segment, long[] index, long[] d, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        d[i] = segment.get(ValueLayout.JAVA_LONG, index[i] << 3);
      }
    }
  }

  static void storeI64(MemorySegment segment, long[] index, long[] a, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        segment.set(ValueLayout.JAVA_LONG, index[i] << 3, a[i]);
      }
    }
  }

  static void loadF32(MemorySegment segment, long[] index, float[] d, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        d[i] = segment.get(ValueLayout.JAVA_FLOAT, index[i] << 2);
      }
    }
  }

  /** A NaN is stored canonical. */
  static void storeF32(MemorySegment segment, long[] index, float[] a, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        segment.set(ValueLayout.JAVA_INT, index[i] << 2, Float.floatToIntBits(a[i]));
      }
    }
  }

  static void loadF64(MemorySegment segment, long[] index, double[] d, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        d[i] = segment.get(ValueLayout.JAVA_DOUBLE, index[i] << 3);
      }
    }
  }

  /** A NaN is stored canonical. */
  static void storeF64(MemorySegment segment, long[] index, double[] a, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        segment.set(ValueLayout.JAVA_LONG, index[i] << 3, Double.doubleToLongBits(a[i]));
      }
    }
  }

  /** Lane i of [lo, hi) loads element i - lo of those at {@code offset}. */
  static void loadRunI8(MemorySegment segment, long offset, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = segment.get(ValueLayout.JAVA_BYTE, offset + (i - lo));
    }
  }

  /** Lane i of [lo, hi) loads element i - lo of those at {@code offset}. */
  static void loadRunI16(MemorySegment segment, long offset, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = segment.get(ValueLayout.JAVA_SHORT, offset + ((long) (i - lo) << 1));
    }
  }
}
