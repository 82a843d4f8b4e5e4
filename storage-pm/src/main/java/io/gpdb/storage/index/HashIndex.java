package io.gpdb.storage.index;

import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.KeyHash;
import io.gpdb.storage.column.ShortLoops;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.home.Extent;
import io.gpdb.storage.home.HomeImage;
import io.gpdb.storage.home.RootImage.IndexImage;
import io.gpdb.storage.home.RootImage.PageImage;
import io.gpdb.storage.tablet.CheckpointWrites;
import io.gpdb.storage.tablet.Chunk;
import io.gpdb.storage.tablet.SpaceMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An index by the hash of the key, which finds whole keys only.
 *
 * <p>Entries are in pages ({@link HashPages}), but those of keys of one column that ascend by equal
 * steps from row to row, which are in {@link KeyRuns}. An entry that came once is not moved from
 * one to the other.
 *
 * <p>Look-ups are optimistic: they may see a page or run while it changes, which they find out by
 * the stamp.
 */
public final class HashIndex implements Index, Chunk.Owner {
  private static final int OPTIMISTIC_TRIES = 3;
  private static final long[] NO_HASHES = {};

  private final SpaceMemory space;
  private final IndexShape shape;
  private final int[] columns;
  private final String place;
  private final StampedLock lock = new StampedLock();
  private final HashPages pages;
  private final KeyRuns runs = new KeyRuns();

  HashIndex(SpaceMemory space, IndexShape shape, String place, @Nullable IndexImage image) {
    this.space = space;
    this.shape = shape;
    columns = shape.columns();
    this.place = place;
    pages = new HashPages(space, this);
    if (image != null) {
      if (!image.pages().isEmpty()) {
        pages.load(image, place);
      }
      runs.load(image.runs(), place);
    }
  }

  @Override
  public IndexShape shape() {
    return shape;
  }

  @Override
  public int[] columns() {
    return columns;
  }

  /** Of a key at {@code from}; nobody else knows how a key becomes a hash. */
  private long hash(long[] keys, int from) {
    return KeyHash.of(keys, from, columns.length);
  }

  @Override
  public int entryBytes() {
    return HashIndexLayout.SLOT_BYTES;
  }

  @Override
  public long entryCount() {
    long stamp = lock.readLock();
    try {
      return pages.entryCount() + runs.entryCount();
    } finally {
      lock.unlockRead(stamp);
    }
  }

  @Override
  public int insertAll(KeyBatch keys, int @Nullable [] suspects, SharedWork workers) {
    int n = keys.n();
    boolean ascends = n > 0 && keys.isPlain() && keys.ascentEnd(0) == n;
    return insertAll(ascends ? NO_HASHES : keys.hashes(), keys, suspects, workers);
  }

  /**
   * Inserts the row of each key under its hash.
   *
   * @param hashes none where the keys of the whole batch ascend by equal steps
   */
  int insertAll(long[] hashes, KeyBatch keys, int @Nullable [] suspects, SharedWork workers) {
    int n = keys.n();
    if (n == 0) {
      return 0;
    }
    IndexedRow.check(place, keys.lastRow());
    space.markDirty();
    long stamp = lock.writeLock();
    try {
      return keys.isPlain()
          ? new HashBatch(pages, runs, keys, hashes, suspects, workers).insert()
          : pages.insertAll(hashes, keys, runs, suspects, workers);
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  @Override
  public boolean holdsNulls() {
    return false;
  }

  @Override
  public boolean insert(long[] key, boolean @Nullable [] nulls, long row) {
    if (hasNull(nulls)) {
      return false;
    }
    IndexedRow.check(place, row);
    space.markDirty();
    long hash = hash(key, 0);
    long stamp = lock.writeLock();
    try {
      if (columns.length == 1) {
        if (runs.rowOf(key[0]) == row || pages.candidate(hash, row + 2) == row) {
          return false;
        }
        if (runs.take(key[0], 0, 1, row)) {
          return true;
        }
      }
      return (pages.insert(hash, row + 1) & HashIndexPage.PRESENT) == 0;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  private boolean hasNull(boolean @Nullable [] nulls) {
    if (nulls != null) {
      for (int k = 0; k < columns.length; k++) {
        if (nulls[k]) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public boolean contains(long[] key, boolean @Nullable [] nulls, long row) {
    return !hasNull(nulls) && nextCandidate(key, row + 1) == row;
  }

  /** Inserts into a page; returns what {@link HashIndexPage#insert} does. */
  int insert(long hash, long row) {
    IndexedRow.check(place, row);
    space.markDirty();
    long stamp = lock.writeLock();
    try {
      return pages.insert(hash, row + 1);
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  @Override
  public boolean remove(long[] key, long row) {
    boolean fromRun = false;
    if (columns.length == 1) {
      long stamp = lock.writeLock();
      try {
        fromRun = runs.remove(key[0], row);
      } finally {
        lock.unlockWrite(stamp);
      }
    }
    return remove(hash(key, 0), row) || fromRun;
  }

  boolean remove(long hash, long row) {
    space.markDirty();
    long stamp = lock.writeLock();
    try {
      return pages.remove(hash, row + 1);
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  @Override
  public long firstCandidate(long[] key) {
    return candidateBelow(key, hash(key, 0), Long.MAX_VALUE);
  }

  @Override
  public long nextCandidate(long[] key, long row) {
    return candidateBelow(key, hash(key, 0), row + 1);
  }

  @Override
  public void firstCandidates(long[] keys, int from, int to, long[] rows) {
    int n = to - from;
    long[] hashes = pages.isEmpty() ? NO_HASHES : hashes(keys, from, n); // without the lock
    long stamp = lock.readLock();
    try {
      if (pages.isEmpty()) {
        Arrays.fill(rows, from, to, -1);
      } else {
        pages.firstCandidates(hashes.length == n ? hashes : hashes(keys, from, n), rows, from);
      }
      if (columns.length == 1 && !runs.isEmpty()) {
        for (int i = from; i < to; i = ShortLoops.end(i, to)) {
          findInRuns(keys, i, ShortLoops.end(i, to), rows);
        }
      }
    } finally {
      lock.unlockRead(stamp);
    }
  }

  private long[] hashes(long[] keys, int first, int n) {
    long[] hashes = new long[n];
    for (int i = 0; i < n; i = ShortLoops.end(i, n)) {
      hash(keys, first, i, ShortLoops.end(i, n), hashes);
    }
    return hashes;
  }

  private void hash(long[] keys, int first, int from, int to, long[] hashes) {
    for (int i = from; i < to; i++) {
      hashes[i] = hash(keys, (first + i) * columns.length);
    }
  }

  private void findInRuns(long[] keys, int from, int to, long[] rows) {
    for (int i = from; i < to; i++) {
      rows[i] = Math.max(rows[i], runs.rowOf(keys[i]));
    }
  }

  /** The candidate with the greatest row below {@code below} - 1, or -1. */
  private long candidateBelow(long[] key, long hash, long below) {
    for (int tries = 0; tries < OPTIMISTIC_TRIES; tries++) {
      long stamp = lock.tryOptimisticRead();
      if (stamp == 0) {
        break;
      }
      long inRun = inRun(key, below);
      long inPage = pages.peek(hash, below);
      if (inPage != HashPages.AGAIN && lock.validate(stamp)) {
        return Math.max(inRun, inPage);
      }
    }
    long stamp = lock.readLock();
    try {
      return Math.max(inRun(key, below), pages.candidate(hash, below));
    } finally {
      lock.unlockRead(stamp);
    }
  }

  /** As {@link #candidateBelow}, of what the pages have. */
  long candidateBelow(long hash, long below) {
    long stamp = lock.readLock();
    try {
      return pages.candidate(hash, below);
    } finally {
      lock.unlockRead(stamp);
    }
  }

  private long inRun(long[] key, long below) {
    if (columns.length != 1) {
      return -1;
    }
    long row = runs.rowOf(key[0]);
    return row + 1 < below ? row : -1;
  }

  /**
   * Pages are copied one by one, so that inserts wait for one page only. A page may change after
   * its copy: it then lacks entries of commits that the log still holds, or, when it was split, has
   * some more than belong to it.
   */
  @Override
  public IndexImage write(CheckpointWrites writes) {
    return write(
        page -> {
          Extent home = page.home();
          return home != null && !page.isDirty() ? home : writes.write(page, page.read(), true);
        },
        () -> pages.overflow().write(writes));
  }

  @Override
  public IndexImage copyTo(HomeImage target) {
    return write(page -> target.write(page.read()), () -> pages.overflow().copyTo(target));
  }

  private IndexImage write(Function<Chunk, Extent> pageWriter, Supplier<List<Extent>> rest) {
    IdentityHashMap<Chunk, PageImage> written = new IdentityHashMap<>();
    long stamp = lock.readLock();
    List<HashIndexPage> seen;
    try {
      seen = pages.pages();
    } finally {
      lock.unlockRead(stamp);
    }
    for (HashIndexPage page : seen) {
      StopSignal.poll();
      stamp = lock.readLock();
      try {
        if (pages.inPlaceOf(page) == page) {
          writePage(page, pageWriter, written);
        }
      } finally {
        lock.unlockRead(stamp);
      }
    }
    stamp = lock.readLock();
    try {
      List<PageImage> images = new ArrayList<>();
      for (HashIndexPage page : pages.pages()) {
        images.add(writePage(page, pageWriter, written));
      }
      return new IndexImage(images, rest.get(), runs.image());
    } finally {
      lock.unlockRead(stamp);
    }
  }

  private static PageImage writePage(
      HashIndexPage page,
      Function<Chunk, Extent> pageWriter,
      IdentityHashMap<Chunk, PageImage> written) {
    PageImage image = written.get(page.chunk());
    if (image == null) {
      Extent extent = pageWriter.apply(page.chunk());
      image = new PageImage(page.prefix(), page.depth(), page.entryCount(), extent);
      written.put(page.chunk(), image);
    }
    return image;
  }

  @Override
  public void forEachChunk(Consumer<Chunk> action) {
    pages.forEachChunk(action);
  }

  @Override
  public void check(List<String> problems) {
    for (HashIndexPage page : pages.pages()) {
      page.check(place, problems::add);
    }
  }

  @Override
  public void discard() {
    long stamp = lock.writeLock();
    try {
      pages.discard();
      runs.clear();
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  @Override
  public String place(Chunk chunk) {
    return place;
  }
}
