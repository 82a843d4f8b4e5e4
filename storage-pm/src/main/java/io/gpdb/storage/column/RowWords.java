package io.gpdb.storage.column;

import io.gpdb.storage.memory.HostBuffer;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;

/**
 * Values of some rows of a column: words of 32 bits, to which narrower ones are sign-extended, or
 * of 64 where values are that wide.
 */
public final class RowWords {
  private final int width;
  private final int n;
  private final int[] ints;
  private final long[] longs;

  /**
   * @param width bytes of a value: 1, 2, 4 or 8
   * @param n values
   */
  public RowWords(int width, int n) {
    this.width = width;
    this.n = n;
    ints = new int[isWide() ? 0 : n];
    longs = new long[isWide() ? n : 0];
  }

  /** Bytes of a value. */
  public int width() {
    return width;
  }

  public boolean isWide() {
    return width == Long.BYTES;
  }

  /** Values. */
  public int n() {
    return n;
  }

  /** Empty where values are wide. */
  public int[] ints() {
    return ints;
  }

  /** Empty where values are not wide. */
  public long[] longs() {
    return longs;
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
    return isWide() ? longs[i] : ints[i];
  }

  /** A part of the values. */
  private interface Step {
    void run(int from, int to);
  }

  private void steps(Step step) {
    for (int i = 0; i < n; i = ShortLoops.end(i, n)) {
      step.run(i, ShortLoops.end(i, n));
    }
  }

  private void readBytes(ByteBuffer values, int[] rows, int from, int to) {
    for (int i = from; i < to; i++) {
      ints[i] = values.get(rows[i]);
    }
  }

  private void readShorts(ShortBuffer values, int[] rows, int from, int to) {
    for (int i = from; i < to; i++) {
      ints[i] = values.get(rows[i]);
    }
  }

  private void readInts(IntBuffer values, int[] rows, int from, int to) {
    for (int i = from; i < to; i++) {
      ints[i] = values.get(rows[i]);
    }
  }

  private void readLongs(LongBuffer values, int[] rows, int from, int to) {
    for (int i = from; i < to; i++) {
      longs[i] = values.get(rows[i]);
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
      values.put(rows[i], (byte) ints[i]);
    }
  }

  private void writeShorts(ShortBuffer values, int[] rows, int from, int to) {
    for (int i = from; i < to; i++) {
      values.put(rows[i], (short) ints[i]);
    }
  }

  private void writeInts(IntBuffer values, int[] rows, int from, int to) {
    for (int i = from; i < to; i++) {
      values.put(rows[i], ints[i]);
    }
  }

  private void writeLongs(LongBuffer values, int[] rows, int from, int to) {
    for (int i = from; i < to; i++) {
      values.put(rows[i], longs[i]);
    }
  }

  /** Value i becomes that of row i. */
  public RowWords read(HostBuffer column) {
    if (isWide()) {
      column.read(0, longs, 0, n);
      return this;
    }
    if (width == Integer.BYTES) {
      column.read(0, ints, 0, n);
      return this;
    }
    return read(column, inOrder());
  }

  /** Value i becomes the one at {@code places[i]} of others of the same width. */
  public RowWords pick(RowWords others, int[] places) {
    if (isWide()) {
      steps((from, to) -> pickLongs(others.longs, places, from, to));
    } else {
      steps((from, to) -> pickInts(others.ints, places, from, to));
    }
    return this;
  }

  private void pickInts(int[] others, int[] places, int from, int to) {
    for (int i = from; i < to; i++) {
      ints[i] = others[places[i]];
    }
  }

  private void pickLongs(long[] others, int[] places, int from, int to) {
    for (int i = from; i < to; i++) {
      longs[i] = others[places[i]];
    }
  }

  private int[] inOrder() {
    int[] inOrder = new int[n];
    for (int i = 0; i < n; i++) {
      inOrder[i] = i;
    }
    return inOrder;
  }

  /** Every value becomes this one. */
  public void fill(long raw) {
    Arrays.fill(ints, (int) raw);
    Arrays.fill(longs, raw);
  }

  /**
   * Value i becomes that of {@code others} plus it, or minus it; of 32 or 64 bits. False where one
   * of them does not fit, and all are undefined.
   */
  public boolean addTo(RowWords others, boolean minus) {
    boolean fits = true;
    for (int i = 0; i < n; i = ShortLoops.end(i, n)) {
      int to = ShortLoops.end(i, n);
      fits &= isWide() ? addLongs(others, minus, i, to) : addInts(others, minus, i, to);
    }
    return fits;
  }

  private boolean addInts(RowWords others, boolean minus, int from, int to) {
    long beyond = 0;
    for (int i = from; i < to; i++) {
      long sum = minus ? (long) others.ints[i] - ints[i] : (long) others.ints[i] + ints[i];
      ints[i] = (int) sum;
      beyond |= sum ^ ints[i];
    }
    return beyond == 0;
  }

  private boolean addLongs(RowWords others, boolean minus, int from, int to) {
    long beyond = 0;
    for (int i = from; i < to; i++) {
      long x = others.longs[i];
      long y = longs[i];
      long sum = minus ? x - y : x + y;
      // Beyond where the sign is neither operand's (of a difference, where they differ and it is
      // not the first one's).
      beyond |= (x ^ sum) & (minus ? x ^ y : y ^ sum);
      longs[i] = sum;
    }
    return beyond >= 0;
  }

  /** Writes all values from the first on. */
  public void write(HostBuffer column) {
    if (isWide()) {
      column.write(0, longs, 0, n);
      return;
    }
    if (width == Integer.BYTES) {
      column.write(0, ints, 0, n);
      return;
    }
    write(column, inOrder());
  }
}
