package io.gpdb.storage.column;

import io.gpdb.storage.memory.HostBuffer;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;

/**
 * Values of some rows of a column, as words of 32 bits: what a narrower value is sign-extended to,
 * and a second word with the high bits of wider ones.
 */
public final class RowWords {
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
    for (int i = 0; i < low.length; i = ShortLoops.end(i, low.length)) {
      step.run(i, ShortLoops.end(i, low.length));
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

  /** Value i becomes that of row i. */
  public RowWords read(HostBuffer column) {
    if (width == Integer.BYTES) {
      column.read(0, low, 0, low.length);
      return this;
    }
    if (isWide()) {
      long[] whole = new long[low.length];
      column.read(0, whole, 0, whole.length);
      steps((from, to) -> split(whole, from, to));
      return this;
    }
    return read(column, inOrder());
  }

  private void split(long[] whole, int from, int to) {
    for (int i = from; i < to; i++) {
      low[i] = (int) whole[i];
      high[i] = (int) (whole[i] >>> 32);
    }
  }

  private void join(long[] whole, int from, int to) {
    for (int i = from; i < to; i++) {
      whole[i] = raw(i);
    }
  }

  private int[] inOrder() {
    int[] inOrder = new int[low.length];
    for (int i = 0; i < inOrder.length; i++) {
      inOrder[i] = i;
    }
    return inOrder;
  }

  /** Every value becomes this one. */
  public void fill(long raw) {
    Arrays.fill(low, (int) raw);
    Arrays.fill(high, (int) (raw >>> 32));
  }

  /**
   * Value i becomes that of {@code others} plus it, or minus it; of 32 or 64 bits. False where one
   * of them does not fit, and all are undefined.
   */
  public boolean addTo(RowWords others, boolean minus) {
    boolean fits = true;
    for (int i = 0; i < low.length; i = ShortLoops.end(i, low.length)) {
      int to = ShortLoops.end(i, low.length);
      fits &= isWide() ? addLongs(others, minus, i, to) : addInts(others, minus, i, to);
    }
    return fits;
  }

  private boolean addInts(RowWords others, boolean minus, int from, int to) {
    long beyond = 0;
    for (int i = from; i < to; i++) {
      long sum = minus ? (long) others.low[i] - low[i] : (long) others.low[i] + low[i];
      low[i] = (int) sum;
      beyond |= sum ^ low[i];
    }
    return beyond == 0;
  }

  private boolean addLongs(RowWords others, boolean minus, int from, int to) {
    long beyond = 0;
    for (int i = from; i < to; i++) {
      long x = others.raw(i);
      long y = raw(i);
      long sum = minus ? x - y : x + y;
      // Beyond where the sign is neither operand's (of a difference, where they differ and it is
      // not the first one's).
      beyond |= (x ^ sum) & (minus ? x ^ y : y ^ sum);
      low[i] = (int) sum;
      high[i] = (int) (sum >>> 32);
    }
    return beyond >= 0;
  }

  /** Writes all values from the first on. */
  public void write(HostBuffer column) {
    if (width == Integer.BYTES) {
      column.write(0, low, 0, low.length);
      return;
    }
    if (isWide()) {
      long[] whole = new long[low.length];
      steps((from, to) -> join(whole, from, to));
      column.write(0, whole, 0, whole.length);
      return;
    }
    write(column, inOrder());
  }
}
