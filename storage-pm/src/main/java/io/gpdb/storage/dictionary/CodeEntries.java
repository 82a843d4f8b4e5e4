package io.gpdb.storage.dictionary;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.home.Extent;
import io.gpdb.storage.home.HomeImage;
import io.gpdb.storage.tablet.CheckpointWrites;
import io.gpdb.storage.tablet.Chunk;
import io.gpdb.storage.tablet.SpaceMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One i64 for each code of a dictionary, in pages of 1 MiB; the first page grows by doubling.
 *
 * <p>Setting wants the dictionary's lock; reading does not. A page's smaller predecessors stay as
 * they are (at most 1 MiB in all), so that a reader that holds one reads what was there.
 */
final class CodeEntries implements Chunk.Owner {
  static final int ENTRY_BYTES = 8;
  private static final int PAGE_BYTES = 1 << 20;
  private static final int PAGE_SHIFT = 17;
  private static final int PAGE_MASK = (1 << PAGE_SHIFT) - 1;
  private static final VarHandle WORD = JAVA_LONG.varHandle();

  private final SpaceMemory space;
  private final String place;
  private volatile Page[] pages;

  /** A page: at rest at home, or in memory. */
  private static final class Page {
    private final Chunk chunk;

    /** Set when an entry of the page was set since it was at home. */
    private volatile MemorySegment block = MemorySegment.NULL;

    /** The block and those that it outgrew, which readers without the lock may look at. */
    private final List<MemorySegment> blocks = new ArrayList<>(1);

    private volatile long changes;
    private long writtenChanges;
    private @Nullable Extent written;

    Page(Chunk chunk) {
      this.chunk = chunk;
      written = chunk.home();
    }

    void grow(MemorySegment grown) {
      blocks.add(grown);
      block = grown;
    }

    MemorySegment segment() {
      MemorySegment b = block;
      return b.byteSize() != 0 ? b : chunk.read();
    }

    long capacity() {
      return Math.max(block.byteSize(), chunk.capacityBytes());
    }

    /** The extent in the root, when it holds these bytes of the page as they are. */
    @Nullable Extent current(long bytes) {
      Extent home = chunk.home();
      boolean same =
          home != null && home.equals(written) && writtenChanges == changes && !chunk.isDirty();
      return same && home != null && home.bytes() >= bytes ? home : null;
    }
  }

  CodeEntries(SpaceMemory space, String place, List<Extent> extents, int count) {
    this.space = space;
    this.place = place;
    long bytes = (long) count * ENTRY_BYTES;
    pages = new Page[extents.size()];
    for (int i = 0; i < pages.length; i++) {
      pages[i] = new Page(new Chunk(space, this, extents.get(i)));
      long used = Math.min(PAGE_BYTES, bytes - (long) i * PAGE_BYTES);
      if (pages[i].capacity() < used) {
        throw new GpdbException(
            ErrorCode.CORRUPTION,
            "%s: page too short: page=%d, bytes=%d, used=%d"
                .formatted(place, i, pages[i].capacity(), used));
      }
    }
    if (bytes > (long) pages.length * PAGE_BYTES) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "%s: pages missing: pages=%d, used=%d".formatted(place, pages.length, bytes));
    }
  }

  long word(int code) {
    MemorySegment page = pages[code >>> PAGE_SHIFT].segment();
    return (long) WORD.getAcquire(page, (long) (code & PAGE_MASK) * ENTRY_BYTES);
  }

  /** Sets an entry that {@link #reserve} made room for. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time: the dictionary's lock
  void set(int code, long word) {
    Page page = pages[code >>> PAGE_SHIFT];
    WORD.setRelease(page.block, (long) (code & PAGE_MASK) * ENTRY_BYTES, word);
    page.changes++; // last: a copy whose count was taken before has every counted change
    space.markDirty();
  }

  /** Makes the entry one that can be set. */
  void reserve(int code) {
    int number = code >>> PAGE_SHIFT;
    if (number >= pages.length) {
      int old = pages.length;
      Page[] more = Arrays.copyOf(pages, number + 1);
      for (int i = old; i <= number; i++) {
        more[i] = new Page(new Chunk(space, this, null));
      }
      pages = more;
    }
    Page page = pages[number];
    long bytes = ((code & PAGE_MASK) + 1L) * ENTRY_BYTES;
    if (page.block.byteSize() < bytes) {
      long wanted = Math.max(bytes, page.capacity());
      MemorySegment grown = space.tables().takeZeroed(number > 0 ? PAGE_BYTES : wanted);
      if (page.capacity() > 0) {
        MemorySegment old = page.segment();
        MemorySegment.copy(old, 0, grown, 0, Math.min(old.byteSize(), grown.byteSize()));
      }
      page.grow(grown);
    }
  }

  /** For the checkpoint: writes the pages an entry of which was set since they were written. */
  List<Extent> write(int count, CheckpointWrites writes) {
    List<Extent> extents = new ArrayList<>();
    long bytes = (long) count * ENTRY_BYTES;
    MemorySegment to = MemorySegment.NULL;
    for (int i = 0; (long) i * PAGE_BYTES < bytes; i++) {
      Page page = pages[i];
      long used = Math.min(PAGE_BYTES, bytes - (long) i * PAGE_BYTES);
      Extent home = page.current(used);
      if (home == null) {
        long changes = page.changes;
        if (to.byteSize() == 0) {
          to = Arena.ofAuto().allocate(PAGE_BYTES, Long.BYTES);
        }
        home = writes.write(page.chunk, copy(page, used, to), true);
        page.written = home;
        page.writtenChanges = changes;
      }
      extents.add(home);
    }
    return extents;
  }

  /** Copies the first entries into another home file. */
  List<Extent> copyTo(int count, HomeImage target) {
    List<Extent> extents = new ArrayList<>();
    long bytes = (long) count * ENTRY_BYTES;
    MemorySegment to = Arena.ofAuto().allocate(Math.min(PAGE_BYTES, bytes), Long.BYTES);
    for (int i = 0; (long) i * PAGE_BYTES < bytes; i++) {
      StopSignal.poll();
      long used = Math.min(PAGE_BYTES, bytes - (long) i * PAGE_BYTES);
      extents.add(target.write(copy(pages[i], used, to)));
    }
    return extents;
  }

  /** Codes come and go meanwhile: what is written must be what its checksum is of. */
  private static MemorySegment copy(Page page, long used, MemorySegment to) {
    return to.asSlice(0, used).copyFrom(page.segment().asSlice(0, used));
  }

  void forEachChunk(Consumer<Chunk> action) {
    for (Page page : pages) {
      action.accept(page.chunk);
    }
  }

  void discard() {
    for (Page page : pages) {
      page.chunk.discard();
      page.blocks.forEach(space.tables()::give);
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
