package io.gpdb.storage.column;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Hash and equality of byte strings, eight bytes at a time. */
public final class ByteHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long INT_MASK = 0xffffffffL;
  private static final long FACTOR = 0x9e3779b97f4a7c15L;

  private ByteHash() {}

  public static int of(byte[] b, int off, int len) {
    long h = len * FACTOR;
    int at = off;
    int end = off + len;
    for (; at + 8 <= end; at += 8) {
      h = Long.rotateLeft((h ^ (long) LONG.get(b, at)) * FACTOR, 29);
    }
    if (at < end) {
      h = Long.rotateLeft((h ^ tail(b, off, end, end - at)) * FACTOR, 29);
    }
    h ^= h >>> 32;
    h *= FACTOR;
    return (int) (h >>> 32);
  }

  /** The last {@code n} bytes before {@code end}, one to seven, the first of them lowest. */
  private static long tail(byte[] b, int off, int end, int n) {
    if (end - off >= Long.BYTES) {
      return (long) LONG.get(b, end - Long.BYTES) >>> (Long.SIZE - n * Byte.SIZE);
    }
    if (n >= Integer.BYTES) {
      // What is in both halves is the same bits.
      long low = (int) INT.get(b, end - n) & INT_MASK;
      long high = (int) INT.get(b, end - Integer.BYTES) & INT_MASK;
      return low | (high << ((n - Integer.BYTES) * Byte.SIZE));
    }
    long tail = 0;
    for (int i = end - 1; i >= end - n; i--) {
      tail = (tail << Byte.SIZE) | (b[i] & 0xff);
    }
    return tail;
  }

  /** Where the length is no multiple of eight, the last eight (or four) bytes are read again. */
  public static boolean equal(MemorySegment s, long from, byte[] b, int off, int len) {
    if (len >= Long.BYTES) {
      int last = len - Long.BYTES;
      for (int i = 0; i < last; i += Long.BYTES) {
        if (s.get(JAVA_LONG_UNALIGNED, from + i) != (long) LONG.get(b, off + i)) {
          return false;
        }
      }
      return s.get(JAVA_LONG_UNALIGNED, from + last) == (long) LONG.get(b, off + last);
    }
    if (len >= Integer.BYTES) {
      int last = len - Integer.BYTES;
      return s.get(JAVA_INT_UNALIGNED, from) == (int) INT.get(b, off)
          && s.get(JAVA_INT_UNALIGNED, from + last) == (int) INT.get(b, off + last);
    }
    for (int i = 0; i < len; i++) {
      if (s.get(JAVA_BYTE, from + i) != b[off + i]) {
        return false;
      }
    }
    return true;
  }
}
