package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.ir.Kernel.Element;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Copies between consecutive elements of a buffer, from {@code offset} on, and lanes [lo, hi) of a
 * register. A copy is fast before the JIT compiler has seen it, and loops over arrays are soon; an
 * access to a segment is not. So elements that registers keep in another form go through a scratch
 * array.
 */
final class BufferRuns {
  private BufferRuns() {}

  static void load(
      BlockState s, Element element, MemorySegment segment, long offset, Object d, int lo, int hi) {
    int n = hi - lo;
    switch (element) {
      case I8 -> {
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, s.scratchI8, lo, n);
        widen(s.scratchI8, (int[]) d, lo, hi);
      }
      case I16 -> {
        MemorySegment.copy(segment, ValueLayout.JAVA_SHORT, offset, s.scratchI16, lo, n);
        widen(s.scratchI16, (int[]) d, lo, hi);
      }
      case I32 -> MemorySegment.copy(segment, ValueLayout.JAVA_INT, offset, d, lo, n);
      case I64 -> MemorySegment.copy(segment, ValueLayout.JAVA_LONG, offset, d, lo, n);
      case F32 -> MemorySegment.copy(segment, ValueLayout.JAVA_FLOAT, offset, d, lo, n);
      case F64 -> MemorySegment.copy(segment, ValueLayout.JAVA_DOUBLE, offset, d, lo, n);
    }
  }

  private static void widen(byte[] from, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = from[i];
    }
  }

  private static void widen(short[] from, int[] d, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      d[i] = from[i];
    }
  }

  /** A NaN is stored canonical. */
  static void store(
      BlockState s, Element element, MemorySegment segment, long offset, Object a, int lo, int hi) {
    int n = hi - lo;
    switch (element) {
      case I8 -> {
        narrow((int[]) a, s.scratchI8, lo, hi);
        MemorySegment.copy(s.scratchI8, lo, segment, ValueLayout.JAVA_BYTE, offset, n);
      }
      case I16 -> {
        narrow((int[]) a, s.scratchI16, lo, hi);
        MemorySegment.copy(s.scratchI16, lo, segment, ValueLayout.JAVA_SHORT, offset, n);
      }
      case I32 -> MemorySegment.copy(a, lo, segment, ValueLayout.JAVA_INT, offset, n);
      case I64 -> MemorySegment.copy(a, lo, segment, ValueLayout.JAVA_LONG, offset, n);
      case F32 -> {
        bits((float[]) a, s.scratchI32, lo, hi);
        MemorySegment.copy(s.scratchI32, lo, segment, ValueLayout.JAVA_INT, offset, n);
      }
      case F64 -> {
        bits((double[]) a, s.scratchI64, lo, hi);
        MemorySegment.copy(s.scratchI64, lo, segment, ValueLayout.JAVA_LONG, offset, n);
      }
    }
  }

  private static void narrow(int[] from, byte[] to, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      to[i] = (byte) from[i];
    }
  }

  private static void narrow(int[] from, short[] to, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      to[i] = (short) from[i];
    }
  }

  static void bits(float[] from, int[] to, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      to[i] = Float.floatToIntBits(from[i]);
    }
  }

  static void bits(double[] from, long[] to, int lo, int hi) {
    for (int i = lo; i < hi; i++) {
      to[i] = Double.doubleToLongBits(from[i]);
    }
  }
}
