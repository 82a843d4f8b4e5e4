package io.gpdb.storage.table;

import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.home.Extent;
import io.gpdb.storage.home.RootImage.DictionaryImage;
import io.gpdb.storage.home.RootImage.IndexImage;
import io.gpdb.storage.home.RootImage.TableImage;
import io.gpdb.storage.index.HashIndexLayout;
import io.gpdb.storage.index.Index;
import io.gpdb.storage.tablet.ChangeMarks;
import io.gpdb.storage.tablet.Chunk;
import io.gpdb.storage.tablet.SpaceMemory;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.storage.tablet.Tablets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One table: its tablets, its dictionaries and its indexes.
 *
 * <p>Row ids count from 0 and are never reused while the database is open; row r is row {@code r %
 * 65536} of tablet {@code r / 65536}. A caller that appends holds no latch of the table, because
 * enlarging a tablet takes the tablet's latch exclusively.
 */
public final class TableStore implements Tablets {
  private final SpaceMemory space;
  private final int tableId;
  private volatile TableShape shape;
  private final Object appendLock = new Object();
  private final ChangeMarks marks = new ChangeMarks();
  private volatile @Nullable Dictionary[] dictionaries;
  private volatile Index[] indexes;
  private volatile Tablet[] tablets = new Tablet[0];
  private volatile long rowLimit;

  public TableStore(SpaceMemory space, int tableId, TableShape shape) {
    this(space, tableId, shape, null);
  }

  public TableStore(SpaceMemory space, TableImage image) {
    this(space, image.tableId(), image.shape(), image);
  }

  private TableStore(SpaceMemory space, int tableId, TableShape shape, @Nullable TableImage image) {
    this.space = space;
    this.tableId = tableId;
    this.shape = shape;
    dictionaries = new @Nullable Dictionary[shape.columns().size()];
    for (int c = 0; c < dictionaries.length; c++) {
      dictionaries[c] =
          dictionary(shape.columns().get(c), image == null ? null : image.dictionaries().get(c));
    }
    indexes = new Index[shape.indexes().size()];
    for (int i = 0; i < indexes.length; i++) {
      IndexShape index = shape.indexes().get(i);
      checkColumns(index);
      indexes[i] = index(index, image == null ? null : image.indexes().get(i));
    }
    if (image != null) {
      loadTablets(image);
    }
  }

  private @Nullable Dictionary dictionary(ColumnShape column, @Nullable DictionaryImage image) {
    return column.type() == ElementType.CODE
        ? new Dictionary(space, "table=" + tableId + ", column=" + column.name(), image)
        : null;
  }

  private Index index(IndexShape index, @Nullable IndexImage image) {
    ElementType[] types =
        shape.columns().stream().map(ColumnShape::type).toArray(ElementType[]::new);
    String place = "table=" + tableId + ", index=" + index.indexId();
    return Index.create(space, index, types, dictionaries, place, image);
  }

  /**
   * Adds a column behind the others, zero in all rows. Nobody else writes to the table; whoever
   * reads it knows nothing of the column.
   *
   * @return its number
   */
  public int addColumn(ColumnShape column) {
    space.memory().requireTableRoom(rowLimit * column.type().bytes());
    space.markDirty();
    synchronized (appendLock) {
      List<ColumnShape> columns = new ArrayList<>(shape.columns());
      columns.add(column);
      TableShape grown = new TableShape(columns, shape.indexes());
      @Nullable Dictionary[] more = Arrays.copyOf(dictionaries, columns.size());
      more[columns.size() - 1] = dictionary(column, null);
      dictionaries = more;
      for (Tablet tablet : tablets) {
        tablet.addColumns(grown);
      }
      shape = grown;
      return columns.size() - 1;
    }
  }

  /** Gives the rows that there are one value in a column; see {@link #addColumn}. */
  public void fillColumn(int column, long raw, boolean isNull) {
    for (Tablet tablet : tablets) {
      StopSignal.poll();
      tablet.fillColumn(column, raw, isNull);
    }
  }

  /** Takes the last column away again, which nobody has seen. */
  public void removeLastColumn() {
    space.markDirty();
    synchronized (appendLock) {
      int last = shape.columns().size() - 1;
      TableShape shrunk = new TableShape(shape.columns().subList(0, last), shape.indexes());
      shape = shrunk;
      for (Tablet tablet : tablets) {
        tablet.removeColumns(shrunk);
      }
      Dictionary strings = dictionaries[last];
      dictionaries = Arrays.copyOf(dictionaries, last);
      if (strings != null) {
        strings.discard();
      }
    }
  }

  /**
   * Adds an index behind the others, without entries. Nobody else writes to the table; whoever
   * reads it knows nothing of the index.
   *
   * @return its ordinal
   */
  public int addIndex(IndexShape index) {
    checkColumns(index);
    space.memory().requireTableRoom(rowLimit * entryBytes(index));
    space.markDirty();
    synchronized (appendLock) {
      List<IndexShape> all = new ArrayList<>(shape.indexes());
      all.add(index);
      Index[] more = Arrays.copyOf(indexes, all.size());
      more[all.size() - 1] = index(index, null);
      indexes = more;
      shape = new TableShape(shape.columns(), all);
      return all.size() - 1;
    }
  }

  /** Takes the last index away again, which nobody has seen. */
  public void removeLastIndex() {
    space.markDirty();
    synchronized (appendLock) {
      int last = indexes.length - 1;
      Index index = indexes[last];
      indexes = Arrays.copyOf(indexes, last);
      shape = new TableShape(shape.columns(), shape.indexes().subList(0, last));
      index.discard();
    }
  }

  private void checkColumns(IndexShape index) {
    for (int column : index.columns()) {
      if (column < 0 || column >= shape.columns().size()) {
        throw new GpdbException(
            ErrorCode.INTERNAL,
            "index over a column that is not there: table=%d, index=%s, columns=%d"
                .formatted(tableId, index, shape.columns().size()));
      }
    }
  }

  private void loadTablets(TableImage image) {
    long limit = image.rowLimit();
    if (limit < 0
        || limit > HashIndexLayout.ROWS_MAX
        || image.tablets().size() != tabletsFor(limit)) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "table=%d: rows=%d, tablets=%d".formatted(tableId, limit, image.tablets().size()));
    }
    Tablet[] loaded = new Tablet[image.tablets().size()];
    for (int i = 0; i < loaded.length; i++) {
      int rows = rowsIn(i, limit);
      loaded[i] = new Tablet(space, marks, tableId, shape, i, rows, image.tablets().get(i));
    }
    tablets = loaded;
    rowLimit = limit;
  }

  public int tableId() {
    return tableId;
  }

  public TableShape shape() {
    return shape;
  }

  /** Rows ever appended. */
  public long rowLimit() {
    return rowLimit;
  }

  /**
   * Throws {@code OUT_OF_MEMORY} where tables are limited and that number of rows, with their
   * entries in the indexes, would be too much.
   */
  public void requireRoom(long rows) {
    if (space.memory().limitsTables()) {
      TableShape now = shape;
      long rowBytes = Long.BYTES;
      for (ColumnShape column : now.columns()) {
        rowBytes += column.type().bytes();
      }
      for (IndexShape index : now.indexes()) {
        rowBytes += entryBytes(index);
      }
      space.memory().requireTableRoom(rows * rowBytes);
    }
  }

  private static long entryBytes(IndexShape index) {
    return Long.BYTES * (1L + index.columns().length);
  }

  /** Reserves n row ids and returns the first; new rows are not live. */
  public long appendRows(int n) {
    if (n < 0) {
      throw new GpdbException(ErrorCode.INTERNAL, "rows to append: " + n);
    }
    space.markDirty();
    synchronized (appendLock) {
      long first = rowLimit;
      extendTo(first + n);
      return first;
    }
  }

  /** Makes at least {@code rows} row ids exist, for recovery. */
  public void ensureRowLimit(long rows) {
    synchronized (appendLock) {
      if (rows > rowLimit) {
        space.markDirty();
        extendTo(rows);
      }
    }
  }

  private void extendTo(long rows) {
    assert rows >= rowLimit : "R1: row limit falls from " + rowLimit + " to " + rows;
    if (rows > HashIndexLayout.ROWS_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          "table=%d: rows=%d, limit=%d".formatted(tableId, rows, HashIndexLayout.ROWS_MAX));
    }
    Tablet[] extended = tablets;
    int old = extended.length;
    if (tabletsFor(rows) > old) {
      extended = Arrays.copyOf(extended, tabletsFor(rows));
      for (int i = old; i < extended.length; i++) {
        extended[i] = new Tablet(space, marks, tableId, shape, i, 0, null);
      }
    }
    for (int i = Math.max(0, old - 1); i < extended.length; i++) {
      extended[i].extendTo(rowsIn(i, rows));
    }
    tablets = extended;
    rowLimit = rows;
  }

  public static int tabletsFor(long rows) {
    return Math.toIntExact((rows + Tablet.ROWS - 1) / Tablet.ROWS);
  }

  public static int rowsIn(int tablet, long rowLimit) {
    return (int) Math.min(Tablet.ROWS, rowLimit - (long) tablet * Tablet.ROWS);
  }

  @Override
  public int tabletCount() {
    return tablets.length;
  }

  @Override
  public Tablet tablet(int i) {
    return tablets[i];
  }

  /** By which a reader knows later whether a tablet has changed. */
  public ChangeMarks marks() {
    return marks;
  }

  /** The strings of the column; null where its type is not CODE. */
  public @Nullable Dictionary dictionary(int column) {
    return dictionaries[column];
  }

  public Index index(int ordinal) {
    return indexes[ordinal];
  }

  public int indexCount() {
    return indexes.length;
  }

  /**
   * Puts these columns of every tablet, and its live bits, in place. The root refers to their
   * extents from the next checkpoint on; only after it may they be written.
   */
  public void adoptInPlace(int[] columns) {
    for (Tablet tablet : tablets) {
      tablet.latch().writeLock().lock();
      try {
        for (int column : columns) {
          tablet.adoptInPlace(ChunkKind.VALUES, column);
          if (tablet.validity(column) != null) {
            tablet.adoptInPlace(ChunkKind.VALIDITY, column);
          }
        }
        tablet.adoptInPlace(ChunkKind.LIVE, 0);
      } finally {
        tablet.latch().writeLock().unlock();
      }
    }
  }

  /** Ends in-place writing; the next checkpoint seals the extents where they are. */
  public void leaveInPlace() {
    for (Tablet tablet : tablets) {
      tablet.latch().writeLock().lock();
      try {
        tablet.leaveInPlace();
      } finally {
        tablet.latch().writeLock().unlock();
      }
    }
  }

  /** The home extents of all tablets, those that no root names yet among them. */
  public void forEachTabletHome(Consumer<Extent> action) {
    for (Tablet tablet : tablets) {
      tablet.forEachHome(action);
    }
  }

  /** All chunks; nobody writes meanwhile. */
  public void forEachChunk(Consumer<Chunk> action) {
    for (Tablet tablet : tablets) {
      tablet.forEachChunk(action);
    }
    dictionaries().forEach(dictionary -> dictionary.forEachChunk(action));
    for (Index index : indexes) {
      index.forEachChunk(action);
    }
  }

  List<Dictionary> dictionaries() {
    List<Dictionary> present = new ArrayList<>();
    for (Dictionary dictionary : dictionaries) {
      if (dictionary != null) {
        present.add(dictionary);
      }
    }
    return present;
  }

  /** Gives back all memory and space; the table is dead. */
  public void discard() {
    synchronized (appendLock) {
      for (Tablet tablet : tablets) {
        tablet.discard();
      }
      tablets = new Tablet[0];
      dictionaries().forEach(Dictionary::discard);
      for (Index index : indexes) {
        index.discard();
      }
    }
  }
}
