package io.gpdb.storage;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bytes that are only ever appended, in pages of 1 MiB; the last page grows by doubling.
 *
 * <p>Appending wants a lock; reading does not. A page's smaller predecessors stay as they are (at
 * most 1 MiB in all), so that a reader that holds one reads the same bytes.
 */
final class AppendArea implements Chunk.Owner {
  static final int PAGE_SHIFT = 20;
  static final int PAGE_BYTES = 1 << PAGE_SHIFT;
  static final int PAGE_MASK = PAGE_BYTES - 1;

  private final SpaceMemory space;
  private final String place;
  private volatile Page[] pages;
  private volatile long usedBytes;

  /** A page: at rest at home, or in memory. */
  private static final class Page {
    private final Chunk chunk;

    /** Set when the page outgrew what the home image holds of it. */
    private volatile MemorySegment block = MemorySegment.NULL;

    Page(Chunk chunk) {
      this.chunk = chunk;
    }

    MemorySegment segment() {
      MemorySegment b = block;
      return b.byteSize() != 0 ? b : chunk.read();
    }

    long capacity() {
      return Math.max(block.byteSize(), chunk.capacityBytes());
    }
  }

  AppendArea(SpaceMemory space, String place, List<Extent> extents, long usedBytes) {
    this.space = space;
    this.place = place;
    this.usedBytes = usedBytes;
    pages = new Page[extents.size()];
    for (int i = 0; i < pages.length; i++) {
      pages[i] = new Page(new Chunk(space, this, extents.get(i)));
      long used = Math.min(PAGE_BYTES, usedBytes - ((long) i << PAGE_SHIFT));
      if (pages[i].capacity() < used) {
        throw new GpdbException(
            ErrorCode.CORRUPTION,
            "%s: page too short: page=%d, bytes=%d, used=%d"
                .formatted(place, i, pages[i].capacity(), used));
      }
    }
    if (usedBytes > (long) pages.length << PAGE_SHIFT) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "%s: pages missing: pages=%d, used=%d".formatted(place, pages.length, usedBytes));
    }
  }

  long usedBytes() {
    return usedBytes;
  }

  /** The page with that number; good for all bytes that were appended before the call. */
  MemorySegment page(int number) {
    return pages[number].segment();
  }

  /** Makes room for so many more bytes; {@link #put} then finds it. */
  void reserve(long bytes) {
    long end = usedBytes + bytes;
    int last = (int) ((end - 1) >>> PAGE_SHIFT);
    if (last >= pages.length) {
      int old = pages.length;
      Page[] more = Arrays.copyOf(pages, last + 1);
      for (int i = old; i <= last; i++) {
        more[i] = new Page(new Chunk(space, this, null));
      }
      pages = more;
    }
    int first = (int) (usedBytes >>> PAGE_SHIFT);
    for (int i = first; i <= last; i++) {
      growPage(pages[i], Math.min(PAGE_BYTES, end - ((long) i << PAGE_SHIFT)));
    }
  }

  private void growPage(Page page, long bytes) {
    if (page.block.byteSize() >= bytes) {
      return;
    }
    MemorySegment grown = space.pool().allocate(bytes);
    if (page.capacity() > 0) {
      MemorySegment old = page.segment();
      MemorySegment.copy(old, 0, grown, 0, Math.min(old.byteSize(), grown.byteSize()));
    }
    page.block = grown;
  }

  /** Appends to reserved room; readers may look when {@link #commit} was called. */
  void put(long at, MemorySegment source) {
    for (long done = 0; done < source.byteSize(); ) {
      long to = at + done;
      int offset = (int) (to & PAGE_MASK);
      long n = Math.min(PAGE_BYTES - offset, source.byteSize() - done);
      MemorySegment.copy(source, done, page((int) (to >>> PAGE_SHIFT)), offset, n);
      done += n;
    }
  }

  void commit(long newUsedBytes) {
    usedBytes = newUsedBytes;
    space.markDirty();
  }

  /** Copies bytes out, over page borders. */
  void copy(long at, MemorySegment target) {
    for (long done = 0; done < target.byteSize(); ) {
      long from = at + done;
      int offset = (int) (from & PAGE_MASK);
      long n = Math.min(PAGE_BYTES - offset, target.byteSize() - done);
      MemorySegment.copy(page((int) (from >>> PAGE_SHIFT)), offset, target, done, n);
      done += n;
    }
  }

  /** For the checkpoint: writes what was appended to pages since their home was written. */
  List<Extent> write(long bytes, CheckpointWrites writes) {
    List<Extent> extents = new ArrayList<>();
    for (int i = 0; (long) i << PAGE_SHIFT < bytes; i++) {
      Page page = pages[i];
      long used = Math.min(PAGE_BYTES, bytes - ((long) i << PAGE_SHIFT));
      Extent home = page.chunk.home();
      if (home != null && home.bytes() >= used) {
        extents.add(home);
      } else {
        extents.add(writes.write(page.chunk, page.segment().asSlice(0, used), true));
      }
    }
    return extents;
  }

  /** Copies the first so many bytes into another home file. */
  List<Extent> copyTo(long bytes, HomeImage target) {
    List<Extent> extents = new ArrayList<>();
    for (int i = 0; (long) i << PAGE_SHIFT < bytes; i++) {
      StopSignal.poll();
      long used = Math.min(PAGE_BYTES, bytes - ((long) i << PAGE_SHIFT));
      extents.add(target.write(pages[i].segment().asSlice(0, used)));
    }
    return extents;
  }

  void discard() {
    for (Page page : pages) {
      page.chunk.discard();
      if (page.block.byteSize() != 0) {
        space.pool().release(page.block);
      }
    }
    pages = new Page[0];
  }

  @Override
  public String place(Chunk chunk) {
    for (int i = 0; i < pages.length; i++) {
      if (pages[i].chunk == chunk) {
        return place + ", page=" + i;
      }
    }
    return place;
  }
}
