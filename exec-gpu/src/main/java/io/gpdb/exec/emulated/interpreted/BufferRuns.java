package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.ir.Kernel.Element;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Copies between consecutive elements of a buffer, from {@code offset} on, and lanes [lo, hi) of a
 * register. A copy is fast before the JIT compiler has seen it, and loops over arrays are soon; an
 * access to a segment is not. So elements that registers keep in another form go through a scratch
 * array. A step gets the code of its kind of element when it is made: code for all kinds is long,
 * and HotSpot throws what it has compiled away when another kind comes.
 */
final class BufferRuns {
  private BufferRuns() {}

  /** Loads elements of one kind into a register's array, or stores its values. */
  interface Run {
    void copy(BlockState s, MemorySegment segment, long offset, Object register, int lo, int hi);
  }

  static Run loads(Element element) {
    return switch (element) {
      case I8 ->
          (s, segment, offset, d, lo, hi) -> {
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, s.scratchI8, lo, hi - lo);
            widen(s.scratchI8, (int[]) d, lo, hi);
          };
      case I16 ->
          (s, segment, offset, d, lo, hi) -> {
            MemorySegment.copy(segment, ValueLayout.JAVA_SHORT, offset, s.scratchI16, lo, hi - lo);
            widen(s.scratchI16, (int[]) d, lo, hi);
          };
      case I32 ->
          (s, segment, offset, d, lo, hi) ->
              MemorySegment.copy(segment, ValueLayout.JAVA_INT, offset, d, lo, hi - lo);
      case I64 ->
          (s, segment, offset, d, lo, hi) ->
              MemorySegment.copy(segment, ValueLayout.JAVA_LONG, offset, d, lo, hi - lo);
      case F32 ->
          (s, segment, offset, d, lo, hi) ->
              MemorySegment.copy(segment, ValueLayout.JAVA_FLOAT, offset, d, lo, hi - lo);
      case F64 ->
          (s, segment, offset, d, lo, hi) ->
              MemorySegment.copy(segment, ValueLayout.JAVA_DOUBLE, offset, d, lo, hi - lo);
    };
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
  static Run stores(Element element) {
    return switch (element) {
      case I8 ->
          (s, segment, offset, a, lo, hi) -> {
            narrow((int[]) a, s.scratchI8, lo, hi);
            MemorySegment.copy(s.scratchI8, lo, segment, ValueLayout.JAVA_BYTE, offset, hi - lo);
          };
      case I16 ->
          (s, segment, offset, a, lo, hi) -> {
            narrow((int[]) a, s.scratchI16, lo, hi);
            MemorySegment.copy(s.scratchI16, lo, segment, ValueLayout.JAVA_SHORT, offset, hi - lo);
          };
      case I32 ->
          (s, segment, offset, a, lo, hi) ->
              MemorySegment.copy(a, lo, segment, ValueLayout.JAVA_INT, offset, hi - lo);
      case I64 ->
          (s, segment, offset, a, lo, hi) ->
              MemorySegment.copy(a, lo, segment, ValueLayout.JAVA_LONG, offset, hi - lo);
      case F32 ->
          (s, segment, offset, a, lo, hi) -> {
            bits((float[]) a, s.scratchI32, lo, hi);
            MemorySegment.copy(s.scratchI32, lo, segment, ValueLayout.JAVA_INT, offset, hi - lo);
          };
      case F64 ->
          (s, segment, offset, a, lo, hi) -> {
            bits((double[]) a, s.scratchI64, lo, hi);
            MemorySegment.copy(s.scratchI64, lo, segment, ValueLayout.JAVA_LONG, offset, hi - lo);
          };
    };
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
