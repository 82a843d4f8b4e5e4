package io.gpdb.storage.space;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.column.ColumnRange;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.home.Extent;
import io.gpdb.storage.home.HomeImage;
import io.gpdb.storage.home.RootCodec;
import io.gpdb.storage.home.RootImage;
import io.gpdb.storage.home.RootImage.DictionaryImage;
import io.gpdb.storage.home.RootImage.IndexImage;
import io.gpdb.storage.home.RootImage.TableImage;
import io.gpdb.storage.home.RootImage.TabletImage;
import io.gpdb.storage.index.Index;
import io.gpdb.storage.memory.BumpMemory;
import io.gpdb.storage.memory.HostRoom;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.CheckpointWrites;
import io.gpdb.storage.tablet.Chunk;
import io.gpdb.storage.tablet.SpaceMemory;
import io.gpdb.storage.tablet.Tablet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One checkpoint: dirty chunks go to free extents, then a root that refers to them, then the
 * switch.
 *
 * <p>Strings that are copied for transactions that are not in the snapshot ({@link TableImaging})
 * do no harm when the log has all events of the strings copied before the switch.
 */
final class Checkpoint implements TableImaging.Parts {
  /** For fewer bytes a file does not grow by much. */
  private static final long EXPECTED_BYTES_MIN = 64 << 10;

  private static final int COPY_ALIGNMENT = 64;

  private final SpaceMemory space;
  private final HomeImage home;
  private final SnapshotImages images;
  private final CheckpointWrites writes;
  private final BumpMemory copies;
  private final HostRoom valuesRoom;
  private final HostRoom bitsRoom;

  /** A bitmap while it is written. */
  private final MemorySegment bitmap = Arena.ofAuto().allocate(Bitmaps.bytes(Tablet.ROWS), 8);

  private boolean leftovers;

  Checkpoint(SpaceMemory space, SnapshotImages images) {
    this.space = space;
    this.images = images;
    home = space.home();
    writes = new CheckpointWrites(home);
    copies = BumpMemory.unlimited(space.tables());
    valuesRoom = new HostRoom(bytes -> copies.buffer(bytes, COPY_ALIGNMENT));
    bitsRoom = new HostRoom(bytes -> copies.buffer(bytes, COPY_ALIGNMENT));
  }

  /** Carries it out, once; on an error the old root stays and all is as dirty as before. */
  void run(Collection<TableStore> tables, long walPosition, byte[] state) {
    try {
      write(tables, walPosition, state);
    } finally {
      copies.free();
    }
  }

  private void write(Collection<TableStore> tables, long walPosition, byte[] state) {
    space.clearDirty();
    // Taken first: an extent that is retired later may be in the new root.
    List<Extent> notInRoot = home.takeRetired();
    try {
      List<TableImage> written = new ArrayList<>();
      for (TableStore table : tables) {
        if (images.includes(table)) {
          written.add(writeTable(table));
        } else {
          leftovers = true;
        }
      }
      images.beforeSwitch();
      notInRoot.addAll(home.logged().takeUpTo(images.lastSequence()));
      home.switchRoot(RootCodec.encode(new RootImage(state, written)), walPosition, notInRoot);
    } catch (RuntimeException | Error e) {
      writes.takeBack();
      home.restoreRetired(notInRoot);
      space.markDirty();
      throw e;
    }
    writes.install();
    if (leftovers) {
      space.markDirty();
    }
    home.shrink();
  }

  private TableImage writeTable(TableStore table) {
    leftovers |=
        images.rowLimit(table) < table.rowLimit() || !images.shape(table).equals(table.shape());
    return new TableImaging(images, this).image(table);
  }

  @Override
  public DictionaryImage dictionary(Dictionary dictionary) {
    return dictionary.write(writes);
  }

  @Override
  public IndexImage index(Index index) {
    return index.write(writes);
  }

  /**
   * Whoever changes the tablet would wait for the zeros that a file grows by, up to 64 MiB. Columns
   * are expected to be of one width, and dirty ones to be written; all bitmaps take one more.
   */
  @Override
  public void expect(Tablet tablet, int columns, int rows) {
    long bytes = 0;
    int extents = 1;
    for (int c = 0; c < columns; c++) {
      Chunk chunk = tablet.chunk(ChunkKind.VALUES, c);
      if (chunk != null && chunk.isDirty()) {
        bytes = Math.max(bytes, tablet.bytesFor(ChunkKind.VALUES, c, rows));
        extents++;
      }
    }
    if (bytes >= EXPECTED_BYTES_MIN) {
      home.makeRoom(bytes, extents);
    }
  }

  @Override
  public TabletImage tablet(TableStore table, Tablet tablet, int columns, int rows) {
    List<Extent> values = new ArrayList<>();
    List<@Nullable Extent> validity = new ArrayList<>();
    List<@Nullable ColumnRange> ranges = new ArrayList<>();
    for (int c = 0; c < columns; c++) {
      Piece written = write(table, tablet, ChunkKind.VALUES, c, rows);
      Chunk valid = tablet.chunk(ChunkKind.VALIDITY, c);
      Piece validWritten = valid == null ? null : write(table, tablet, ChunkKind.VALIDITY, c, rows);
      values.add(written.extent);
      validity.add(validWritten == null ? null : validWritten.extent);
      ranges.add(range(tablet, c, rows, written, validWritten));
    }
    Extent live = write(table, tablet, ChunkKind.LIVE, 0, rows).extent;
    return new TabletImage(tablet.checkpointedLiveCount(), values, validity, live, ranges);
  }

  /** What the written column holds; null while an in-place protocol may change it. */
  private @Nullable ColumnRange range(
      Tablet tablet, int column, int rows, Piece values, @Nullable Piece validity) {
    if (!values.extent.sealed() || (validity != null && !validity.extent.sealed())) {
      return null;
    }
    boolean fresh = values.fresh || (validity != null && validity.fresh);
    if (!fresh) {
      return tablet.range(column);
    }
    ColumnRange range =
        ColumnRange.of(
            tablet.type(column), values.image(), validity == null ? null : validity.image(), rows);
    writes.range(tablet, column, range);
    return range;
  }

  /** A chunk's extent in the new root, what it holds, and whether this checkpoint wrote it. */
  private record Piece(Extent extent, @Nullable MemorySegment written, Chunk chunk, boolean fresh) {
    MemorySegment image() {
      return written == null ? chunk.read() : written;
    }
  }

  private Piece write(TableStore table, Tablet tablet, ChunkKind kind, int column, int rows) {
    Chunk chunk = Objects.requireNonNull(tablet.chunk(kind, column));
    long bytes = tablet.bytesFor(kind, column, rows);
    if (chunk.isBound()) {
      countLive(tablet, kind, chunk.read(), rows);
      return new Piece(chunk.writeBound(bytes, Tablet.fill(kind)), null, chunk, true);
    }
    Extent before = chunk.home();
    if (before != null && !chunk.isDirty() && before.bytes() >= bytes) {
      if (!before.sealed()) {
        countLive(tablet, kind, chunk.read(), rows);
      }
      boolean sealed = before.sealed();
      return new Piece(sealed ? before : writes.seal(chunk, before), null, chunk, !sealed);
    }
    MemorySegment current = chunk.read(kind == ChunkKind.VALUES ? valuesRoom : bitsRoom);
    MemorySegment image =
        images.image(table, tablet.number(), kind, column, current, bytes).asSlice(0, bytes);
    countLive(tablet, kind, image, rows);
    boolean whole = image.equals(current.asSlice(0, bytes)) && rows == tablet.rowCount();
    leftovers |= !whole;
    Extent extent = extent(chunk, image, kind, rows, whole);
    return new Piece(extent, image, chunk, true);
  }

  private Extent extent(Chunk chunk, MemorySegment image, ChunkKind kind, int rows, boolean whole) {
    if (kind != ChunkKind.VALUES) {
      return writeBitmap(chunk, image, rows, kind == ChunkKind.VALIDITY, whole);
    }
    Extent logged = whole ? chunk.loggedExtent() : null;
    if (logged != null && logged.bytes() == image.byteSize()) {
      Extent adopted = writes.adopt(chunk, logged, image, images.lastSequence());
      if (adopted != null) {
        return adopted;
      }
    }
    return writes.write(chunk, image, whole);
  }

  private static void countLive(Tablet tablet, ChunkKind kind, MemorySegment image, int rows) {
    if (kind == ChunkKind.LIVE) {
      tablet.checkpointedLiveCount(Bitmaps.count(image, 0, rows));
    }
  }

  /** Bits after the last row are written with their defaults: valid and not live. */
  private Extent writeBitmap(
      Chunk chunk, MemorySegment image, int rows, boolean tail, boolean whole) {
    MemorySegment copy = bitmap.asSlice(0, image.byteSize()).copyFrom(image);
    Bitmaps.setTail(copy, rows, tail);
    return writes.write(chunk, copy, whole);
  }
}
