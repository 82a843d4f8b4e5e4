package io.gpdb.storage.index;

import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.KeyHash;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.home.Extent;
import io.gpdb.storage.home.HomeImage;
import io.gpdb.storage.home.RootImage.IndexImage;
import io.gpdb.storage.home.RootImage.PageImage;
import io.gpdb.storage.tablet.CheckpointWrites;
import io.gpdb.storage.tablet.Chunk;
import io.gpdb.storage.tablet.SpaceMemory;
import java.lang.foreign.MemorySegment;
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
 * <p>Extendible hashing (Fagin, Nievergelt, Pippenger, Strong, 1979): a directory of pages by the
 * first bits of the hash; a full page doubles up to 1 MiB and then splits, both without knowing the
 * keys (see {@link HashIndexLayout}). A look-up reads one line of 64 bytes, rarely two. Entries are
 * never moved by anything else.
 *
 * <p>Look-ups are optimistic: they may see a page while it changes, which they find out by the
 * stamp.
 */
public final class HashIndex implements Index, Chunk.Owner {
  private static final int BATCH = 128;

  private static final int OPTIMISTIC_TRIES = 3;

  private final SpaceMemory space;
  private final IndexShape shape;
  private final int[] columns;
  private final String place;
  private final StampedLock lock = new StampedLock();
  private final OverflowEntries overflow;
  private volatile HashIndexPage[] directory = new HashIndexPage[0];
  private int directoryBits;

  HashIndex(SpaceMemory space, IndexShape shape, String place, @Nullable IndexImage image) {
    this.space = space;
    this.shape = shape;
    columns = shape.columns();
    this.place = place;
    overflow = new OverflowEntries(space, this);
    if (image != null && !image.pages().isEmpty()) {
      load(image);
    }
  }

  private void load(IndexImage image) {
    HashIndexPage[] loaded = HashIndexDirectory.load(space, this, image.pages(), place);
    for (Extent extent : image.overflow()) {
      overflow.load(extent, place + " (overflow entries)");
    }
    directoryBits = Integer.numberOfTrailingZeros(loaded.length);
    directory = loaded;
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
      long count = overflow.size();
      for (HashIndexPage page : pages()) {
        count += page.entryCount();
      }
      return count;
    } finally {
      lock.unlockRead(stamp);
    }
  }

  @Override
  public int insertAll(KeyBatch keys, int @Nullable [] suspects, SharedWork workers) {
    return insertAll(keys.hashes(), keys, suspects, workers);
  }

  /** Inserts the row of each key under its hash. */
  int insertAll(long[] hashes, KeyBatch keys, int @Nullable [] suspects, SharedWork workers) {
    int n = keys.n();
    if (n == 0) {
      return 0;
    }
    IndexedRow.check(place, keys.lastRow());
    space.markDirty();
    long stamp = lock.writeLock();
    try {
      presize(n);
      int bits = HashParts.bits(n, HashIndexDirectory.leastDepth(directory));
      return bits == 0
          ? insertHere(hashes, keys, suspects)
          : new HashParts(directory, directoryBits, overflow, hashes, keys, bits, suspects)
              .insert(workers, new Rest());
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** What the parts of a batch leave to the thread that holds the lock. */
  private final class Rest implements HashParts.Rest {
    @Override
    public void splitIfFull(long hash) {
      HashIndex.this.splitIfFull(hash);
    }

    @Override
    public int insert(long hash, long rowPlusOne) {
      return insertLocked(hash, rowPlusOne);
    }
  }

  private int insertHere(long[] hashes, KeyBatch keys, int @Nullable [] suspects) {
    boolean nullable = keys.isNullable();
    int n = keys.n();
    int count = 0;
    for (int from = 0; from < n; from += BATCH) {
      int to = Math.min(n, from + BATCH);
      touch(hashes, from, to);
      for (int i = from; i < to; i++) {
        if (!(nullable && keys.isNull(i))) {
          int result = insertLocked(hashes[i], keys.row(i) + 1);
          if ((result & HashIndexPage.SUSPECT) != 0 && suspects != null) {
            suspects[count++] = i;
          }
        }
      }
    }
    return count;
  }

  @Override
  public boolean holdsNulls() {
    return false;
  }

  @Override
  public boolean insert(long[] key, boolean @Nullable [] nulls, long row) {
    return !hasNull(nulls) && (insert(hash(key, 0), row) & HashIndexPage.PRESENT) == 0;
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

  /** Returns what {@link HashIndexPage#insert} does. */
  int insert(long hash, long row) {
    IndexedRow.check(place, row);
    space.markDirty();
    long stamp = lock.writeLock();
    try {
      return insertLocked(hash, row + 1);
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  @Override
  public boolean remove(long[] key, long row) {
    return remove(hash(key, 0), row);
  }

  boolean remove(long hash, long row) {
    space.markDirty();
    long stamp = lock.writeLock();
    try {
      return directory.length > 0
          && (pageOf(hash).remove(hash, row + 1) || overflow.remove(hash, row + 1));
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** Returns what {@link HashIndexPage#insert} does; the caller holds the lock. */
  private int insertLocked(long hash, long rowPlusOne) {
    if (directory.length == 0) {
      directory = new HashIndexPage[] {newPage(0, 0, 0)};
    }
    int result = overflow.insertInPage(pageOf(hash), hash, rowPlusOne);
    if ((result & HashIndexPage.NO_PLACE) != 0) {
      boolean added = overflow.add(hash, rowPlusOne);
      result = (result & HashIndexPage.SUSPECT) | (added ? 0 : HashIndexPage.PRESENT);
    }
    splitIfFull(hash);
    return result;
  }

  private void splitIfFull(long hash) {
    HashIndexPage page = pageOf(hash);
    if (page.isFull()) {
      split(page);
    }
  }

  private HashIndexPage pageOf(long hash) {
    HashIndexPage[] pages = directory;
    return pages[HashIndexLayout.prefix(hash) >>> (HashIndexLayout.PREFIX_BITS - directoryBits)];
  }

  /** Gives an empty index the number of pages that n entries need. */
  private void presize(int n) {
    if (directory.length != 0) {
      return;
    }
    long buckets = n * 8L / (HashIndexLayout.BUCKET_SLOTS * (HashIndexLayout.FULL_EIGHTHS - 1L));
    int bits = 64 - Long.numberOfLeadingZeros(buckets);
    int depth = Math.max(0, bits - HashIndexLayout.PAGE_BUCKET_BITS_MAX);
    HashIndexPage[] pages = new HashIndexPage[1 << depth];
    for (int prefix = 0; prefix < pages.length; prefix++) {
      pages[prefix] = newPage(prefix, depth, bits - depth);
    }
    directoryBits = depth;
    directory = pages;
  }

  private HashIndexPage newPage(int prefix, int depth, int bucketBits) {
    Chunk chunk = new Chunk(space, this, null);
    chunk.grow((long) HashIndexLayout.BUCKET_BYTES << bucketBits, (byte) 0);
    return new HashIndexPage(chunk, prefix, depth, 0);
  }

  private void split(HashIndexPage page) {
    if (page.bucketBits() < HashIndexLayout.PAGE_BUCKET_BITS_MAX) {
      HashIndexPage twice = newPage(page.prefix(), page.depth(), page.bucketBits() + 1);
      page.copyTo(twice, overflow::add);
      overflow.moveTo(twice);
      HashIndexDirectory.place(directory, directoryBits, twice);
    } else if (page.depth() < HashIndexDirectory.DEPTH_MAX) {
      if (page.depth() == directoryBits) {
        doubleDirectory();
      }
      int depth = page.depth() + 1;
      // Both are made first: if memory ran out for the second, the first would be a hole.
      HashIndexPage low = newPage(page.prefix() << 1, depth, HashIndexLayout.PAGE_BUCKET_BITS_MAX);
      HashIndexPage high =
          newPage(page.prefix() << 1 | 1, depth, HashIndexLayout.PAGE_BUCKET_BITS_MAX);
      for (HashIndexPage half : new HashIndexPage[] {low, high}) {
        page.copyTo(half, overflow::add);
        overflow.moveTo(half);
        HashIndexDirectory.place(directory, directoryBits, half);
      }
    } else {
      return;
    }
    page.chunk().discard();
  }

  private void doubleDirectory() {
    HashIndexPage[] twice = new HashIndexPage[directory.length * 2];
    for (int i = 0; i < twice.length; i++) {
      twice[i] = directory[i / 2];
    }
    directoryBits++;
    directory = twice;
  }

  private void touch(long[] hashes, int from, int to) {
    long sink = 0;
    for (int i = from; i < to; i++) {
      sink += pageOf(hashes[i]).touch(hashes[i]);
    }
    touched = sink;
  }

  /** Keeps the compiler from dropping {@link #touch}. */
  @SuppressWarnings("UnusedVariable")
  private long touched;

  @Override
  public long firstCandidate(long[] key) {
    return candidateBelow(hash(key, 0), Long.MAX_VALUE);
  }

  @Override
  public long nextCandidate(long[] key, long row) {
    return candidateBelow(hash(key, 0), row + 1);
  }

  @Override
  public void firstCandidates(long[] keys, int n, long[] rows) {
    long[] hashes = new long[n];
    for (int i = 0; i < n; i++) {
      hashes[i] = hash(keys, i * columns.length);
    }
    long stamp = lock.readLock();
    try {
      if (directory.length == 0) {
        Arrays.fill(rows, 0, n, -1);
        return;
      }
      for (int from = 0; from < n; from += BATCH) {
        int to = Math.min(n, from + BATCH);
        touch(hashes, from, to);
        for (int i = from; i < to; i++) {
          rows[i] = candidateLocked(hashes[i], Long.MAX_VALUE);
        }
      }
    } finally {
      lock.unlockRead(stamp);
    }
  }

  /** The candidate with the greatest row below {@code below} - 1, or -1. */
  long candidateBelow(long hash, long below) {
    for (int tries = 0; tries < OPTIMISTIC_TRIES; tries++) {
      long stamp = lock.tryOptimisticRead();
      if (stamp == 0) {
        break;
      }
      int bits = directoryBits;
      HashIndexPage[] pages = directory;
      int at = HashIndexLayout.prefix(hash) >>> (HashIndexLayout.PREFIX_BITS - bits);
      if (at >= pages.length) {
        if (pages.length == 0 && lock.validate(stamp)) {
          return -1;
        }
        continue;
      }
      HashIndexPage page = pages[at]; // read once: a split puts a larger one in its place
      MemorySegment slots = page.chunk().peek();
      if (slots == null) {
        break;
      }
      try {
        long found = page.greatestBelow(slots, hash, below);
        if (found >= 0 && lock.validate(stamp)) {
          return found - 1;
        }
      } catch (IllegalStateException _) {
        // the page was replaced meanwhile, and its memory released: look again
      }
    }
    long stamp = lock.readLock();
    try {
      return directory.length == 0 ? -1 : candidateLocked(hash, below);
    } finally {
      lock.unlockRead(stamp);
    }
  }

  private long candidateLocked(long hash, long below) {
    HashIndexPage page = pageOf(hash);
    long found = page.greatestBelow(page.chunk().read(), hash, below);
    if (found < 0) {
      found = Math.max(-1 - found, overflow.greatestBelow(hash, below));
    }
    return found - 1;
  }

  private List<HashIndexPage> pages() {
    return HashIndexDirectory.pages(directory);
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
        () -> overflow.write(writes));
  }

  @Override
  public IndexImage copyTo(HomeImage target) {
    return write(page -> target.write(page.read()), () -> overflow.copyTo(target));
  }

  private IndexImage write(Function<Chunk, Extent> pageWriter, Supplier<List<Extent>> rest) {
    IdentityHashMap<Chunk, PageImage> written = new IdentityHashMap<>();
    long stamp = lock.readLock();
    List<HashIndexPage> seen;
    try {
      seen = pages();
    } finally {
      lock.unlockRead(stamp);
    }
    for (HashIndexPage page : seen) {
      StopSignal.poll();
      stamp = lock.readLock();
      try {
        if (pageOf(page) == page) {
          writePage(page, pageWriter, written);
        }
      } finally {
        lock.unlockRead(stamp);
      }
    }
    stamp = lock.readLock();
    try {
      List<PageImage> images = new ArrayList<>();
      for (HashIndexPage page : pages()) {
        images.add(writePage(page, pageWriter, written));
      }
      return new IndexImage(images, rest.get());
    } finally {
      lock.unlockRead(stamp);
    }
  }

  /** The page that has this one's place now: another one when it was split or discarded. */
  private @Nullable HashIndexPage pageOf(HashIndexPage page) {
    int at = page.prefix() << Math.max(0, directoryBits - page.depth());
    return page.depth() <= directoryBits && at < directory.length ? directory[at] : null;
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
    pages().forEach(page -> action.accept(page.chunk()));
    action.accept(overflow.chunk());
  }

  @Override
  public void check(List<String> problems) {
    for (HashIndexPage page : pages()) {
      page.check(place, problems::add);
    }
  }

  @Override
  public void discard() {
    long stamp = lock.writeLock();
    try {
      pages().forEach(page -> page.chunk().discard());
      overflow.discard();
      directory = new HashIndexPage[0];
      directoryBits = 0;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  @Override
  public String place(Chunk chunk) {
    return place;
  }
}
