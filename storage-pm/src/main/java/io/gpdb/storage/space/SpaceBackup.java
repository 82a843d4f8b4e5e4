package io.gpdb.storage.space;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.column.ColumnRange;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.home.Extent;
import io.gpdb.storage.home.HomeImage;
import io.gpdb.storage.home.RootCodec;
import io.gpdb.storage.home.RootImage;
import io.gpdb.storage.home.RootImage.DictionaryImage;
import io.gpdb.storage.home.RootImage.IndexImage;
import io.gpdb.storage.home.RootImage.TableImage;
import io.gpdb.storage.home.RootImage.TabletImage;
import io.gpdb.storage.index.Index;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.Chunk;
import io.gpdb.storage.tablet.Tablet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies what a snapshot sees into a home file of another directory, while others write. Nothing of
 * the tables changes, so checkpoints go on meanwhile. The snapshot must stay registered, so that no
 * table that it sees is discarded.
 *
 * <p>The copy is a database of its own: its id is new, its log its own.
 */
final class SpaceBackup {
  private final SnapshotImages images;

  /** A bitmap while it is copied. */
  private final MemorySegment bitmap = Arena.ofAuto().allocate(Bitmaps.bytes(Tablet.ROWS), 8);

  SpaceBackup(SnapshotImages images) {
    this.images = images;
  }

  void run(
      Collection<TableStore> tables,
      long walPosition,
      byte[] state,
      StorageDirectory target,
      Consumer<UUID> log) {
    try {
      UUID databaseId;
      try (HomeImage home = HomeImage.createBackup(target)) {
        List<TableImage> written = new ArrayList<>();
        for (TableStore table : tables) {
          if (images.includes(table)) {
            written.add(new TableImaging(images, new Copies(home)).image(table));
          }
        }
        databaseId = home.superblock().databaseId();
        home.switchRoot(RootCodec.encode(new RootImage(state, written)), walPosition, List.of());
      }
      log.accept(databaseId);
      HomeImage.finishBackup(target);
    } catch (RuntimeException e) {
      HomeImage.dropBackup(target, e);
      throw e;
    }
  }

  /** Parts of tables, copied to that home file. */
  private final class Copies implements TableImaging.Parts {
    private final HomeImage home;

    Copies(HomeImage home) {
      this.home = home;
    }

    @Override
    public TabletImage tablet(TableStore table, Tablet tablet, int columns, int rows) {
      List<Extent> values = new ArrayList<>();
      List<@Nullable Extent> validity = new ArrayList<>();
      List<@Nullable ColumnRange> ranges = new ArrayList<>();
      for (int c = 0; c < columns; c++) {
        StopSignal.poll();
        MemorySegment image = image(table, tablet, ChunkKind.VALUES, c, rows);
        boolean nullable = tablet.chunk(ChunkKind.VALIDITY, c) != null;
        MemorySegment valid = nullable ? bitmap(table, tablet, ChunkKind.VALIDITY, c, rows) : null;
        values.add(home.write(image));
        validity.add(valid == null ? null : home.write(valid));
        ranges.add(ColumnRange.of(tablet.type(c), image, valid, rows));
      }
      MemorySegment live = bitmap(table, tablet, ChunkKind.LIVE, 0, rows);
      int liveRows = Bitmaps.count(live, 0, rows);
      return new TabletImage(liveRows, values, validity, home.write(live), ranges);
    }

    @Override
    public DictionaryImage dictionary(Dictionary dictionary) {
      return dictionary.copyTo(home);
    }

    @Override
    public IndexImage index(Index index) {
      return index.copyTo(home);
    }
  }

  private MemorySegment image(
      TableStore table, Tablet tablet, ChunkKind kind, int column, int rows) {
    Chunk chunk = tablet.chunk(kind, column);
    if (chunk == null) {
      throw new GpdbException(ErrorCode.INTERNAL, "no chunk " + kind + " of column " + column);
    }
    long bytes = tablet.bytesFor(kind, column, rows);
    return images
        .image(table, tablet.number(), kind, column, chunk.read(), bytes)
        .asSlice(0, bytes);
  }

  /** Valid until the next; bits after the last row take their defaults: valid and not live. */
  private MemorySegment bitmap(
      TableStore table, Tablet tablet, ChunkKind kind, int column, int rows) {
    MemorySegment image = image(table, tablet, kind, column, rows);
    MemorySegment copy = bitmap.asSlice(0, image.byteSize()).copyFrom(image);
    Bitmaps.setTail(copy, rows, kind == ChunkKind.VALIDITY);
    return copy;
  }
}
