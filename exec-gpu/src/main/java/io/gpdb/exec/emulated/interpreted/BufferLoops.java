package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.LaneMask;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Loops of loads and narrow stores over the active lanes of a block; every index is in range. An
 * access to a segment takes many times what finding out takes that lanes access elements next to
 * each other, which are copied together, or one element.
 */
final class BufferLoops {
  /** Fewer lanes are served one by one. */
  private static final int ALIKE_MIN = 4;

  private BufferLoops() {}

  /** Where the lanes end that are active from there on and access elements by that step. */
  private static int stepsEnd(long[] index, LaneMask mask, int from, long step) {
    int[] on = mask.on;
    int hi = mask.hi;
    int i = from + 1;
    // One branch for both: HotSpot leaves out what it has never seen
    while (i < hi && (~on[i] | (index[i] - index[i - 1] - step)) == 0) {
      i++;
    }
    return i;
  }

  /** Where the lanes end that are active and access one element, or consecutive ones. */
  private static int alikeEnd(long[] index, LaneMask mask, int from) {
    int i = from + 1;
    if (i < mask.hi && mask.on[i] != 0) {
      long step = index[i] - index[from];
      return step == 0 || step == 1 ? stepsEnd(index, mask, from, step) : i;
    }
    return i;
  }

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
    for (int i = mask.lo; i < mask.hi; ) {
      if (on[i] == 0) {
        i++;
        continue;
      }
      int end = alikeEnd(index, mask, i);
      if (end - i < ALIKE_MIN) {
        end = i + 1;
        d[i] = segment.get(ValueLayout.JAVA_INT, index[i] << 2);
      } else if (index[i + 1] == index[i]) {
        Arrays.fill(d, i, end, segment.get(ValueLayout.JAVA_INT, index[i] << 2));
      } else {
        MemorySegment.copy(segment, ValueLayout.JAVA_INT, index[i] << 2, d, i, end - i);
      }
      i = end;
    }
  }

  static void loadI64(MemorySegment segment, long[] index, long[] d, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; ) {
      if (on[i] == 0) {
        i++;
        continue;
      }
      int end = alikeEnd(index, mask, i);
      if (end - i < ALIKE_MIN) {
        end = i + 1;
        d[i] = segment.get(ValueLayout.JAVA_LONG, index[i] << 3);
      } else if (index[i + 1] == index[i]) {
        Arrays.fill(d, i, end, segment.get(ValueLayout.JAVA_LONG, index[i] << 3));
      } else {
        MemorySegment.copy(segment, ValueLayout.JAVA_LONG, index[i] << 3, d, i, end - i);
      }
      i = end;
    }
  }

  static void loadF32(MemorySegment segment, long[] index, float[] d, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; ) {
      if (on[i] == 0) {
        i++;
        continue;
      }
      int end = alikeEnd(index, mask, i);
      if (end - i < ALIKE_MIN) {
        end = i + 1;
        d[i] = segment.get(ValueLayout.JAVA_FLOAT, index[i] << 2);
      } else if (index[i + 1] == index[i]) {
        Arrays.fill(d, i, end, segment.get(ValueLayout.JAVA_FLOAT, index[i] << 2));
      } else {
        MemorySegment.copy(segment, ValueLayout.JAVA_FLOAT, index[i] << 2, d, i, end - i);
      }
      i = end;
    }
  }

  static void loadF64(MemorySegment segment, long[] index, double[] d, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; ) {
      if (on[i] == 0) {
        i++;
        continue;
      }
      int end = alikeEnd(index, mask, i);
      if (end - i < ALIKE_MIN) {
        end = i + 1;
        d[i] = segment.get(ValueLayout.JAVA_DOUBLE, index[i] << 3);
      } else if (index[i + 1] == index[i]) {
        Arrays.fill(d, i, end, segment.get(ValueLayout.JAVA_DOUBLE, index[i] << 3));
      } else {
        MemorySegment.copy(segment, ValueLayout.JAVA_DOUBLE, index[i] << 3, d, i, end - i);
      }
      i = end;
    }
  }
}
