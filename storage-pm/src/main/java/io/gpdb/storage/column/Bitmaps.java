package io.gpdb.storage.column;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpdb.storage.memory.Cells;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Bitmaps in i32 words: bit r is bit r&31 of word r>>5. */
public final class Bitmaps {
  private static final int ALL = -1;
  private static final VarHandle WORD = JAVA_INT.varHandle();

  private Bitmaps() {}

  public static long bytes(long bits) {
    return (bits + 31) / 32 * Integer.BYTES;
  }

  public static boolean test(MemorySegment bitmap, int bit) {
    return (bitmap.getAtIndex(JAVA_INT, bit >> 5) >>> bit & 1) != 0;
  }

  public static boolean test(HostBuffer bitmap, int bit) {
    return test(bitmap.segment(), bit);
  }

  /** One bit: no other word goes to the host. */
  public static boolean testOne(DeviceBuffer bitmap, int bit) {
    return bitmap instanceof HostBuffer host
        ? test(host, bit)
        : test(bitmap.slice((long) (bit >> 5) * Integer.BYTES, Integer.BYTES).onHost(), bit & 31);
  }

  /** The cell of the word that has the bit. */
  public static int cell(Cells cells, DeviceBuffer bitmap, int bit) {
    return cells.add(bitmap, (long) (bit >> 5) * Integer.BYTES, Integer.BYTES);
  }

  /** Of the bitmap's word that has the bit. */
  public static boolean test(long word, int bit) {
    return (word >>> (bit & 31) & 1) != 0;
  }

  /** The bitmap's word that has the bit, with that bit. */
  public static long with(long word, int bit, boolean on) {
    long mask = 1L << (bit & 31);
    return on ? word | mask : word & ~mask;
  }

  public static void set(HostBuffer bitmap, int bit, boolean on) {
    set(bitmap.segment(), bit, on);
  }

  public static void set(MemorySegment bitmap, int bit, boolean on) {
    int word = bitmap.getAtIndex(JAVA_INT, bit >> 5);
    int mask = 1 << bit;
    bitmap.setAtIndex(JAVA_INT, bit >> 5, on ? word | mask : word & ~mask);
  }

  /** Clears one bit while other threads clear others. */
  public static void clearShared(HostBuffer bitmap, int bit) {
    long offset = (long) (bit >> 5) * Integer.BYTES;
    int _ = (int) WORD.getAndBitwiseAnd(bitmap.segment(), offset, ~(1 << bit));
  }

  public static void setRange(HostBuffer bitmap, int from, int n, boolean on) {
    setRange(bitmap.segment(), from, n, on);
  }

  public static void setRange(MemorySegment bitmap, int from, int n, boolean on) {
    for (int bit = from, end = from + n; bit < end; ) {
      int word = bit >> 5;
      int count = Math.min(32 - (bit & 31), end - bit);
      int mask = ALL >>> (32 - count) << (bit & 31);
      int old = bitmap.getAtIndex(JAVA_INT, word);
      bitmap.setAtIndex(JAVA_INT, word, on ? old | mask : old & ~mask);
      bit += count;
    }
  }

  /** Sets or clears all bits from {@code from} to the bitmap's end. */
  public static void setTail(MemorySegment bitmap, int from, boolean on) {
    int whole = (from | 31) + 1;
    if ((from & 31) == 0) {
      whole = from;
    } else {
      setRange(bitmap, from, whole - from, on);
    }
    bitmap.asSlice(bytes(whole)).fill((byte) (on ? ALL : 0));
  }

  /** As {@link #copyRange(MemorySegment, int, MemorySegment, int, int)}. */
  public static void copyRange(HostBuffer source, int from, HostBuffer target, int to, int n) {
    copyRange(source.segment(), from, target.segment(), to, n);
  }

  /** Copies n bits; whole words at a time. */
  public static void copyRange(
      MemorySegment source, int from, MemorySegment target, int to, int n) {
    for (int done = 0; done < n; ) {
      int at = to + done;
      int count = Math.min(32 - (at & 31), n - done);
      int mask = ALL >>> (32 - count) << (at & 31);
      int bits = read(source, from + done, count) << (at & 31);
      int old = target.getAtIndex(JAVA_INT, at >> 5);
      target.setAtIndex(JAVA_INT, at >> 5, (old & ~mask) | (bits & mask));
      done += count;
    }
  }

  /** Up to 32 bits from {@code from}, in the low bits. */
  private static int read(MemorySegment bitmap, int from, int count) {
    int shift = from & 31;
    int bits = bitmap.getAtIndex(JAVA_INT, from >> 5) >>> shift;
    if (shift + count > 32) {
      bits |= bitmap.getAtIndex(JAVA_INT, (from >> 5) + 1) << (32 - shift);
    }
    return bits;
  }

  /** As {@link #next(MemorySegment, int, int, boolean)}. */
  public static int next(HostBuffer bitmap, int from, int n, boolean wanted) {
    return next(bitmap.segment(), from, n, wanted);
  }

  /** The first bit from {@code from} on that is as wanted, or n; no bitmap counts as all set. */
  public static int next(@Nullable MemorySegment bitmap, int from, int n, boolean wanted) {
    if (bitmap == null) {
      return wanted ? Math.min(from, n) : n;
    }
    int bit = from;
    while (bit < n) {
      int word = bitmap.getAtIndex(JAVA_INT, bit >> 5);
      int rest = (wanted ? word : ~word) >>> bit;
      if (rest != 0) {
        return Math.min(n, bit + Integer.numberOfTrailingZeros(rest));
      }
      bit = (bit | 31) + 1;
    }
    return n;
  }

  public static int count(HostBuffer bitmap, int from, int n) {
    return count(bitmap.segment(), from, n);
  }

  public static int count(MemorySegment bitmap, int from, int n) {
    int total = 0;
    for (int done = 0; done < n; ) {
      int count = Math.min(32, n - done);
      total += Integer.bitCount(read(bitmap, from + done, count) & ALL >>> (32 - count));
      done += count;
    }
    return total;
  }

  public static boolean allSet(HostBuffer bitmap, int n) {
    return allSet(bitmap.segment(), n);
  }

  public static boolean allSet(MemorySegment bitmap, int n) {
    return count(bitmap, 0, n) == n;
  }
}
