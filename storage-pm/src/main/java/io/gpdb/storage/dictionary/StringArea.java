package io.gpdb.storage.dictionary;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.home.Extent;
import io.gpdb.storage.home.HomeImage;
import io.gpdb.storage.tablet.CheckpointWrites;
import io.gpdb.storage.tablet.Chunk;
import io.gpdb.storage.tablet.SpaceMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a dictionary's strings, in pages of 1 MiB. Bytes are appended to one page at a time
 * and never changed; a page none of whose strings is used any more is dropped, and its number is
 * taken again. A string longer than a page has pages of its own that follow one another.
 *
 * <p>Changes need the dictionary's lock. Reads do not: a reader of a page that was dropped
 * meanwhile finds other bytes or none, and detects it when it validates its stamp.
 */
public final class StringArea implements Chunk.Owner {
  static final int PAGE_SHIFT = 20;
  public static final int PAGE_BYTES = 1 << PAGE_SHIFT;
  static final int PAGE_MASK = PAGE_BYTES - 1;

  private final SpaceMemory space;
  private final String place;
  private volatile @Nullable Page[] pages;
  private volatile long usedBytes;
  private long next;
  private boolean counted;

  /** A page: at rest at home, or in memory. */
  private static final class Page {
    private final Chunk chunk;

    /** Set when the page outgrew what the home image holds of it. */
    private volatile MemorySegment block = MemorySegment.NULL;

    /** The block and those that it outgrew, which readers without the lock may look at. */
    private final List<MemorySegment> blocks = new ArrayList<>(1);

    private volatile int used;
    private int live;

    /** Whether a checkpoint is about to write it: it stays until then. */
    private boolean pinned;

    Page(Chunk chunk, int used) {
      this.chunk = chunk;
      this.used = used;
    }

    void grow(MemorySegment grown) {
      blocks.add(grown);
      block = grown;
    }

    MemorySegment segment() {
      MemorySegment b = block;
      return b.byteSize() != 0 ? b : chunk.read();
    }

    /** The first bytes, which do not change; asked after {@link #used}, when there is room. */
    MemorySegment bytes(int count) {
      return segment().asSlice(0, count);
    }
  }

  /**
   * @param next where the next string goes, if it fits the page
   */
  StringArea(SpaceMemory space, String place, List<@Nullable Extent> extents, long next) {
    this.space = space;
    this.place = place;
    pages = new @Nullable Page[extents.size()];
    long bytes = 0;
    for (int i = 0; i < extents.size(); i++) {
      Extent extent = extents.get(i);
      if (extent != null) {
        int used = (int) Math.min(PAGE_BYTES, extent.bytes());
        pages[i] = new Page(new Chunk(space, this, extent), used);
        bytes += used;
      }
    }
    usedBytes = bytes;
    openAt(next);
  }

  /** Goes on behind all that the open page holds, also where the image needs less of it. */
  private void openAt(long position) {
    int number = (int) (position >>> PAGE_SHIFT);
    int inPage = (int) (position & PAGE_MASK);
    Page page = number < pages.length ? pages[number] : null;
    next = position;
    if (inPage != 0) {
      if (page == null || page.used < inPage) {
        throw new GpdbException(
            ErrorCode.CORRUPTION,
            "%s: page too short: page=%d, bytes=%d, used=%d"
                .formatted(place, number, page == null ? 0 : page.used, inPage));
      }
      next = ((long) number << PAGE_SHIFT) + page.used;
    }
  }

  /** What is used of all pages, by strings that nobody needs too. */
  long usedBytes() {
    return usedBytes;
  }

  /** Where the next string goes, if it fits the page. */
  long next() {
    return next;
  }

  /** The page with that number; empty when it was dropped. */
  MemorySegment page(int number) {
    @Nullable Page[] known = pages;
    Page page = number < known.length ? known[number] : null;
    return page == null ? MemorySegment.NULL : page.segment();
  }

  /** Appends a string and returns where it is. */
  long append(MemorySegment bytes) {
    long length = bytes.byteSize();
    if (length == 0) {
      return 0;
    }
    int inPage = (int) (next & PAGE_MASK);
    if (inPage == 0 || length > PAGE_BYTES - inPage) {
      next = (long) freeNumber(length) << PAGE_SHIFT;
    }
    long at = next;
    for (long done = 0; done < length; ) {
      int offset = (int) ((at + done) & PAGE_MASK);
      int n = (int) Math.min(PAGE_BYTES - offset, length - done);
      Page page = room((int) ((at + done) >>> PAGE_SHIFT), offset + n);
      MemorySegment.copy(bytes, done, page.block, offset, n);
      add(page, offset + n);
      done += n;
    }
    next = at + length;
    take(at, (int) length, 1);
    space.markDirty();
    return at;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time: the dictionary's lock
  private void add(Page page, int end) {
    usedBytes += end - page.used;
    page.used = end;
  }

  /** A number without a page; the first of as many as the string takes. */
  private int freeNumber(long length) {
    @Nullable Page[] known = pages;
    for (int i = 0; length <= PAGE_BYTES && i < known.length; i++) {
      if (known[i] == null) {
        return i;
      }
    }
    return known.length;
  }

  private Page room(int number, int bytes) {
    @Nullable Page[] known = pages;
    if (number >= known.length) {
      known = Arrays.copyOf(known, number + 1);
    }
    Page page = known[number];
    boolean isNew = page == null;
    if (page == null) {
      page = new Page(new Chunk(space, this, null), 0);
    }
    if (page.block.byteSize() < bytes) {
      // Only the first page is small once, because what it outgrows stays as long as the page.
      MemorySegment grown = space.tables().takeZeroed(known.length > 1 ? PAGE_BYTES : bytes);
      if (page.used > 0) {
        MemorySegment.copy(page.segment(), 0, grown, 0, page.used);
      }
      page.grow(grown);
    }
    if (isNew) { // not before it has memory: readers of the page that had its number may look
      known[number] = page;
      pages = known;
    }
    return page;
  }

  /** Copies bytes out, over page borders, until the target is full. */
  void copy(long at, byte[] target) {
    for (int done = 0; done < target.length; ) {
      long from = at + done;
      int offset = (int) (from & PAGE_MASK);
      int n = Math.min(PAGE_BYTES - offset, target.length - done);
      MemorySegment page = page((int) (from >>> PAGE_SHIFT));
      MemorySegment.copy(page, ValueLayout.JAVA_BYTE, offset, target, done, n);
      done += n;
    }
  }

  /** Whether it is known how much of each page is needed. */
  boolean isCounted() {
    return counted;
  }

  /** From now on it is known: all strings there are have been taken. */
  void counted() {
    counted = true;
  }

  /** A string is needed ({@code sign} 1), or not any more (-1). */
  void take(long at, int length, int sign) {
    if (!counted) {
      return;
    }
    count(at, length, sign);
  }

  /** As {@link #take}, while strings are counted. */
  void count(long at, int length, int sign) {
    for (long done = 0; done < length; ) {
      int offset = (int) ((at + done) & PAGE_MASK);
      int n = (int) Math.min(PAGE_BYTES - offset, length - done);
      Page page = pages[(int) ((at + done) >>> PAGE_SHIFT)];
      if (page != null) {
        page.live += sign * n;
      }
      done += n;
    }
  }

  /** Bytes of the pages there are. */
  private long pageBytes() {
    return Arrays.stream(pages).filter(p -> p != null).count() << PAGE_SHIFT;
  }

  private long liveBytes() {
    long live = 0;
    for (Page page : pages) {
      live += page == null ? 0 : page.live;
    }
    return live;
  }

  /** Whether moving the needed strings together would free much memory. */
  boolean isSparse() {
    return pageBytes() > liveBytes() / 2 * 3 + 2 * PAGE_BYTES;
  }

  /** By number, whether the page is worth moving what is needed of it: less than two thirds. */
  boolean[] sparsePages() {
    @Nullable Page[] known = pages;
    boolean[] sparse = new boolean[known.length];
    int open = (int) (next >>> PAGE_SHIFT);
    for (int i = 0; i < known.length; i++) {
      Page page = known[i];
      sparse[i] = page != null && i != open && !page.pinned && page.live * 3L < PAGE_BYTES * 2L;
    }
    return sparse;
  }

  /** Gives back the pages of which nothing is needed; their bytes must not be read any more. */
  void dropUnused() {
    @Nullable Page[] known = pages;
    int open = (int) (next >>> PAGE_SHIFT);
    for (int i = 0; i < known.length; i++) {
      Page page = known[i];
      if (page != null && page.live == 0 && i != open && !page.pinned) {
        known[i] = null;
        drop(page);
      }
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time: the dictionary's lock
  private void drop(Page page) {
    usedBytes -= page.used;
    page.chunk.discard();
    page.blocks.forEach(space.tables()::give);
  }

  /** The pages that a checkpoint writes, from being pinned until they are written. */
  final class PinnedPages {
    private final @Nullable Page[] pinned = pages.clone();

    private PinnedPages() {
      pin(true);
    }

    private void pin(boolean on) {
      for (Page page : pinned) {
        if (page != null) {
          page.pinned = on;
        }
      }
    }

    /** Writes what was appended to them since their home was written. */
    List<@Nullable Extent> write(CheckpointWrites writes) {
      return StringArea.write(pinned, writes);
    }

    void unpin() {
      pin(false);
    }
  }

  /** Pins the pages there are; nobody drops pages meanwhile. */
  PinnedPages pin() {
    return new PinnedPages();
  }

  private static List<@Nullable Extent> write(@Nullable Page[] pages, CheckpointWrites writes) {
    List<@Nullable Extent> extents = new ArrayList<>();
    for (Page page : pages) {
      Extent home = page == null ? null : page.chunk.home();
      int used = page == null ? 0 : page.used;
      if (page == null || used == 0) { // none, or one for a string to come
        extents.add(null);
      } else if (home != null && home.bytes() >= used && !page.chunk.isDirty()) {
        extents.add(home);
      } else {
        extents.add(writes.write(page.chunk, page.bytes(used), true));
      }
    }
    return extents;
  }

  /** Copies all pages into another home file. */
  List<@Nullable Extent> copyTo(HomeImage target) {
    List<@Nullable Extent> extents = new ArrayList<>();
    for (Page page : pages) {
      StopSignal.poll();
      int used = page == null ? 0 : page.used;
      extents.add(page == null || used == 0 ? null : target.write(page.bytes(used)));
    }
    return extents;
  }

  void forEachChunk(Consumer<Chunk> action) {
    for (Page page : pages) {
      if (page != null) {
        action.accept(page.chunk);
      }
    }
  }

  void discard() {
    for (Page page : pages) {
      if (page != null) {
        drop(page);
      }
    }
    pages = new @Nullable Page[0];
  }

  @Override
  public String place(Chunk chunk) {
    @Nullable Page[] known = pages;
    for (int i = 0; i < known.length; i++) {
      Page page = known[i];
      if (page != null && page.chunk == chunk) {
        return place + ", page=" + i;
      }
    }
    return place;
  }
}
