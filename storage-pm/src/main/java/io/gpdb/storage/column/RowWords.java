package io.gpdb.storage.column;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.MemorySegment;

/**
 * Values of some rows of a column, as words of 32 bits: what a narrower value is sign-extended to,
 * and a second word with the high bits of wider ones.
 */
public final class RowWords {
  /** Turns of a loop: a method that is called often is compiled sooner than one that runs long. */
  private static final int STEP = 256;

  private final int width;
  private final int[] low;
  private final int[] high;

  /**
   * @param width bytes of a value: 1, 2, 4 or 8
   * @param n values
   */
  public RowWords(int width, int n) {
    this.width = width;
    low = new int[n];
    high = new int[width == Long.BYTES ? n : 0];
  }

  /** Bytes of a value. */
  public int width() {
    return width;
  }

  public boolean isWide() {
    return width == Long.BYTES;
  }

  public int[] low() {
    return low;
  }

  /** Empty where values have one word. */
  public int[] high() {
    return high;
  }

  /** Value i becomes that of row {@code rows[i]}. */
  public RowWords read(HostBuffer column, int[] rows) {
    MemorySegment values = column.segment();
    for (int i = 0; i < low.length; i += STEP) {
      int end = Math.min(low.length, i + STEP);
      switch (width) {
        case 1 -> readBytes(values, rows, low, i, end);
        case 2 -> readShorts(values, rows, low, i, end);
        case 4 -> readInts(values, rows, low, i, end);
        default -> readLongs(values, rows, low, high, i, end);
      }
    }
    return this;
  }

  private static void readBytes(MemorySegment values, int[] rows, int[] low, int from, int end) {
    for (int i = from; i < end; i++) {
      low[i] = values.get(JAVA_BYTE, rows[i]);
    }
  }

  private static void readShorts(MemorySegment values, int[] rows, int[] low, int from, int end) {
    for (int i = from; i < end; i++) {
      low[i] = values.get(JAVA_SHORT_UNALIGNED, 2L * rows[i]);
    }
  }

  private static void readInts(MemorySegment values, int[] rows, int[] low, int from, int end) {
    for (int i = from; i < end; i++) {
      low[i] = values.get(JAVA_INT_UNALIGNED, 4L * rows[i]);
    }
  }

  private static void readLongs(
      MemorySegment values, int[] rows, int[] low, int[] high, int from, int end) {
    for (int i = from; i < end; i++) {
      long value = values.get(JAVA_LONG_UNALIGNED, 8L * rows[i]);
      low[i] = (int) value;
      high[i] = (int) (value >>> 32);
    }
  }

  /** Row {@code rows[i]} gets value i. */
  public void write(HostBuffer column, int[] rows) {
    MemorySegment values = column.segment();
    for (int i = 0; i < low.length; i += STEP) {
      int end = Math.min(low.length, i + STEP);
      switch (width) {
        case 1 -> writeBytes(values, rows, low, i, end);
        case 2 -> writeShorts(values, rows, low, i, end);
        case 4 -> writeInts(values, rows, low, i, end);
        default -> writeLongs(values, rows, low, high, i, end);
      }
    }
  }

  private static void writeBytes(MemorySegment values, int[] rows, int[] low, int from, int end) {
    for (int i = from; i < end; i++) {
      values.set(JAVA_BYTE, rows[i], (byte) low[i]);
    }
  }

  private static void writeShorts(MemorySegment values, int[] rows, int[] low, int from, int end) {
    for (int i = from; i < end; i++) {
      values.set(JAVA_SHORT_UNALIGNED, 2L * rows[i], (short) low[i]);
    }
  }

  private static void writeInts(MemorySegment values, int[] rows, int[] low, int from, int end) {
    for (int i = from; i < end; i++) {
      values.set(JAVA_INT_UNALIGNED, 4L * rows[i], low[i]);
    }
  }

  private static void writeLongs(
      MemorySegment values, int[] rows, int[] low, int[] high, int from, int end) {
    for (int i = from; i < end; i++) {
      long value = (low[i] & 0xffffffffL) | (long) high[i] << 32;
      values.set(JAVA_LONG_UNALIGNED, 8L * rows[i], value);
    }
  }

  /** Writes all values from the first on. */
  public void write(HostBuffer column) {
    if (width == Integer.BYTES) {
      column.write(0, low, 0, low.length);
      return;
    }
    if (isWide()) {
      long[] whole = new long[low.length];
      for (int i = 0; i < whole.length; i++) {
        whole[i] = (low[i] & 0xffffffffL) | (long) high[i] << 32;
      }
      column.write(0, whole, 0, whole.length);
      return;
    }
    int[] inOrder = new int[low.length];
    for (int i = 0; i < inOrder.length; i++) {
      inOrder[i] = i;
    }
    write(column, inOrder);
  }
}
