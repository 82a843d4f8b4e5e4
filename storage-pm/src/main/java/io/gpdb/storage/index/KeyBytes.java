package io.gpdb.storage.index;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Keys of an ordered index as bytes, in an array that grows. Behind the last one are eight bytes
 * more, so that they are read by eights.
 */
public final class KeyBytes {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

  private byte[] bytes;
  private int length;

  public KeyBytes(int room) {
    bytes = new byte[room + Long.BYTES];
  }

  int length() {
    return length;
  }

  byte[] array() {
    return bytes;
  }

  byte[] toArray() {
    return Arrays.copyOf(bytes, length);
  }

  public void clear() {
    length = 0;
  }

  /** Adds bytes that are {@link #setBytes set} later; returns where they begin. */
  int addRoom(int count) {
    require(count);
    int from = length;
    length += count;
    return from;
  }

  /** Stores the low {@code count} bytes, most significant first. */
  void setBytes(int at, long value, int count) {
    switch (count) {
      case 1 -> bytes[at] = (byte) value;
      case 2 -> SHORT.set(bytes, at, (short) value);
      case 4 -> INT.set(bytes, at, (int) value);
      case OrderedIndexLayout.ROW_BYTES -> {
        bytes[at] = (byte) (value >>> 32);
        INT.set(bytes, at + 1, (int) value);
      }
      case 8 -> LONG.set(bytes, at, value);
      default -> throw new IllegalArgumentException("bytes=" + count);
    }
  }

  private void require(int more) {
    if (length + more + Long.BYTES > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.addExact(Math.max(bytes.length * 2, length + more), 16));
    }
  }

  void add(int b) {
    require(1);
    bytes[length++] = (byte) b;
  }

  /** The low {@code count} bytes, most significant first. */
  void addLong(long value, int count) {
    require(Long.BYTES);
    LONG.set(bytes, length, value << ((Long.BYTES - count) * 8));
    length += count;
  }

  void addRow(long row) {
    addLong(row, OrderedIndexLayout.ROW_BYTES);
  }

  void addAll(byte[] source, int from, int count) {
    require(count);
    System.arraycopy(source, from, bytes, length, count);
    length += count;
  }

  void addAll(MemorySegment source, long from, int count) {
    require(count);
    MemorySegment.copy(source, ValueLayout.JAVA_BYTE, from, bytes, length, count);
    length += count;
  }

  /** Turns all bits round from there on. */
  void invert(int from) {
    for (int i = from; i < length; i++) {
      bytes[i] = (byte) ~bytes[i];
    }
  }

  void cut(int most) {
    length = Math.min(length, most);
  }

  static long longAt(byte[] source, int at) {
    return (long) LONG.get(source, at);
  }

  /** Compares bytes of two arrays, both of which have eight bytes behind them, without a sign. */
  static int compare(byte[] a, int aFrom, int aLength, byte[] b, int bFrom, int bLength) {
    int common = Math.min(aLength, bLength);
    for (int i = 0; i < common; i += Long.BYTES) {
      long left = longAt(a, aFrom + i);
      long right = longAt(b, bFrom + i);
      if (left != right) {
        int equal = Long.numberOfLeadingZeros(left ^ right) / 8;
        return i + equal < common
            ? Long.compareUnsigned(left, right)
            : Integer.compare(aLength, bLength);
      }
    }
    return Integer.compare(aLength, bLength);
  }
}
