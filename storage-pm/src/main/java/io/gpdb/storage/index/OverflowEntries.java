package io.gpdb.storage.index;

import io.gpdb.storage.home.Extent;
import io.gpdb.storage.home.HomeImage;
import io.gpdb.storage.tablet.CheckpointWrites;
import io.gpdb.storage.tablet.Chunk;
import io.gpdb.storage.tablet.SpaceMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The entries of a hash index that found their eight groups full: many rows have one hash. The rows
 * of a hash are sorted, so that the greatest below another is found by binary search.
 *
 * <p>Invariant: the groups of an overflow entry have no empty slot; a split moves those that fit.
 */
final class OverflowEntries {
  private static final int PAIR_BYTES = 16;

  private final SpaceMemory space;
  private final Chunk.Owner owner;
  private final Map<Integer, Rows> byHash = new TreeMap<>();
  private Chunk chunk;
  private long size;
  private boolean changed;

  /** The rows + 1 of one hash, ascending. */
  private static final class Rows {
    private long[] rows = new long[8];
    private int count;

    boolean add(long rowPlusOne) {
      int at = Arrays.binarySearch(rows, 0, count, rowPlusOne);
      if (at >= 0) {
        return false;
      }
      int insertion = -1 - at;
      if (count == rows.length) {
        rows = Arrays.copyOf(rows, count * 2);
      }
      System.arraycopy(rows, insertion, rows, insertion + 1, count - insertion);
      rows[insertion] = rowPlusOne;
      count++;
      return true;
    }

    boolean remove(long rowPlusOne) {
      int at = Arrays.binarySearch(rows, 0, count, rowPlusOne);
      if (at < 0) {
        return false;
      }
      System.arraycopy(rows, at + 1, rows, at, count - at - 1);
      count--;
      return true;
    }

    long greatestBelow(long below) {
      int at = Arrays.binarySearch(rows, 0, count, below);
      int before = at >= 0 ? at - 1 : -2 - at;
      return before < 0 ? 0 : rows[before];
    }
  }

  OverflowEntries(SpaceMemory space, Chunk.Owner owner) {
    this.space = space;
    this.owner = owner;
    chunk = new Chunk(space, owner, null);
  }

  Chunk chunk() {
    return chunk;
  }

  long size() {
    return size;
  }

  boolean add(long hash, long rowPlusOne) {
    Rows rows = byHash.computeIfAbsent(HashIndexLayout.known(hash), k -> new Rows());
    boolean added = rows.add(rowPlusOne);
    size += added ? 1 : 0;
    changed |= added;
    return added;
  }

  boolean remove(long hash, long rowPlusOne) {
    Rows rows = byHash.get(HashIndexLayout.known(hash));
    if (rows == null || !rows.remove(rowPlusOne)) {
      return false;
    }
    if (rows.count == 0) {
      byHash.remove(HashIndexLayout.known(hash));
    }
    size--;
    changed = true;
    return true;
  }

  private long greatestBelow(long hash, long below) {
    Rows rows = byHash.get(HashIndexLayout.known(hash));
    return rows == null ? 0 : rows.greatestBelow(below);
  }

  /** The greatest row + 1 below {@code below} of a hash, in its page and here; 0 without one. */
  long greatestBelow(HashIndexPage page, long hash, long below) {
    long found = page.greatestBelow(page.chunk().read(), hash, below);
    return found < 0 ? Math.max(-1 - found, greatestBelow(hash, below)) : found;
  }

  /** What {@link #insertInPage} would return of an entry that is somewhere else already. */
  int present(HashIndexPage page, long hash, long rowPlusOne) {
    long first = greatestBelow(page, hash, Long.MAX_VALUE);
    long other = first == rowPlusOne ? greatestBelow(page, hash, first) : first;
    return other > 0 ? HashIndexPage.PRESENT | HashIndexPage.SUSPECT : HashIndexPage.PRESENT;
  }

  /**
   * Puts an entry into its page, if it finds a place there; returns what {@link
   * HashIndexPage#insert} does, SUSPECT also where another entry of the hash found none before.
   */
  int insertInPage(HashIndexPage page, long hash, long rowPlusOne) {
    int result = page.insert(hash, rowPlusOne);
    return (result & HashIndexPage.FULL) != 0 && hasAnother(hash, rowPlusOne)
        ? result | HashIndexPage.SUSPECT
        : result;
  }

  /** Whether there is an entry of the hash with another row. */
  boolean hasAnother(long hash, long rowPlusOne) {
    Rows rows = byHash.get(HashIndexLayout.known(hash));
    return rows != null && (rows.count > 1 || rows.rows[0] != rowPlusOne);
  }

  /**
   * Moves the entries that belong to a page which a split has just made there, as far as they fit.
   */
  void moveTo(HashIndexPage page) {
    Iterator<Map.Entry<Integer, Rows>> all = byHash.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Integer, Rows> entry = all.next();
      int known = entry.getKey();
      int prefix = known >>> HashIndexLayout.GROUP_BITS;
      if (prefix >>> (HashIndexLayout.PREFIX_BITS - page.depth()) != page.prefix()) {
        continue;
      }
      long hash =
          (long) prefix << HashIndexLayout.PREFIX_SHIFT
              | (known & (HashIndexLayout.BUCKET_GROUPS - 1));
      Rows rows = entry.getValue();
      while (rows.count > 0 && fits(page, hash, rows.rows[rows.count - 1])) {
        rows.count--;
        size--;
        changed = true;
      }
      if (rows.count == 0) {
        all.remove();
      }
    }
  }

  private static boolean fits(HashIndexPage page, long hash, long rowPlusOne) {
    return (page.insert(hash, rowPlusOne) & HashIndexPage.NO_PLACE) == 0;
  }

  void load(Extent extent, String place) {
    byte[] bytes = space.home().load(extent, place);
    MemorySegment pairs = MemorySegment.ofArray(bytes);
    for (long at = 0; at + PAIR_BYTES <= bytes.length; at += PAIR_BYTES) {
      int known = (int) pairs.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
      long row = pairs.get(ValueLayout.JAVA_LONG_UNALIGNED, at + 8);
      size += byHash.computeIfAbsent(known, k -> new Rows()).add(row) ? 1 : 0;
    }
    chunk = new Chunk(space, owner, extent);
  }

  /** Writes pairs of i64 for the checkpoint: {@link HashIndexLayout#known} of the hash, row + 1. */
  List<Extent> write(CheckpointWrites writes) {
    Extent home = chunk.home();
    if (size == 0) {
      chunk.discard();
      chunk = new Chunk(space, owner, null);
      changed = false;
      return List.of();
    }
    if (home != null && !changed && !chunk.isDirty()) {
      return List.of(home);
    }
    changed = false;
    return List.of(writes.write(chunk, pairs(), true));
  }

  /** Copies all entries into another home file. */
  List<Extent> copyTo(HomeImage target) {
    return size == 0 ? List.of() : List.of(target.write(pairs()));
  }

  private MemorySegment pairs() {
    byte[] pairs = new byte[Math.toIntExact(size * PAIR_BYTES)];
    MemorySegment out = MemorySegment.ofArray(pairs);
    int at = 0;
    for (Map.Entry<Integer, Rows> entry : byHash.entrySet()) {
      for (int i = 0; i < entry.getValue().count; i++) {
        out.set(ValueLayout.JAVA_LONG_UNALIGNED, at, entry.getKey());
        out.set(ValueLayout.JAVA_LONG_UNALIGNED, at + 8, entry.getValue().rows[i]);
        at += PAIR_BYTES;
      }
    }
    return out;
  }

  void discard() {
    byHash.clear();
    size = 0;
    chunk.discard();
    chunk = new Chunk(space, owner, null);
  }
}
