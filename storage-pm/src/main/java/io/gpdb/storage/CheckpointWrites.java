package io.gpdb.storage;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one checkpoint wrote beside the old root: installed after the switch, or taken back. */
final class CheckpointWrites {
  private final HomeImage home;
  private final List<Write> writes = new ArrayList<>();

  private final List<NewRange> ranges = new ArrayList<>();

  private record NewRange(Tablet tablet, int column, ColumnRange range) {}

  private record Write(Chunk chunk, @Nullable Extent before, Extent next) {}

  CheckpointWrites(HomeImage home) {
    this.home = home;
  }

  /**
   * Writes the image; {@code whole} says that it is all that the chunk holds, so that it is clean.
   */
  Extent write(Chunk chunk, MemorySegment image, boolean whole) {
    Extent before = chunk.home();
    Extent next = home.write(image);
    writes.add(new Write(chunk, before, next));
    chunk.finishWrite(whole);
    return next;
  }

  /** Seals what an in-place protocol left, where it is. */
  Extent seal(Chunk chunk, Extent unsealed) {
    chunk.beginSeal();
    Extent sealed =
        new Extent(unsealed.offset(), unsealed.bytes(), Checksum.of(chunk.read()), true);
    writes.add(new Write(chunk, unsealed, sealed));
    return sealed;
  }

  /** Notes what a column holds that is written or sealed. */
  void range(Tablet tablet, int column, ColumnRange range) {
    ranges.add(new NewRange(tablet, column, range));
  }

  void install() {
    for (Write w : writes) {
      w.chunk.install(w.before, w.next);
    }
    for (NewRange r : ranges) {
      r.tablet.installRange(r.column, r.range);
    }
  }

  /** The root did not become current: all is as dirty as before. */
  void takeBack() {
    for (Write w : writes) {
      if (w.before == null || w.before.offset() != w.next.offset()) {
        home.discard(w.next);
        w.chunk.markDirty();
      } else {
        w.chunk.abandonSeal();
      }
    }
  }
}
