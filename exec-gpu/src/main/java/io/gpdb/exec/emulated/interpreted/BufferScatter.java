package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.emulated.common.LaneMask;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Stores of the active lanes' values at their indices, all in range, in the order of lanes. The
 * values are packed first: where the next active lane has the next index, as in kernels that keep
 * some of their rows, they are copied together, which takes a fraction of an access to the segment
 * for each lane.
 */
final class BufferScatter {
  /** Fewer values are stored one by one. */
  private static final int RUN_MIN = 4;

  private BufferScatter() {}

  /** Lane i stores at {@code index[i] + shift}. */
  static void storeI32(
      BlockState s, MemorySegment segment, long[] index, int shift, int[] a, LaneMask mask) {
    int n = pack(index, s.packedIndex, mask);
    pack(a, s.scratchI32, mask);
    copyRuns(s.scratchI32, s.packedIndex, shift, n, segment);
  }

  static void storeI64(BlockState s, MemorySegment segment, long[] index, long[] a, LaneMask mask) {
    int n = pack(index, s.packedIndex, mask);
    pack(a, s.scratchI64, mask);
    copyRuns(s.scratchI64, s.packedIndex, n, segment);
  }

  /** A NaN is stored canonical. */
  static void storeF32(
      BlockState s, MemorySegment segment, long[] index, float[] a, LaneMask mask) {
    BufferRuns.bits(a, s.scratchI32, mask.lo, mask.hi);
    storeI32(s, segment, index, 0, s.scratchI32, mask);
  }

  /** A NaN is stored canonical. */
  static void storeF64(
      BlockState s, MemorySegment segment, long[] index, double[] a, LaneMask mask) {
    BufferRuns.bits(a, s.scratchI64, mask.lo, mask.hi);
    storeI64(s, segment, index, s.scratchI64, mask);
  }

  /** Moves the active lanes' values to the front; {@code to} may be {@code from}. */
  private static int pack(long[] from, long[] to, LaneMask mask) {
    int[] on = mask.on;
    int n = 0;
    for (int i = mask.lo; i < mask.hi; i++) {
      to[n] = from[i];
      n -= on[i];
    }
    return n;
  }

  private static void pack(int[] from, int[] to, LaneMask mask) {
    int[] on = mask.on;
    int n = 0;
    for (int i = mask.lo; i < mask.hi; i++) {
      to[n] = from[i];
      n -= on[i];
    }
  }

  /** Where the values end that go to consecutive elements. */
  private static int runEnd(long[] index, int from, int n) {
    int i = from + 1;
    while (i < n && index[i] - index[i - 1] == 1) {
      i++;
    }
    return i;
  }

  private static void copyRuns(int[] a, long[] index, int shift, int n, MemorySegment segment) {
    for (int i = 0; i < n; ) {
      int end = runEnd(index, i, n);
      if (end - i < RUN_MIN) {
        end = i + 1;
        segment.set(ValueLayout.JAVA_INT, (index[i] + shift) << 2, a[i]);
      } else {
        MemorySegment.copy(a, i, segment, ValueLayout.JAVA_INT, (index[i] + shift) << 2, end - i);
      }
      i = end;
    }
  }

  private static void copyRuns(long[] a, long[] index, int n, MemorySegment segment) {
    for (int i = 0; i < n; ) {
      int end = runEnd(index, i, n);
      if (end - i < RUN_MIN) {
        end = i + 1;
        segment.set(ValueLayout.JAVA_LONG, index[i] << 3, a[i]);
      } else {
        MemorySegment.copy(a, i, segment, ValueLayout.JAVA_LONG, index[i] << 3, end - i);
      }
      i = end;
    }
  }
}
