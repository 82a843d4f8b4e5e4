package io.gpdb.storage.column;

import io.gpdb.storage.memory.HostBuffer;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

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
    ByteBuffer values = column.buffer();
    switch (width) {
      case 1 -> steps((from, to) -> readBytes(values, rows, from, to));
      case 2 -> {
        ShortBuffer shorts = values.asShortBuffer();
        steps((from, to) -> readShorts(shorts, rows, from, to));
      }
      case 4 -> {
        IntBuffer ints = values.asIntBuffer();
        steps((from, to) -> readInts(ints, rows, from, to));
      }
      default -> {
        LongBuffer longs = values.asLongBuffer();
        steps((from, to) -> readLongs(longs, rows, from, to));
      }
    }
    return this;
  }

  /** Value i as raw bits, sign-extended. */
  public long raw(int i) {
    return isWide() ? (low[i] & 0xffffffffL) | (long) high[i] << 32 : low[i];
  }

  /** A part of the values. */
  private interface Step {
    void run(int from, int to);
  }

  private void steps(Step step) {
    for (int i = 0; i < low.length; i += STEP) {
      step.run(i, Math.min(low.length, i + STEP));
    }
  }

  private void readBytes(ByteBuffer values, int[] rows, int from, int to) {
    for (int i = from; i < to; i++) {
      low[i] = values.get(rows[i]);
    }
  }

  private void readShorts(ShortBuffer values, int[] rows, int from, int to) {
    for (int i = from; i < to; i++) {
      low[i] = values.get(rows[i]);
    }
  }

  private void readInts(IntBuffer values, int[] rows, int from, int to) {
    for (int i = from; i < to; i++) {
      low[i] = values.get(rows[i]);
    }
  }

  private void readLongs(LongBuffer values, int[] rows, int from, int to) {
    for (int i = from; i < to; i++) {
      long value = values.get(rows[i]);
      low[i] = (int) value;
      high[i] = (int) (value >>> 32);
    }
  }

  /** Row {@code rows[i]} gets value i. */
  public void write(HostBuffer column, int[] rows) {
    ByteBuffer values = column.buffer();
    switch (width) {
      case 1 -> steps((from, to) -> writeBytes(values, rows, from, to));
      case 2 -> {
        ShortBuffer shorts = values.asShortBuffer();
        steps((from, to) -> writeShorts(shorts, rows, from, to));
      }
      case 4 -> {
        IntBuffer ints = values.asIntBuffer();
        steps((from, to) -> writeInts(ints, rows, from, to));
      }
      default -> {
        LongBuffer longs = values.asLongBuffer();
        steps((from, to) -> writeLongs(longs, rows, from, to));
      }
    }
  }

  private void writeBytes(ByteBuffer values, int[] rows, int from, int to) {
    for (int i = from; i < to; i++) {
      values.put(rows[i], (byte) low[i]);
    }
  }

  private void writeShorts(ShortBuffer values, int[] rows, int from, int to) {
    for (int i = from; i < to; i++) {
      values.put(rows[i], (short) low[i]);
    }
  }

  private void writeInts(IntBuffer values, int[] rows, int from, int to) {
    for (int i = from; i < to; i++) {
      values.put(rows[i], low[i]);
    }
  }

  private void writeLongs(LongBuffer values, int[] rows, int from, int to) {
    for (int i = from; i < to; i++) {
      values.put(rows[i], raw(i));
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
        whole[i] = raw(i);
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
