package io.gpdb.storage.index;

import io.gpdb.storage.column.ShortLoops;
import io.gpdb.storage.home.Extent;
import io.gpdb.storage.home.RootImage.IndexImage;
import io.gpdb.storage.tablet.Chunk;
import io.gpdb.storage.tablet.SpaceMemory;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a hash index that are in pages, and those that found no place there.
 *
 * <p>Extendible hashing (Fagin, Nievergelt, Pippenger, Strong, 1979): a directory of pages by the
 * first bits of the hash; a full page doubles up to 1 MiB and then splits, both without knowing the
 * keys (see {@link HashIndexLayout}). A look-up reads one line of 64 bytes, rarely two. Entries are
 * never moved by anything else.
 *
 * <p>Guarded by the index's lock, but for {@link #peek}.
 */
final class HashPages {
  /** Keys whose lines are read before the first of them is inserted or looked up. */
  private static final int BATCH = 128;

  /** Says that pages changed while they were read. */
  static final long AGAIN = -2;

  private final SpaceMemory space;
  private final Chunk.Owner owner;
  private final OverflowEntries overflow;
  private volatile HashIndexPage[] directory = new HashIndexPage[0];
  private int directoryBits;

  HashPages(SpaceMemory space, Chunk.Owner owner) {
    this.space = space;
    this.owner = owner;
    overflow = new OverflowEntries(space, owner);
  }

  void load(IndexImage image, String place) {
    HashIndexPage[] loaded = HashIndexDirectory.load(space, owner, image.pages(), place);
    for (Extent extent : image.overflow()) {
      overflow.load(extent, place + " (overflow entries)");
    }
    directoryBits = Integer.numberOfTrailingZeros(loaded.length);
    directory = loaded;
  }

  boolean isEmpty() {
    return directory.length == 0;
  }

  long entryCount() {
    long count = overflow.size();
    for (HashIndexPage page : pages()) {
      count += page.entryCount();
    }
    return count;
  }

  OverflowEntries overflow() {
    return overflow;
  }

  /**
   * Inserts the row of each key under its hash; notes in {@code suspects} as {@link
   * Index#insertAll} does.
   *
   * @param runs entries that are there besides
   */
  int insertAll(
      long[] hashes, KeyBatch keys, KeyRuns runs, int @Nullable [] suspects, SharedWork workers) {
    int n = keys.n();
    presize(n);
    int bits = HashParts.bits(n, HashIndexDirectory.leastDepth(directory));
    return bits == 0
        ? insertHere(hashes, keys, runs, suspects)
        : new HashParts(directory, directoryBits, overflow, hashes, keys, runs, bits, suspects)
            .insert(workers, new Rest(hashes, keys, runs));
  }

  /** What the parts of a batch leave to the thread that holds the lock. */
  private final class Rest implements HashParts.Rest {
    private final long[] hashes;
    private final KeyBatch keys;
    private final KeyRuns runs;

    Rest(long[] hashes, KeyBatch keys, KeyRuns runs) {
      this.hashes = hashes;
      this.keys = keys;
      this.runs = runs;
    }

    @Override
    public void splitIfFull(long hash) {
      HashPages.this.splitIfFull(hash);
    }

    @Override
    public int insert(int i) {
      return HashPages.this.insert(hashes[i], keys, runs, i);
    }
  }

  private int insertHere(long[] hashes, KeyBatch keys, KeyRuns runs, int @Nullable [] suspects) {
    boolean nullable = keys.isNullable();
    int n = keys.n();
    int count = 0;
    for (int from = 0; from < n; from += BATCH) {
      int to = Math.min(n, from + BATCH);
      touch(hashes, from, to);
      for (int i = from; i < to; i++) {
        if (!(nullable && keys.isNull(i))) {
          int result = insert(hashes[i], keys, runs, i);
          if ((result & HashIndexPage.SUSPECT) != 0 && suspects != null) {
            suspects[count++] = i;
          }
        }
      }
    }
    return count;
  }

  /**
   * Inserts key i of a batch unless a run has it; returns what {@link HashIndexPage#insert} does.
   */
  private int insert(long hash, KeyBatch keys, KeyRuns runs, int i) {
    long rowPlusOne = keys.row(i) + 1;
    int met = runs.met(keys, i);
    if (met == KeyRuns.SAME_ROW) {
      return overflow.present(pageOf(hash), hash, rowPlusOne);
    }
    int result = insert(hash, rowPlusOne);
    return met == KeyRuns.OTHER_ROW ? result | HashIndexPage.SUSPECT : result;
  }

  /** Whether there is an entry of the hash with another row. */
  boolean hasOther(long hash, long row) {
    return directory.length > 0
        && (overflow.present(pageOf(hash), hash, row + 1) & HashIndexPage.SUSPECT) != 0;
  }

  /** Returns what {@link HashIndexPage#insert} does. */
  int insert(long hash, long rowPlusOne) {
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

  boolean remove(long hash, long rowPlusOne) {
    return directory.length > 0
        && (pageOf(hash).remove(hash, rowPlusOne) || overflow.remove(hash, rowPlusOne));
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
    Chunk chunk = new Chunk(space, owner, null);
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
    for (int i = from; i < to; i = ShortLoops.end(i, to)) {
      touchSome(hashes, i, ShortLoops.end(i, to));
    }
  }

  private void touchSome(long[] hashes, int from, int to) {
    long sink = 0;
    for (int i = from; i < to; i++) {
      sink += pageOf(hashes[i]).touch(hashes[i]);
    }
    touched = sink;
  }

  /** Keeps the compiler from dropping {@link #touchSome}. */
  @SuppressWarnings("UnusedVariable")
  private long touched;

  /** The first candidates of hashes, into {@code rows} from {@code first} on. */
  void firstCandidates(long[] hashes, long[] rows, int first) {
    int n = hashes.length;
    for (int from = 0; from < n; from += BATCH) {
      int to = Math.min(n, from + BATCH);
      touch(hashes, from, to);
      for (int i = from; i < to; i = ShortLoops.end(i, to)) {
        candidates(hashes, i, ShortLoops.end(i, to), rows, first);
      }
    }
  }

  private void candidates(long[] hashes, int from, int to, long[] rows, int first) {
    for (int i = from; i < to; i++) {
      rows[first + i] = candidate(hashes[i], Long.MAX_VALUE);
    }
  }

  /**
   * The candidate with the greatest row below {@code below} - 1, or -1, or {@link #AGAIN}; for
   * callers without the lock, who find out afterwards whether pages changed meanwhile.
   */
  long peek(long hash, long below) {
    int bits = directoryBits;
    HashIndexPage[] pages = directory;
    if (pages.length == 0) {
      return -1;
    }
    int at = HashIndexLayout.prefix(hash) >>> (HashIndexLayout.PREFIX_BITS - bits);
    if (at >= pages.length) {
      return AGAIN;
    }
    HashIndexPage page = pages[at]; // read once: a split puts a larger one in its place
    MemorySegment slots = page.chunk().peek();
    if (slots == null) {
      return AGAIN;
    }
    try {
      long found = page.greatestBelow(slots, hash, below);
      return found < 0 ? AGAIN : found - 1;
    } catch (IllegalStateException _) {
      return AGAIN; // the page was replaced meanwhile, and its memory released
    }
  }

  /** The candidate with the greatest row below {@code below} - 1, or -1. */
  long candidate(long hash, long below) {
    if (directory.length == 0) {
      return -1;
    }
    return overflow.greatestBelow(pageOf(hash), hash, below) - 1;
  }

  List<HashIndexPage> pages() {
    return HashIndexDirectory.pages(directory);
  }

  /** The page that has this one's place now: another one when it was split or discarded. */
  @Nullable HashIndexPage inPlaceOf(HashIndexPage page) {
    int at = page.prefix() << Math.max(0, directoryBits - page.depth());
    return page.depth() <= directoryBits && at < directory.length ? directory[at] : null;
  }

  void forEachChunk(Consumer<Chunk> action) {
    pages().forEach(page -> action.accept(page.chunk()));
    action.accept(overflow.chunk());
  }

  void discard() {
    pages().forEach(page -> page.chunk().discard());
    overflow.discard();
    directory = new HashIndexPage[0];
    directoryBits = 0;
  }
}
