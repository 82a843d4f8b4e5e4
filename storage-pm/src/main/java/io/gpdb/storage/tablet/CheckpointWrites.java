package io.gpdb.storage.tablet;

import io.gpdb.storage.column.ColumnRange;
import io.gpdb.storage.home.Extent;
import io.gpdb.storage.home.HomeImage;
import io.gpdb.storage.home.LoggedExtents;
import io.gpdb.storage.memory.Checksum;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The extents that a checkpoint has written: installed when the new root is current, or freed. */
public final class CheckpointWrites {
  private final HomeImage home;
  private final List<Write> writes = new ArrayList<>();

  private final List<NewRange> ranges = new ArrayList<>();

  private record NewRange(Tablet tablet, int column, ColumnRange range) {}

  /**
   * @param owned the former owner of {@code next}; null when it is new or the chunk's own
   */
  private record Write(
      Chunk chunk, @Nullable Extent before, Extent next, LoggedExtents.@Nullable Owned owned) {}

  public CheckpointWrites(HomeImage home) {
    this.home = home;
  }

  /**
   * Writes the image; {@code whole} says that it is all that the chunk holds, so that it is clean.
   */
  public Extent write(Chunk chunk, MemorySegment image, boolean whole) {
    Extent before = chunk.home();
    Extent next = home.write(image);
    writes.add(new Write(chunk, before, next, null));
    chunk.finishWrite(whole);
    return next;
  }

  /**
   * Takes an extent of the log that holds all of the chunk, the image; null when the log has let it
   * go, or needs it for a commit after {@code sequence}.
   */
  public @Nullable Extent adopt(Chunk chunk, Extent logged, MemorySegment image, long sequence) {
    LoggedExtents.Owned owned = home.logged().adopt(logged, sequence);
    if (owned == null) {
      return null;
    }
    Extent next = sealed(logged, image);
    writes.add(new Write(chunk, chunk.home(), next, owned));
    chunk.finishWrite(true);
    return next;
  }

  /**
   * Seals what an in-place protocol left, where it is. Behind the last row there may be what a
   * killed process stored for rows that never came, and did not flush.
   */
  public Extent seal(Chunk chunk, Extent unsealed) {
    home.memory().flush(unsealed.offset(), unsealed.bytes());
    Extent next = sealed(unsealed, chunk.read());
    writes.add(new Write(chunk, unsealed, next, null));
    return next;
  }

  private static Extent sealed(Extent extent, MemorySegment image) {
    return new Extent(extent.offset(), extent.bytes(), Checksum.of(image), true);
  }

  /** Notes what a column holds that is written or sealed. */
  public void range(Tablet tablet, int column, ColumnRange range) {
    ranges.add(new NewRange(tablet, column, range));
  }

  public void install() {
    for (Write w : writes) {
      w.chunk.install(w.before, w.next);
    }
    for (NewRange r : ranges) {
      r.tablet.installRange(r.column, r.range);
    }
  }

  /** The root did not become current: all is as dirty as before. */
  public void takeBack() {
    for (Write w : writes) {
      LoggedExtents.Owned owned = w.owned;
      if (owned != null) {
        home.logged().own(owned.extent(), owned.sequence());
        w.chunk.markDirty();
      } else if (w.before == null || w.before.offset() != w.next.offset()) {
        home.discard(w.next);
        w.chunk.markDirty();
      }
    }
  }
}
