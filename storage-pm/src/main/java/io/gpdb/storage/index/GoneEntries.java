package io.gpdb.storage.index;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where entries begin that count, behind those at the beginning of a range whose rows are gone for
 * every reader: a queue that is emptied at its beginning is read from where its rows are. Kept in
 * memory alone; an entry that comes into such a part ends what was known of it. Used under the lock
 * of the index.
 */
final class GoneEntries {
  private static final int RANGES_MAX = 1024;

  /** The last entry that is gone, by the beginning of its range. They do not overlap. */
  private final TreeMap<byte[], byte[]> lastByLow = new TreeMap<>(Arrays::compareUnsigned);

  /**
   * The last of the entries that are gone at the beginning of a range; null where none is known.
   */
  byte @Nullable [] last(OrderedRange range) {
    return lastByLow.isEmpty() || range.lowExcluded() ? null : lastByLow.get(low(range));
  }

  private static byte[] low(OrderedRange range) {
    return range.low().toArray();
  }

  void put(OrderedRange range, byte[] last) {
    byte[] low = low(range);
    for (Map.Entry<byte[], byte[]> other = lastByLow.floorEntry(last);
        other != null && Arrays.compareUnsigned(other.getValue(), low) >= 0;
        other = lastByLow.floorEntry(last)) {
      lastByLow.remove(other.getKey());
    }
    if (lastByLow.size() < RANGES_MAX) {
      lastByLow.put(low, last);
    }
  }

  /** Forgets the range that the entry is in. */
  void inserted(byte[] bytes, int start, int length) {
    if (!lastByLow.isEmpty()) {
      byte[] entry = Arrays.copyOfRange(bytes, start, start + length);
      Map.Entry<byte[], byte[]> before = lastByLow.floorEntry(entry);
      if (before != null && Arrays.compareUnsigned(before.getValue(), entry) >= 0) {
        lastByLow.remove(before.getKey());
      }
    }
  }

  /** Forgets the ranges that entries from here to there are in. */
  void inserted(SortedEntries entries, int from, int to) {
    for (int i = from; i < to && !lastByLow.isEmpty(); i++) {
      inserted(entries.bytes(), entries.start(i), entries.length(i));
    }
  }

  void clear() {
    lastByLow.clear();
  }
}
