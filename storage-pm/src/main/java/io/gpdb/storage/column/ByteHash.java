package io.gpdb.storage.column;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Hash and equality of byte strings, eight bytes at a time. */
public final class ByteHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
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
      h = Long.rotateLeft((h ^ tail(b, at, end)) * FACTOR, 29);
    }
    h ^= h >>> 32;
    h *= FACTOR;
    return (int) (h >>> 32);
  }

  private static long tail(byte[] b, int at, int end) {
    long tail = 0;
    for (int i = end - 1; i >= at; i--) {
      tail = tail << 8 | (b[i] & 0xff);
    }
    return tail;
  }

  public static boolean equal(MemorySegment s, long from, byte[] b, int off, int len) {
    int i = 0;
    for (; i + 8 <= len; i += 8) {
      if (s.get(JAVA_LONG_UNALIGNED, from + i) != (long) LONG.get(b, off + i)) {
        return false;
      }
    }
    for (; i < len; i++) {
      if (s.get(JAVA_BYTE, from + i) != b[off + i]) {
        return false;
      }
    }
    return true;
  }
}
