package io.gpdb.exec.library.base;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A column for tests: raw bits and presence on the heap, and the same off-heap. */
public final class TestColumn {
  public final Element element;
  public final long[] raw;
  public final boolean[] present;
  public final HostBuffer values;
  public final @Nullable HostBuffer validity;

  public TestColumn(Element element, long[] raw, boolean @Nullable [] present) {
    this.element = element;
    this.raw = raw.clone();
    this.present = new boolean[raw.length];
    values = HostBuffer.collected((long) raw.length * element.bytes());
    for (int i = 0; i < raw.length; i++) {
      this.present[i] = present == null || present[i];
      this.raw[i] = this.present[i] ? raw[i] : 0;
      write(element, values, i, this.raw[i]);
    }
    validity = present == null ? null : bitmap(this.present);
  }

  /** Values from a small range, so that they repeat; floats with a few special ones. */
  public static TestColumn random(Element element, int n, boolean nulls, long seed) {
    Random random = new Random(seed);
    long[] raw = new long[n];
    boolean[] present = new boolean[n];
    for (int i = 0; i < n; i++) {
      raw[i] = value(element, random);
      present[i] = random.nextInt(5) != 0;
    }
    return new TestColumn(element, raw, nulls ? present : null);
  }

  private static long value(Element element, Random random) {
    return switch (element) {
      case I8 -> random.nextInt(2);
      case I16 -> (short) random.nextInt(-300, 300);
      case I32 -> random.nextInt(-1000, 1000);
      case I64 -> random.nextLong(-1L << 40, 1L << 40);
      case F32 -> Float.floatToRawIntBits(special(random) ? 0.0f : random.nextFloat() * 100 - 50);
      case F64 ->
          Double.doubleToRawLongBits(special(random) ? -0.0 : random.nextDouble() * 1e6 - 5e5);
    };
  }

  private static boolean special(Random random) {
    return random.nextInt(50) == 0;
  }

  public static HostBuffer bitmap(boolean[] bits) {
    HostBuffer words = HostBuffer.collected(DenseColumn.bitmapBytes(bits.length));
    for (int i = 0; i < bits.length; i++) {
      if (bits[i]) {
        words.setInt(i >> 5, words.intAt(i >> 5) | (1 << i));
      }
    }
    return words;
  }

  public static boolean bit(@Nullable DeviceBuffer bitmap, long i) {
    return bitmap == null || (bitmap.onHost().intAt(i >> 5) >>> i & 1) != 0;
  }

  public static boolean[] randomBits(int n, int percent, long seed) {
    Random random = new Random(seed);
    boolean[] bits = new boolean[n];
    for (int i = 0; i < n; i++) {
      bits[i] = random.nextInt(100) < percent;
    }
    return bits;
  }

  public static long read(Element element, DeviceBuffer buffer, long i) {
    MemorySegment segment = buffer.onHost().segment();
    return switch (element) {
      case I8 -> segment.get(ValueLayout.JAVA_BYTE, i);
      case I16 -> segment.getAtIndex(ValueLayout.JAVA_SHORT, i);
      case I32, F32 -> segment.getAtIndex(ValueLayout.JAVA_INT, i);
      case I64, F64 -> segment.getAtIndex(ValueLayout.JAVA_LONG, i);
    };
  }

  static void write(Element element, HostBuffer buffer, long i, long raw) {
    MemorySegment segment = buffer.segment();
    switch (element) {
      case I8 -> segment.set(ValueLayout.JAVA_BYTE, i, (byte) raw);
      case I16 -> segment.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) raw);
      case I32, F32 -> segment.setAtIndex(ValueLayout.JAVA_INT, i, (int) raw);
      case I64, F64 -> segment.setAtIndex(ValueLayout.JAVA_LONG, i, raw);
    }
  }

  public static HostBuffer ints(int... values) {
    HostBuffer buffer = HostBuffer.collected(values.length * 4L);
    buffer.write(0, values, 0, values.length);
    return buffer;
  }
}
