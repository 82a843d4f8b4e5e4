package io.gpdb.storage.index;

import io.gpdb.storage.memory.MemoryAccount;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Entries of an ordered index in their order, outside of the heap: what the rows of one tablet
 * make.
 *
 * <pre>
 *   | entry … | end of entry 0, i32 | end of entry 1 | … |
 * </pre>
 */
final class EntryRun {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong BYTES =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final MemoryAccount account;
  private final MemorySegment memory;
  private final long entryBytes;
  private final int count;

  /** Takes n sorted entries. */
  EntryRun(MemoryAccount account, SortedEntries entries, int n) {
    this.account = account;
    count = n;
    long bytes = 0;
    for (int i = 0; i < n; i++) {
      bytes += entries.length(i);
    }
    entryBytes = bytes;
    memory = account.take(bytes + Long.BYTES + (long) n * Integer.BYTES);
    int end = 0;
    for (int i = 0; i < n; i++) {
      int length = entries.length(i);
      MemorySegment.copy(
          entries.bytes(), entries.start(i), memory, ValueLayout.JAVA_BYTE, end, length);
      end += length;
      memory.set(INT, place(i), end);
    }
  }

  void close() {
    account.give(memory);
  }

  int count() {
    return count;
  }

  private long place(int i) {
    return entryBytes + Long.BYTES + (long) i * Integer.BYTES;
  }

  private int start(int i) {
    return i == 0 ? 0 : memory.get(INT, place(i - 1));
  }

  /** Entries below that one. */
  int below(byte[] entry, int start, int length) {
    int from = 0;
    int to = count;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (compare(middle, entry, start, length) < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private int compare(int i, byte[] entry, int start, int length) {
    int at = start(i);
    int own = memory.get(INT, place(i)) - at;
    int common = Math.min(own, length);
    for (int b = 0; b < common; b += Long.BYTES) {
      long left = memory.get(BYTES, at + (long) b);
      long right = KeyBytes.longAt(entry, start + b);
      if (left != right) {
        int equal = Long.numberOfLeadingZeros(left ^ right) / Byte.SIZE;
        if (b + equal < common) {
          return Long.compareUnsigned(left, right);
        }
        break;
      }
    }
    return Integer.compare(own, length);
  }

  /** Appends the entries from here to there. */
  void copyTo(SortedEntries target, int from, int to) {
    int first = start(from);
    int shift = target.addAll(memory, first, start(to) - first, to - from) - first;
    for (int i = from; i < to; i++) {
      target.end(start(i + 1) + shift);
    }
  }
}
