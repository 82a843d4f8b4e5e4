package io.gpdb.storage.index;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Entries of a range of an ordered index, some at a time, and where the next ones are. Used by one
 * thread at a time.
 */
public final class OrderedCursor {
  private static final int FIRST_ENTRIES = 16;
  private static final int ENTRIES_MAX = 1024;

  private final boolean descending;
  private final KeyBytes bytes = new KeyBytes(FIRST_ENTRIES * 32);
  private int[] starts = new int[FIRST_ENTRIES + 1];
  private long[] rows = new long[FIRST_ENTRIES];
  private int count;
  private int room = FIRST_ENTRIES;

  /** The entry read last; empty before the first. */
  private final KeyBytes last = new KeyBytes(32);

  /** The entry behind which the first reading began; null for the beginning of the range. */
  private byte @Nullable [] begun;

  /** Entries from the first to the last key of a range, or the other way round. */
  public OrderedCursor(boolean descending) {
    this.descending = descending;
  }

  /** Entries of the last reading. */
  public int count() {
    return count;
  }

  public long row(int i) {
    return rows[i];
  }

  /** Whether entry i has that key, as far as keys are in entries. */
  public boolean hasKey(int i, KeyBytes key) {
    int length = starts[i + 1] - starts[i] - OrderedIndexLayout.ROW_BYTES;
    return KeyBytes.compare(bytes.array(), starts[i], length, key.array(), 0, key.length()) == 0;
  }

  /** Entry i, its row included. */
  public byte[] entry(int i) {
    return Arrays.copyOfRange(bytes.array(), starts[i], starts[i + 1]);
  }

  /** Whether nothing was read, from the first key on. */
  boolean isAtBeginning() {
    return !descending && last.length() == 0;
  }

  /** The first reading begins behind that entry. */
  void beginBehind(byte @Nullable [] entry) {
    begun = entry;
    last.clear();
    if (entry != null) {
      last.addAll(entry, 0, entry.length);
    }
  }

  byte @Nullable [] begunBehind() {
    return begun;
  }

  /** Reads on; the index is locked. */
  boolean fill(OrderedLeaf[] leaves, OrderedRange range) {
    count = 0;
    bytes.clear();
    if (rows.length < room) {
      rows = new long[room];
      starts = new int[room + 1];
    }
    if (leaves.length > 0) {
      if (descending) {
        readDown(leaves, range);
      } else {
        readUp(leaves, range);
      }
    }
    room = Math.min(ENTRIES_MAX, room * 2);
    if (count > 0) {
      last.clear();
      last.addAll(bytes.array(), starts[count - 1], starts[count] - starts[count - 1]);
    }
    return count > 0;
  }

  private void readUp(OrderedLeaf[] leaves, OrderedRange range) {
    Place from = last.length() > 0 ? Place.of(leaves, last, true) : start(leaves, range);
    Place to = end(leaves, range);
    int i = from.entry;
    for (int leaf = from.leaf; leaf <= to.leaf && count < room; leaf++) {
      MemorySegment source = leaves[leaf].bytes();
      int end = leaf == to.leaf ? to.entry : OrderedLeaf.count(source);
      for (; i < end && count < room; i++) {
        take(source, i);
      }
      i = 0;
    }
  }

  private void readDown(OrderedLeaf[] leaves, OrderedRange range) {
    Place from = start(leaves, range);
    Place to = last.length() > 0 ? Place.of(leaves, last, false) : end(leaves, range);
    int i = to.entry;
    for (int leaf = to.leaf; leaf >= from.leaf && count < room; leaf--) {
      MemorySegment source = leaves[leaf].bytes();
      if (leaf < to.leaf) {
        i = OrderedLeaf.count(source);
      }
      int end = leaf == from.leaf ? from.entry : 0;
      for (; i > end && count < room; i--) {
        take(source, i - 1);
      }
    }
  }

  private void take(MemorySegment source, int i) {
    rows[count] = OrderedLeaf.row(source, i);
    starts[count++] = bytes.length();
    OrderedLeaf.copyTo(source, i, bytes);
    starts[count] = bytes.length();
  }

  private static Place start(OrderedLeaf[] leaves, OrderedRange range) {
    return Place.of(leaves, range.low(), range.lowExcluded());
  }

  private static Place end(OrderedLeaf[] leaves, OrderedRange range) {
    return Place.of(leaves, range.high(), !range.highExcluded());
  }

  /** Before entry {@code entry} of a leaf, or behind its last one. */
  private record Place(int leaf, int entry) {
    /** Before the entries that begin with the probe, or behind them. */
    static Place of(OrderedLeaf[] leaves, KeyBytes probe, boolean behind) {
      byte[] bytes = probe.array();
      int length = probe.length();
      int leaf = LeafSearch.find(leaves, bytes, 0, length, behind);
      MemorySegment source = leaves[leaf].bytes();
      return new Place(
          leaf,
          behind
              ? OrderedLeaf.upTo(source, bytes, length)
              : OrderedLeaf.below(source, bytes, length));
    }
  }

  /** The number of entries behind {@code begun}, or from the range's beginning, up to an entry. */
  static long count(
      OrderedLeaf[] leaves, OrderedRange range, byte @Nullable [] begun, byte[] last) {
    if (leaves.length == 0) {
      return 0;
    }
    Place from = begun == null ? start(leaves, range) : Place.of(leaves, bytes(begun), true);
    Place to = Place.of(leaves, bytes(last), true);
    long count = (long) to.entry - from.entry;
    for (int leaf = from.leaf; leaf < to.leaf; leaf++) {
      count += OrderedLeaf.count(leaves[leaf].bytes());
    }
    return count;
  }

  private static KeyBytes bytes(byte[] entry) {
    KeyBytes bytes = new KeyBytes(entry.length);
    bytes.addAll(entry, 0, entry.length);
    return bytes;
  }

  static long estimate(OrderedLeaf[] leaves, OrderedRange range) {
    if (leaves.length == 0) {
      return 0;
    }
    Place from = start(leaves, range);
    Place to = end(leaves, range);
    if (from.leaf >= to.leaf) {
      return from.leaf > to.leaf ? 0 : Math.max(0, to.entry - from.entry);
    }
    int first = OrderedLeaf.count(leaves[from.leaf].bytes());
    int last = OrderedLeaf.count(leaves[to.leaf].bytes());
    long between = (to.leaf - from.leaf - 1L) * ((first + last) / 2);
    return first - from.entry + between + to.entry;
  }

  /** Forgets where it was: the next reading begins at the range's beginning. */
  public void restart() {
    last.clear();
    room = FIRST_ENTRIES;
    Arrays.fill(starts, 0);
    count = 0;
  }
}
