package io.gpdb.storage.index;

import static io.gpdb.storage.index.OrderedIndexLayout.COUNT_OFFSET;
import static io.gpdb.storage.index.OrderedIndexLayout.HEADER_BYTES;
import static io.gpdb.storage.index.OrderedIndexLayout.HEAP_OFFSET;
import static io.gpdb.storage.index.OrderedIndexLayout.LENGTH_BYTES;
import static io.gpdb.storage.index.OrderedIndexLayout.ROW_BYTES;
import static io.gpdb.storage.index.OrderedIndexLayout.SLOT_BYTES;
import static io.gpdb.storage.index.OrderedIndexLayout.TAIL_BYTES;

import io.gpdb.storage.tablet.Chunk;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
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

  /** Slots behind those that are in order, of entries that were appended. */
  private int unsorted;

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

  /** The same leaf with the least low of all. */
  OrderedLeaf asFirst() {
    return new OrderedLeaf(chunk, LEAST);
  }

  /** Makes an empty leaf of the bytes. */
  static void format(MemorySegment bytes) {
    bytes.set(INT, COUNT_OFFSET, 0);
    bytes.set(INT, HEAP_OFFSET, (int) bytes.byteSize() - TAIL_BYTES);
  }

  Chunk chunk() {
    return chunk;
  }

  /**
   * For those who look, who find all entries in order: {@link UnsortedLeaf} where they are not;
   * IllegalStateException when the leaf is gone.
   */
  MemorySegment bytes() {
    if (unsorted > 0) {
      throw new UnsortedLeaf(this);
    }
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

  int unsorted() {
    return unsorted;
  }

  /** All slots are in order. */
  void sorted() {
    unsorted = 0;
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
  boolean isNotAbove(byte[] probe, int start, int length, boolean behind) {
    byte[] known = low();
    int own = Math.max(0, known.length - Long.BYTES);
    int compared = behind ? Math.min(own, length) : own;
    return KeyBytes.compare(known, 0, compared, probe, start, length) <= 0;
  }

  /** Where the first of the entries from here to there is that is not below the leaf's low. */
  int entriesBelow(SortedEntries entries, int from, int to) {
    int i = from;
    int step = 1;
    for (; i + step <= to && isAbove(entries, i + step - 1); step *= 2) {
      i += step;
    }
    int end = Math.min(to, i + step - 1);
    while (i < end) {
      int middle = (i + end) >>> 1;
      if (isAbove(entries, middle)) {
        i = middle + 1;
      } else {
        end = middle;
      }
    }
    return i;
  }

  private boolean isAbove(SortedEntries entries, int i) {
    return !isNotAbove(entries.bytes(), entries.start(i), entries.length(i), false);
  }

  static int count(MemorySegment bytes) {
    return bytes.get(INT, COUNT_OFFSET);
  }

  static int heap(MemorySegment bytes) {
    return bytes.get(INT, HEAP_OFFSET);
  }

  static int offset(MemorySegment bytes, int i) {
    return bytes.get(INT, HEADER_BYTES + (long) i * SLOT_BYTES);
  }

  static void setOffset(MemorySegment bytes, int i, int offset) {
    bytes.set(INT, HEADER_BYTES + (long) i * SLOT_BYTES, offset);
  }

  static void setCount(MemorySegment bytes, int count) {
    bytes.set(INT, COUNT_OFFSET, count);
  }

  /** Moves n slots. */
  static void moveSlots(MemorySegment bytes, int from, int to, int n) {
    long source = HEADER_BYTES + (long) from * SLOT_BYTES;
    long target = HEADER_BYTES + (long) to * SLOT_BYTES;
    MemorySegment.copy(bytes, source, bytes, target, (long) n * SLOT_BYTES);
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
    return below(bytes, 0, count(bytes), probe, 0, length);
  }

  /** Entries below a probe, which is among those from here to there or behind or before them. */
  static int below(MemorySegment bytes, int first, int end, byte[] probe, int start, int length) {
    int from = first;
    int to = end;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (compare(bytes, middle, probe, start, length) < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** Eight bytes of entry i, behind as many as that; behind its end they may be any. */
  static long prefix(MemorySegment bytes, int i, int behind) {
    return bytes.get(BYTES, (long) offset(bytes, i) + LENGTH_BYTES + behind);
  }

  /** How many of the probe's first bytes, of {@code length}, entry i begins with. */
  static int commonBytes(MemorySegment bytes, int i, byte[] probe, int start, int length) {
    int common = Math.min(length, keyLengthOf(bytes, i) + ROW_BYTES);
    int at = 0;
    while (at < common) {
      long differing = prefix(bytes, i, at) ^ KeyBytes.longAt(probe, start + at);
      if (differing != 0) {
        return Math.min(common, at + Long.numberOfLeadingZeros(differing) / Byte.SIZE);
      }
      at += Long.BYTES;
    }
    return common;
  }

  /** For each of n prefixes, how many entries of a leaf that has some have a lesser one. */
  static void belowAll(MemorySegment bytes, int behind, long[] prefixes, int n, int[] places) {
    Arrays.fill(places, 0, n, 0);
    int left = count(bytes);
    while (left > 1) {
      int half = left >>> 1;
      for (int j = 0; j < n; j++) {
        long middle = prefix(bytes, places[j] + half - 1, behind);
        places[j] += (Long.compareUnsigned(middle, prefixes[j]) >> 31) & half;
      }
      left -= half;
    }
    for (int j = 0; j < n; j++) {
      places[j] += Long.compareUnsigned(prefix(bytes, places[j], behind), prefixes[j]) >>> 31;
    }
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
    return compare(bytes, i, probe, 0, length);
  }

  static int compare(MemorySegment bytes, int i, byte[] probe, int start, int length) {
    int offset = offset(bytes, i);
    int own = keyLength(bytes, offset) + ROW_BYTES;
    long at = (long) offset + LENGTH_BYTES;
    int common = Math.min(own, length);
    for (int b = 0; b < common; b += Long.BYTES) {
      long left = bytes.get(BYTES, at + b);
      long right = KeyBytes.longAt(probe, start + b);
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
  static boolean hasKey(MemorySegment bytes, int i, byte[] probe, int start, int keyLength) {
    return keyLength(bytes, offset(bytes, i)) == keyLength
        && compare(bytes, i, probe, start, keyLength) == 0;
  }

  static boolean hasRoom(MemorySegment bytes, int entryLength) {
    return freeBytes(bytes) >= roomOf(entryLength);
  }

  /** Bytes between the slots and the entries. */
  static int freeBytes(MemorySegment bytes) {
    return heap(bytes) - HEADER_BYTES - count(bytes) * SLOT_BYTES;
  }

  /** Bytes that an entry of a key and a row takes. */
  static int roomOf(int entryLength) {
    return SLOT_BYTES + LENGTH_BYTES + entryLength;
  }

  /**
   * The size of a leaf that has room for entries that take that number of bytes, or the greatest.
   */
  static int bytesFor(long entryBytes) {
    long bytes = OrderedIndexLayout.LEAF_BYTES_MIN;
    while (bytes < OrderedIndexLayout.LEAF_BYTES_MAX
        && bytes - HEADER_BYTES - TAIL_BYTES < entryBytes) {
      bytes *= 2;
    }
    return (int) bytes;
  }

  /** Bytes that the first n entries take. */
  static int bytesOf(MemorySegment bytes, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      sum += roomOf(keyLengthOf(bytes, i) + ROW_BYTES);
    }
    return sum;
  }

  /**
   * Stores entries, which ascend, before those that are at their places; there is room.
   *
   * @param numbers of the entries, in the order
   */
  static void insertAll(
      MemorySegment bytes, SortedEntries entries, int[] numbers, int[] places, int n) {
    int count = count(bytes);
    int heap = heap(bytes);
    int tail = count;
    for (int j = n - 1; j >= 0; j--) {
      int length = entries.length(numbers[j]);
      heap -= LENGTH_BYTES + length;
      bytes.set(SHORT, heap, (short) (length - ROW_BYTES));
      MemorySegment.copy(
          entries.bytes(),
          entries.start(numbers[j]),
          bytes,
          ValueLayout.JAVA_BYTE,
          (long) heap + LENGTH_BYTES,
          length);
      long slot = HEADER_BYTES + (long) places[j] * SLOT_BYTES;
      long behind = (long) (tail - places[j]) * SLOT_BYTES;
      MemorySegment.copy(bytes, slot, bytes, slot + (long) (j + 1) * SLOT_BYTES, behind);
      bytes.set(INT, slot + (long) j * SLOT_BYTES, heap);
      tail = places[j];
    }
    bytes.set(INT, HEAP_OFFSET, heap);
    bytes.set(INT, COUNT_OFFSET, count + n);
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

  /**
   * Stores entries from there on behind those of a leaf, which are all below them, of about that
   * number of bytes, as far as there is room; returns the next one.
   */
  static int append(MemorySegment bytes, SortedEntries entries, int from, long entryBytes) {
    int count = count(bytes);
    int next = append(bytes, count, entries, from, entries.count(), entryBytes);
    setCount(bytes, count + next - from);
    return next;
  }

  /**
   * Stores entries from here to there as far as there is room, wherever they belong in the leaf;
   * returns the next one. Unless they come behind all others, the leaf is to be sorted.
   */
  int append(SortedEntries entries, int from, int to) {
    MemorySegment bytes = chunk.write();
    int count = count(bytes);
    int next = append(bytes, count + unsorted, entries, from, to, Long.MAX_VALUE);
    boolean ascends =
        unsorted == 0
            && (count == 0
                || compare(
                        bytes,
                        count - 1,
                        entries.bytes(),
                        entries.start(from),
                        entries.length(from))
                    < 0);
    if (ascends) {
      setCount(bytes, count + next - from);
    } else {
      unsorted += next - from;
    }
    return next;
  }

  private static int append(
      MemorySegment bytes, int slots, SortedEntries entries, int from, int to, long entryBytes) {
    int heap = heap(bytes);
    int free = heap - HEADER_BYTES - slots * SLOT_BYTES;
    long wanted = entryBytes;
    int slot = slots;
    int i = from;
    for (; i < to && wanted > 0; i++) {
      int length = entries.length(i);
      free -= roomOf(length);
      wanted -= roomOf(length);
      if (free < 0) {
        break;
      }
      heap -= LENGTH_BYTES + length;
      bytes.set(SHORT, heap, (short) (length - ROW_BYTES));
      MemorySegment.copy(
          entries.bytes(),
          entries.start(i),
          bytes,
          ValueLayout.JAVA_BYTE,
          (long) heap + LENGTH_BYTES,
          length);
      setOffset(bytes, slot++, heap);
    }
    bytes.set(INT, HEAP_OFFSET, heap);
    return i;
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

  /** The number of first entries that take about half of that number of bytes; not all of them. */
  static int half(MemorySegment bytes, int entryBytes) {
    int count = count(bytes);
    int used = 0;
    int i = 0;
    while (i < count - 1 && (i == 0 || used < entryBytes / 2)) {
      used += roomOf(keyLengthOf(bytes, i++) + ROW_BYTES);
    }
    return i;
  }
}
