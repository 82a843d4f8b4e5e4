package io.gpdb.storage.index;

import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.home.Extent;
import io.gpdb.storage.home.HomeImage;
import io.gpdb.storage.home.RootImage.IndexImage;
import io.gpdb.storage.tablet.CheckpointWrites;
import io.gpdb.storage.tablet.Chunk;
import io.gpdb.storage.tablet.SpaceMemory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An index in the order of its keys, which finds keys, beginnings of keys and ranges.
 *
 * <p>A B+tree (Bayer and McCreight, 1972; Comer, 1979) of two levels: leaves of up to 64 KiB, and
 * above them one array of all leaves, which is replaced when a leaf is. An entry is a key as {@link
 * OrderedKeys} writes it, and a row; its order is that of its bytes. A full leaf doubles up to 64
 * KiB and then splits; behind the last entry a new leaf begins instead, so that ascending keys fill
 * their leaves.
 *
 * <p>Entries move from leaf to leaf only into new leaves. So a checkpoint that copied the old leaf
 * copies the new ones at its end, and none is in two.
 *
 * <p>Look-ups of keys are optimistic, as those of {@link HashIndex} are.
 */
public final class OrderedIndex implements Index, Chunk.Owner {
  private static final int BATCH = 128;

  /** Entries that are added while the lock is held once. */
  private static final int SECTION = 16_384;

  private static final int OPTIMISTIC_TRIES = 3;

  private final SpaceMemory space;
  private final IndexShape shape;
  private final int[] columns;
  private final String place;
  private final OrderedKeys keys;
  private final StampedLock lock = new StampedLock();
  private final GoneEntries gone = new GoneEntries();
  private final LeafSort sort = new LeafSort();
  private volatile OrderedLeaf[] leaves;
  private long entryCount;

  OrderedIndex(
      SpaceMemory space,
      IndexShape shape,
      ElementType[] types,
      @Nullable Dictionary[] strings,
      String place,
      @Nullable IndexImage image) {
    this.space = space;
    this.shape = shape;
    this.place = place;
    columns = shape.columns();
    keys = new OrderedKeys(shape, types, strings);
    leaves =
        image == null
            ? new OrderedLeaf[0]
            : OrderedIndexImages.load(space, this, image.pages(), place);
    entryCount = image == null ? 0 : OrderedIndexImages.entryCount(image.pages());
  }

  @Override
  public IndexShape shape() {
    return shape;
  }

  @Override
  public int[] columns() {
    return columns;
  }

  /** How keys are written. */
  public OrderedKeys keys() {
    return keys;
  }

  @Override
  public boolean holdsNulls() {
    return true;
  }

  @Override
  public int entryBytes() {
    return OrderedIndexLayout.ENTRY_BYTES + keys.room();
  }

  @Override
  public long entryCount() {
    long stamp = lock.readLock();
    try {
      return entryCount;
    } finally {
      lock.unlockRead(stamp);
    }
  }

  @Override
  public int insertAll(KeyBatch batch, int @Nullable [] suspects, SharedWork workers) {
    int n = batch.n();
    if (n == 0) {
      return 0;
    }
    IndexedRow.check(place, batch.lastRow());
    space.markDirty();
    if (!isUnique()) {
      append(batch.entries(keys), workers);
      return 0;
    }
    LeafRuns runs = new LeafRuns(batch.entries(keys), batch, suspects);
    for (int from = 0; from < n; ) {
      long stamp = lock.writeLock();
      try {
        int end = Math.min(n, from + BATCH);
        while (from < end) {
          from = insertRun(runs, from);
        }
      } finally {
        lock.unlockWrite(stamp);
      }
    }
    return runs.suspects();
  }

  /** Adds entries to the leaves that they belong into; whoever reads one has it sorted. */
  private void append(SortedEntries entries, SharedWork workers) {
    int n = entries.count();
    for (int from = 0; from < n; from += SECTION) {
      int to = Math.min(n, from + SECTION);
      long stamp = lock.writeLock();
      try {
        requireLeaf();
        gone.inserted(entries, from, to);
        LeafParts parts = new LeafParts(this, leaves, entries, from, to);
        try {
          parts.append(workers);
        } finally {
          entryCount += parts.added();
          leaves = parts.leaves();
        }
      } finally {
        lock.unlockWrite(stamp);
      }
    }
  }

  /** Puts the entries from there on into their leaf, those that are its own; returns the next. */
  private int insertRun(LeafRuns runs, int from) {
    SortedEntries entries = runs.entries();
    requireLeaf();
    while (true) {
      int at = runs.find(leaves, from);
      int next = runs.insert(leaves, at, from);
      entryCount += runs.added();
      if (next > from) {
        gone.inserted(entries, from, next);
        return next;
      }
      int more = runs.bytesFrom(from, leaves, at);
      makeRoom(at, entries.bytes(), entries.start(from), entries.length(from), more);
    }
  }

  private void requireLeaf() {
    if (leaves.length == 0) {
      leaves = new OrderedLeaf[] {newLeaf(OrderedIndexLayout.LEAF_BYTES_MIN, OrderedLeaf.least())};
    }
  }

  @Override
  public boolean insert(long[] key, boolean @Nullable [] nulls, long row) {
    IndexedRow.check(place, row);
    space.markDirty();
    KeyBytes entry = entry(key, nulls, row);
    long stamp = lock.writeLock();
    try {
      return insertLocked(entry.array(), entry.length());
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  private KeyBytes entry(long[] key, boolean @Nullable [] nulls, long row) {
    KeyBytes entry = new KeyBytes(keys.room());
    keys.append(entry, key, nulls);
    entry.addRow(row);
    return entry;
  }

  /** Whether the entry was not there before. */
  private boolean insertLocked(byte[] entry, int length) {
    requireLeaf();
    gone.inserted(entry, 0, length);
    while (true) {
      int at = LeafSearch.find(leaves, entry, 0, length);
      sort(leaves[at]);
      MemorySegment bytes = leaves[at].chunk().write();
      int i = OrderedLeaf.below(bytes, entry, length);
      if (i < OrderedLeaf.count(bytes) && OrderedLeaf.compare(bytes, i, entry, length) == 0) {
        return false;
      }
      if (OrderedLeaf.hasRoom(bytes, length)) {
        OrderedLeaf.insert(bytes, i, entry, 0, length);
        entryCount++;
        return true;
      }
      makeRoom(at, entry, 0, length, OrderedLeaf.roomOf(length));
    }
  }

  private void makeRoom(int at, byte[] entry, int start, int length, int more) {
    LeafSpan span = new LeafSpan(this, leaves, true, sort);
    span.makeRoom(at, entry, start, length, more);
    leaves = span.leaves();
    entryCount += span.added();
  }

  /** An empty leaf, which is not one of the index's yet. */
  OrderedLeaf newLeaf(int bytes, byte[] low) {
    Chunk chunk = new Chunk(space, this, null);
    chunk.grow(bytes, (byte) 0);
    OrderedLeaf.format(chunk.write());
    return new OrderedLeaf(chunk, low);
  }

  /** Whether it has no entries, and never had one. */
  boolean isUnused() {
    return leaves.length == 0;
  }

  /** Makes leaves that were built in its order those of the index, which is unused. */
  void install(List<OrderedLeaf> built, long entries) {
    space.markDirty();
    long stamp = lock.writeLock();
    try {
      if (leaves.length > 0) {
        throw new IllegalStateException(place + ": built beside other entries");
      }
      OrderedLeaf[] next = built.toArray(OrderedLeaf[]::new);
      if (next.length > 0) {
        next[0] = next[0].asFirst();
      }
      leaves = next;
      entryCount = entries;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  @Override
  public boolean remove(long[] key, long row) {
    space.markDirty();
    KeyBytes entry = entry(key, null, row);
    long stamp = lock.writeLock();
    try {
      if (leaves.length == 0) {
        return false;
      }
      OrderedLeaf leaf = leaves[LeafSearch.find(leaves, entry.array(), 0, entry.length())];
      sort(leaf);
      MemorySegment bytes = leaf.chunk().write();
      int i = OrderedLeaf.below(bytes, entry.array(), entry.length());
      if (i == OrderedLeaf.count(bytes)
          || OrderedLeaf.compare(bytes, i, entry.array(), entry.length()) != 0) {
        return false;
      }
      OrderedLeaf.remove(bytes, i);
      entryCount--;
      return true;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  @Override
  public long firstCandidate(long[] key) {
    KeyBytes probe = entry(key, null, OrderedIndexLayout.ROW_MAX);
    return candidateBelow(probe.array(), probe.length());
  }

  @Override
  public long nextCandidate(long[] key, long row) {
    KeyBytes probe = entry(key, null, row);
    return candidateBelow(probe.array(), probe.length());
  }

  @Override
  public boolean contains(long[] key, boolean @Nullable [] nulls, long row) {
    KeyBytes probe = entry(key, nulls, row + 1);
    return candidateBelow(probe.array(), probe.length()) == row;
  }

  @Override
  public void firstCandidates(long[] keyValues, int from, int to, long[] rows) {
    long[] key = new long[columns.length];
    for (int i = from; i < to; i++) {
      System.arraycopy(keyValues, i * key.length, key, 0, key.length);
      rows[i] = firstCandidate(key);
    }
  }

  /** The row of the greatest entry below the probe that has its key, or -1. */
  private long candidateBelow(byte[] probe, int length) {
    for (int tries = 0; tries < OPTIMISTIC_TRIES; tries++) {
      long stamp = lock.tryOptimisticRead();
      if (stamp == 0) {
        break;
      }
      try {
        long row = findBelow(leaves, probe, length);
        if (lock.validate(stamp)) {
          return row;
        }
      } catch (UnsortedLeaf _) {
        break;
      } catch (IllegalStateException | IndexOutOfBoundsException _) {
        // a leaf changed meanwhile, or its memory was released: look again
      }
    }
    return look(() -> findBelow(leaves, probe, length));
  }

  /** Looks while nobody inserts; leaves that it reads are sorted before. */
  private <T> T look(Supplier<T> look) {
    long stamp = lock.readLock();
    try {
      return look.get();
    } catch (UnsortedLeaf _) {
      // sorted below
    } catch (IndexOutOfBoundsException e) {
      throw damaged(e);
    } finally {
      lock.unlockRead(stamp);
    }
    return lookAlone(look);
  }

  private <T> T lookAlone(Supplier<T> look) {
    long stamp = lock.writeLock();
    try {
      while (true) {
        try {
          return look.get();
        } catch (UnsortedLeaf e) {
          sort(e.leaf());
        }
      }
    } catch (IndexOutOfBoundsException e) {
      throw damaged(e);
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** The caller holds the lock alone. */
  private void sort(OrderedLeaf leaf) {
    entryCount -= sort.sort(leaf);
  }

  private GpdbException damaged(RuntimeException cause) {
    return new GpdbException(ErrorCode.CORRUPTION, place + ": index leaf is damaged", cause);
  }

  private static long findBelow(OrderedLeaf[] leaves, byte[] probe, int length) {
    if (leaves.length == 0) {
      return -1;
    }
    int at = LeafSearch.find(leaves, probe, 0, length);
    MemorySegment bytes = leaves[at].bytes();
    int i = OrderedLeaf.below(bytes, probe, length);
    while (i == 0) {
      if (at == 0) {
        return -1;
      }
      bytes = leaves[--at].bytes();
      i = OrderedLeaf.count(bytes);
    }
    return OrderedLeaf.hasKey(bytes, i - 1, probe, 0, length - OrderedIndexLayout.ROW_BYTES)
        ? OrderedLeaf.row(bytes, i - 1)
        : -1;
  }

  /**
   * Reads the entries of a range that come after the cursor's last, into the cursor; false when
   * there is none. A long range is read by many calls: entries that come meanwhile may be missing.
   */
  public boolean read(OrderedRange range, OrderedCursor cursor) {
    boolean begins = cursor.isAtBeginning();
    return look(
        () -> {
          if (begins) {
            cursor.beginBehind(gone.last(range));
          }
          return cursor.fill(leaves, range);
        });
  }

  /**
   * Notes that the rows of the first entries of a range are gone for every reader: that number of
   * them from where the cursor began, up to an entry. Nothing is noted where other entries have
   * come among them.
   */
  public void noteGone(OrderedRange range, OrderedCursor cursor, byte[] last, long count) {
    byte[] begun = cursor.begunBehind();
    boolean _ =
        lookAlone(
            () -> {
              boolean same =
                  Arrays.equals(gone.last(range), begun)
                      && OrderedCursor.count(leaves, range, begun, last) == count;
              if (same) {
                gone.put(range, last);
              }
              return same;
            });
  }

  /** About how many entries a range has: exactly, where it ends in the leaf it begins in. */
  public long estimate(OrderedRange range) {
    return look(() -> OrderedCursor.estimate(leaves, range));
  }

  @Override
  public IndexImage write(CheckpointWrites writes) {
    return write(
        leaf -> {
          Extent home = leaf.home();
          return home != null && !leaf.isDirty() ? home : writes.write(leaf, leaf.read(), true);
        });
  }

  @Override
  public IndexImage copyTo(HomeImage target) {
    return write(leaf -> target.write(leaf.read()));
  }

  /**
   * Leaves are copied one by one, so that inserts wait for one leaf only. A leaf may change after
   * its copy: it then lacks entries of commits that the log still holds. If it was replaced, the
   * leaves in its place are copied at the end, while nobody inserts.
   */
  private IndexImage write(Function<Chunk, Extent> leafWriter) {
    OrderedIndexImages written = new OrderedIndexImages(leafWriter);
    for (OrderedLeaf leaf : leaves) {
      StopSignal.poll();
      boolean _ = look(() -> leaf.isRetired() || written.write(leaf));
    }
    return look(() -> written.image(leaves));
  }

  @Override
  public void forEachChunk(Consumer<Chunk> action) {
    for (OrderedLeaf leaf : leaves) {
      action.accept(leaf.chunk());
    }
  }

  @Override
  public void check(List<String> problems) {
    for (OrderedLeaf leaf : leaves) {
      boolean _ = look(() -> leaf.bytes() != null); // sorted now
    }
    new LeafCheck(place, problems).check(leaves, entryCount);
  }

  @Override
  public void discard() {
    long stamp = lock.writeLock();
    try {
      for (OrderedLeaf leaf : leaves) {
        leaf.retire();
        leaf.chunk().discard();
      }
      leaves = new OrderedLeaf[0];
      entryCount = 0;
      gone.clear();
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  @Override
  public String place(Chunk chunk) {
    return place;
  }
}
