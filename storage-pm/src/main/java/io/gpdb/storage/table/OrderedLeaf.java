package io.gpdb.storage.table;

import static io.gpdb.storage.table.OrderedIndexLayout.COUNT_OFFSET;
import static io.gpdb.storage.table.OrderedIndexLayout.HEADER_BYTES;
import static io.gpdb.storage.table.OrderedIndexLayout.HEAP_OFFSET;
import static io.gpdb.storage.table.OrderedIndexLayout.LENGTH_BYTES;
import static io.gpdb.storage.table.OrderedIndexLayout.ROW_BYTES;
import static io.gpdb.storage.table.OrderedIndexLayout.SLOT_BYTES;
import static io.gpdb.storage.table.OrderedIndexLayout.TAIL_BYTES;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Entries of an {@link OrderedIndex} that are next to each other in its order. Not thread-safe: the
 * index holds the lock. Those who only look take the bytes as an argument, because they may look
 * while the leaf changes and find out later.
 */
final class OrderedLeaf {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong BYTES =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final byte[] LEAST = {};

  private final Chunk chunk;

  /**
   * No entry is below it, all entries of leaves before are. Null: the first entry, not yet read.
   */
  private volatile byte @Nullable [] low;

  private boolean retired;

  /**
   * @param low null for one at home that is not the first
   */
  OrderedLeaf(Chunk chunk, byte @Nullable [] low) {
    this.chunk = chunk;
    this.low = low;
  }

  /** The first leaf's low. */
  static byte[] least() {
    return LEAST;
  }

  /** Makes an empty leaf of the bytes. */
  static void format(MemorySegment bytes) {
    bytes.set(INT, COUNT_OFFSET, 0);
    bytes.set(INT, HEAP_OFFSET, (int) bytes.byteSize() - TAIL_BYTES);
  }

  Chunk chunk() {
    return chunk;
  }

  /** For those who look; IllegalStateException when the leaf is gone. */
  MemorySegment bytes() {
    MemorySegment bytes = chunk.readIfThere();
    if (bytes == null) {
      throw new IllegalStateException("leaf is gone");
    }
    return bytes;
  }

  /** Another one has its place. */
  boolean isRetired() {
    return retired;
  }

  void retire() {
    retired = true;
  }

  byte[] low() {
    byte[] known = low;
    if (known == null) {
      known = entry(bytes(), 0);
      low = known;
    }
    return known;
  }

  /**
   * Whether the leaf's low is not above the probe, or begins with it where that counts as not
   * above. Nothing is put into a leaf at home before its low was read here.
   */
  boolean isNotAbove(byte[] probe, int length, boolean behind) {
    byte[] known = low();
    int own = Math.max(0, known.length - Long.BYTES);
    int compared = behind ? Math.min(own, length) : own;
    return KeyBytes.compare(known, 0, compared, probe, 0, length) <= 0;
  }

  /** The last leaf whose low is not above the probe, which is an entry. */
  static int find(OrderedLeaf[] leaves, byte[] probe, int length) {
    return find(leaves, probe, length, false);
  }

  /**
   * The last leaf whose low is not above the probe; {@code behind} says that lows that begin with
   * the probe are not above it.
   */
  static int find(OrderedLeaf[] leaves, byte[] probe, int length, boolean behind) {
    int from = 1;
    int to = leaves.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (leaves[middle].isNotAbove(probe, length, behind)) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from - 1;
  }

  static int count(MemorySegment bytes) {
    return bytes.get(INT, COUNT_OFFSET);
  }

  private static int heap(MemorySegment bytes) {
    return bytes.get(INT, HEAP_OFFSET);
  }

  private static int offset(MemorySegment bytes, int i) {
    return bytes.get(INT, HEADER_BYTES + (long) i * SLOT_BYTES);
  }

  private static int keyLength(MemorySegment bytes, int offset) {
    return bytes.get(SHORT, offset) & 0xffff;
  }

  /** Key and row of entry i, and eight bytes more. */
  static byte[] entry(MemorySegment bytes, int i) {
    int offset = offset(bytes, i);
    int length = keyLength(bytes, offset) + ROW_BYTES;
    byte[] copy = new byte[length + Long.BYTES];
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, (long) offset + LENGTH_BYTES, copy, 0, length);
    return copy;
  }

  /** Appends key and row of entry i. */
  static void copyTo(MemorySegment bytes, int i, KeyBytes target) {
    int offset = offset(bytes, i);
    int length = keyLength(bytes, offset) + ROW_BYTES;
    target.addAll(bytes, (long) offset + LENGTH_BYTES, length);
  }

  static int keyLengthOf(MemorySegment bytes, int i) {
    return keyLength(bytes, offset(bytes, i));
  }

  static long row(MemorySegment bytes, int i) {
    int offset = offset(bytes, i);
    long at = (long) offset + LENGTH_BYTES + keyLength(bytes, offset);
    return bytes.get(BYTES, at) >>> ((Long.BYTES - ROW_BYTES) * 8);
  }

  /** Entries below a probe, which is a key and a row, or the beginning of a key. */
  static int below(MemorySegment bytes, byte[] probe, int length) {
    int from = 0;
    int to = count(bytes);
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (compare(bytes, middle, probe, length) < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** Entries below a probe, or that begin with it. */
  static int upTo(MemorySegment bytes, byte[] probe, int length) {
    int from = 0;
    int to = count(bytes);
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (compare(bytes, middle, probe, length) <= 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** Compares entry i with a probe, with which it is equal when it begins with it. */
  static int compare(MemorySegment bytes, int i, byte[] probe, int length) {
    int offset = offset(bytes, i);
    int own = keyLength(bytes, offset) + ROW_BYTES;
    long at = (long) offset + LENGTH_BYTES;
    int common = Math.min(own, length);
    for (int b = 0; b < common; b += Long.BYTES) {
      long left = bytes.get(BYTES, at + b);
      long right = KeyBytes.longAt(probe, b);
      if (left != right) {
        int equal = Long.numberOfLeadingZeros(left ^ right) / 8;
        if (b + equal < common) {
          return Long.compareUnsigned(left, right);
        }
        break;
      }
    }
    return own < length ? -1 : 0;
  }

  /** Whether the entry's key is this one, apart from what was cut. */
  static boolean hasKey(MemorySegment bytes, int i, byte[] probe, int keyLength) {
    return keyLength(bytes, offset(bytes, i)) == keyLength
        && compare(bytes, i, probe, keyLength) == 0;
  }

  static boolean hasRoom(MemorySegment bytes, int entryLength) {
    int end = HEADER_BYTES + (count(bytes) + 1) * SLOT_BYTES;
    return heap(bytes) - end >= LENGTH_BYTES + entryLength;
  }

  /** Stores key and row as entry i; those from i on are one further on. There is room. */
  static void insert(MemorySegment bytes, int i, byte[] entry, int from, int length) {
    int count = count(bytes);
    int at = heap(bytes) - LENGTH_BYTES - length;
    bytes.set(SHORT, at, (short) (length - ROW_BYTES));
    MemorySegment.copy(entry, from, bytes, ValueLayout.JAVA_BYTE, (long) at + LENGTH_BYTES, length);
    long slot = HEADER_BYTES + (long) i * SLOT_BYTES;
    long behind = (long) (count - i) * SLOT_BYTES;
    MemorySegment.copy(bytes, slot, bytes, slot + SLOT_BYTES, behind);
    bytes.set(INT, slot, at);
    bytes.set(INT, HEAP_OFFSET, at);
    bytes.set(INT, COUNT_OFFSET, count + 1);
  }

  /** Takes entry i out; its bytes are free when the leaf is copied. */
  static void remove(MemorySegment bytes, int i) {
    int count = count(bytes);
    long slot = HEADER_BYTES + (long) i * SLOT_BYTES;
    long behind = (long) (count - i - 1) * SLOT_BYTES;
    MemorySegment.copy(bytes, slot + SLOT_BYTES, bytes, slot, behind);
    bytes.set(INT, COUNT_OFFSET, count - 1);
  }

  /** Appends entries from here to there to an empty leaf's bytes. */
  static void copyRange(MemorySegment source, int from, int to, MemorySegment target) {
    int at = heap(target);
    for (int i = from; i < to; i++) {
      int offset = offset(source, i);
      int length = LENGTH_BYTES + keyLength(source, offset) + ROW_BYTES;
      at -= length;
      MemorySegment.copy(source, offset, target, at, length);
      target.set(INT, HEADER_BYTES + (long) (i - from) * SLOT_BYTES, at);
    }
    target.set(INT, HEAP_OFFSET, at);
    target.set(INT, COUNT_OFFSET, to - from);
  }

  /** The number of first entries that take about half of the bytes; not all of them. */
  static int half(MemorySegment bytes) {
    int count = count(bytes);
    int half = (int) bytes.byteSize() / 2;
    int used = HEADER_BYTES;
    int i = 0;
    while (i < count - 1 && (i == 0 || used < half)) {
      used += SLOT_BYTES + LENGTH_BYTES + keyLength(bytes, offset(bytes, i++)) + ROW_BYTES;
    }
    return i;
  }

  /**
   * Adds what is wrong: entries out of place or order. Returns the last entry, null where there is
   * none.
   */
  byte @Nullable [] check(byte @Nullable [] before, String place, Consumer<String> problems) {
    MemorySegment bytes = bytes();
    int count = count(bytes);
    long room = bytes.byteSize() - TAIL_BYTES;
    if (count < 0 || HEADER_BYTES + (long) count * SLOT_BYTES > room) {
      problems.accept("%s: leaf says entries=%d".formatted(place, count));
      return before;
    }
    byte[] last = before;
    for (int i = 0; i < count; i++) {
      int offset = offset(bytes, i);
      if (offset < heap(bytes)
          || offset < HEADER_BYTES + (long) count * SLOT_BYTES
          || offset + (long) LENGTH_BYTES + ROW_BYTES > room
          || offset + (long) LENGTH_BYTES + ROW_BYTES + keyLength(bytes, offset) > room) {
        problems.accept("%s: leaf has an entry out of place: offset=%d".formatted(place, offset));
        return last;
      }
      byte[] entry = entry(bytes, i);
      if (last != null
          && KeyBytes.compare(
                  last, 0, last.length - Long.BYTES, entry, 0, entry.length - Long.BYTES)
              >= 0) {
        problems.accept("%s: leaf has an entry out of order: entry=%d".formatted(place, i));
        return entry;
      }
      last = entry;
    }
    return last;
  }
}
