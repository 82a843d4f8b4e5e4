package io.gpdb.storage.space;

import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.home.RootImage.DictionaryImage;
import io.gpdb.storage.home.RootImage.IndexImage;
import io.gpdb.storage.home.RootImage.TableImage;
import io.gpdb.storage.home.RootImage.TabletImage;
import io.gpdb.storage.index.Index;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.Tablet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the image of a table as a snapshot sees it, while others write.
 *
 * <p>Rows before strings before hints: a table's tablets are copied before its dictionaries, and
 * these before its indexes, so that all codes of the copied rows are in the copied dictionary. What
 * is copied too much (strings and hints of transactions that are not in the snapshot) does no harm.
 */
final class TableImaging {
  private final SnapshotImages images;
  private final Parts parts;

  /** Writes the parts of a table to a home file. */
  interface Parts {
    /** Such a tablet comes next; its latch is not held yet. */
    default void expect(Tablet tablet, int columns, int rows) {}

    /** The first columns and rows of a tablet, whose latch the caller holds shared. */
    TabletImage tablet(TableStore table, Tablet tablet, int columns, int rows);

    DictionaryImage dictionary(Dictionary dictionary);

    IndexImage index(Index index);
  }

  TableImaging(SnapshotImages images, Parts parts) {
    this.images = images;
    this.parts = parts;
  }

  TableImage image(TableStore table) {
    TableShape shape = images.shape(table);
    int columns = shape.columns().size();
    long rowLimit = Math.min(images.rowLimit(table), table.rowLimit());
    List<TabletImage> tablets = new ArrayList<>();
    for (int i = 0; i < TableStore.tabletsFor(rowLimit); i++) {
      Tablet tablet = table.tablet(i);
      int rows = TableStore.rowsIn(i, rowLimit);
      parts.expect(tablet, columns, rows);
      tablet.latch().readLock().lock();
      try {
        tablets.add(parts.tablet(table, tablet, columns, rows));
      } finally {
        tablet.latch().readLock().unlock();
        images.written();
      }
    }
    List<@Nullable DictionaryImage> dictionaries = new ArrayList<>();
    for (int c = 0; c < columns; c++) {
      Dictionary dictionary = table.dictionary(c);
      dictionaries.add(dictionary == null ? null : parts.dictionary(dictionary));
    }
    List<IndexImage> indexes = new ArrayList<>();
    for (int i = 0; i < shape.indexes().size(); i++) {
      indexes.add(parts.index(table.index(i)));
    }
    return new TableImage(table.tableId(), shape, rowLimit, tablets, dictionaries, indexes);
  }
}
