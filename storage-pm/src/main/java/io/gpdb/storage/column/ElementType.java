package io.gpdb.storage.column;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.gpdb.storage.memory.Cells;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;

/**
 * How one value of a column is stored, little-endian. {@code CODE} is a 32-bit index into the
 * column's {@code Dictionary}.
 */
public enum ElementType {
  I8(0, 1),
  I16(1, 2),
  I32(2, 4),
  I64(3, 8),
  F32(4, 4),
  F64(5, 8),
  CODE(6, 4);

  private final int tag;
  private final int bytes;

  ElementType(int tag, int bytes) {
    this.tag = tag;
    this.bytes = bytes;
  }

  /** The type's number in files. */
  public int tag() {
    return tag;
  }

  public static ElementType ofTag(int tag) {
    for (ElementType type : values()) {
      if (type.tag == tag) {
        return type;
      }
    }
    throw new IllegalArgumentException("no element type has the tag " + tag);
  }

  public int bytes() {
    return bytes;
  }

  public boolean isFloat() {
    return this == F32 || this == F64;
  }

  /**
   * The raw bits of all values that compare as equal to this one: the same, but that -0.0 is 0.0
   * and there is one NaN. Two values of a key are one where these are.
   */
  public long keyOf(long raw) {
    return switch (this) {
      case F32 -> Float.floatToIntBits(Float.intBitsToFloat((int) raw) + 0.0f);
      case F64 -> Double.doubleToLongBits(Double.longBitsToDouble(raw) + 0.0);
      case I8, I16, I32, I64, CODE -> raw;
    };
  }

  /** Whether raw bits are those of values that compare as equal. */
  public boolean isSameKey(long a, long b) {
    return a == b || (isFloat() && keyOf(a) == keyOf(b));
  }

  /**
   * The value as raw bits: those of fewer than 64 are sign-extended, those of a float too. What
   * hashes, compares and stores raw bits takes them from here.
   */
  public long rawAt(MemorySegment values, long index) {
    return switch (this) {
      case I8 -> values.get(JAVA_BYTE, index);
      case I16 -> values.get(JAVA_SHORT_UNALIGNED, index << 1);
      case I32, CODE, F32 -> values.get(JAVA_INT_UNALIGNED, index << 2);
      case I64, F64 -> values.get(JAVA_LONG_UNALIGNED, index << 3);
    };
  }

  /**
   * All values, as {@link #rawAt(MemorySegment, long)}, into an array of that length. HotSpot
   * compiles a loop over a buffer much sooner than one over a segment.
   */
  public void read(MemorySegment values, long[] raws) {
    ByteBuffer bytes = values.asByteBuffer().order(ByteOrder.nativeOrder());
    switch (this) {
      case I64, F64 -> bytes.asLongBuffer().get(raws);
      case I32, CODE, F32 -> {
        IntBuffer ints = bytes.asIntBuffer();
        for (int i = 0; i < raws.length; i = ShortLoops.end(i, raws.length)) {
          widen(ints, i, ShortLoops.end(i, raws.length), raws);
        }
      }
      case I8, I16 -> {
        for (int i = 0; i < raws.length; i++) {
          raws[i] = rawAt(values, i);
        }
      }
    }
  }

  private static void widen(IntBuffer ints, int from, int to, long[] raws) {
    for (int i = from; i < to; i++) {
      raws[i] = ints.get(i);
    }
  }

  /** As {@link #rawAt(MemorySegment, long)}. */
  public long rawAt(HostBuffer values, long index) {
    return rawAt(values.segment(), index);
  }

  /** As {@link #rawAt(MemorySegment, long)}, of one value: no other goes to the host. */
  public long oneAt(DeviceBuffer values, long index) {
    return values instanceof HostBuffer host
        ? rawAt(host, index)
        : rawAt(values.slice(index * bytes(), bytes()).onHost(), 0);
  }

  /** The cell of one value. */
  public int cell(Cells cells, DeviceBuffer values, long index) {
    return cells.add(values, index * bytes(), bytes());
  }

  /** As {@link #rawAt(MemorySegment, long)}, of the low bytes of a word. */
  public long rawOf(long word) {
    return switch (this) {
      case I8 -> (byte) word;
      case I16 -> (short) word;
      case I32, CODE, F32 -> (int) word;
      case I64, F64 -> word;
    };
  }

  /** Stores the low bits of {@code raw} as the value. */
  public void setRawAt(MemorySegment values, long index, long raw) {
    switch (this) {
      case I8 -> values.set(JAVA_BYTE, index, (byte) raw);
      case I16 -> values.set(JAVA_SHORT_UNALIGNED, index << 1, (short) raw);
      case I32, CODE, F32 -> values.set(JAVA_INT_UNALIGNED, index << 2, (int) raw);
      case I64, F64 -> values.set(JAVA_LONG_UNALIGNED, index << 3, raw);
    }
  }

  /** As {@link #setRawAt(MemorySegment, long, long)}. */
  public void setRawAt(HostBuffer values, long index, long raw) {
    setRawAt(values.segment(), index, raw);
  }

  /** As {@link #scatter(MemorySegment, MemorySegment, int, MemorySegment)}. */
  public void scatter(HostBuffer source, HostBuffer rows, int n, HostBuffer target) {
    scatter(source.segment(), rows.segment(), n, target.segment());
  }

  /** {@code target[rows[i]] = source[i]} for i below n. */
  public void scatter(MemorySegment source, MemorySegment rows, int n, MemorySegment target) {
    switch (bytes) {
      case 1 -> {
        for (int i = 0; i < n; i++) {
          target.set(JAVA_BYTE, rows.getAtIndex(JAVA_INT, i), source.get(JAVA_BYTE, i));
        }
      }
      case 2 -> {
        for (int i = 0; i < n; i++) {
          target.setAtIndex(
              JAVA_SHORT, rows.getAtIndex(JAVA_INT, i), source.getAtIndex(JAVA_SHORT, i));
        }
      }
      case 4 -> {
        for (int i = 0; i < n; i++) {
          target.setAtIndex(JAVA_INT, rows.getAtIndex(JAVA_INT, i), source.getAtIndex(JAVA_INT, i));
        }
      }
      default -> {
        for (int i = 0; i < n; i++) {
          target.setAtIndex(
              JAVA_LONG, rows.getAtIndex(JAVA_INT, i), source.getAtIndex(JAVA_LONG, i));
        }
      }
    }
  }

  /**
   * {@code target[from + i] = source[rows[i]]} for each i; by width, so that each loop has one kind
   * of access.
   */
  public void gather(MemorySegment source, int[] rows, MemorySegment target, int from) {
    switch (bytes) {
      case Integer.BYTES -> {
        for (int i = 0; i < rows.length; i++) {
          int value = source.get(JAVA_INT_UNALIGNED, (long) rows[i] * Integer.BYTES);
          target.set(JAVA_INT_UNALIGNED, (long) (from + i) * Integer.BYTES, value);
        }
      }
      case Long.BYTES -> {
        for (int i = 0; i < rows.length; i++) {
          long value = source.get(JAVA_LONG_UNALIGNED, (long) rows[i] * Long.BYTES);
          target.set(JAVA_LONG_UNALIGNED, (long) (from + i) * Long.BYTES, value);
        }
      }
      default -> {
        for (int i = 0; i < rows.length; i++) {
          setRawAt(target, from + i, rawAt(source, rows[i]));
        }
      }
    }
  }
}
