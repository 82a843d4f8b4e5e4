package io.gpdb.txn.recovery;

import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.change.ColumnStores;
import io.gpdb.txn.log.ChangeSection;
import io.gpdb.txn.log.ExtentReference;
import io.gpdb.txn.log.InsertSection;
import io.gpdb.txn.log.Section;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What a log section may say of its table: every number in it is checked against the table before
 * anything is allocated or stored by it. A checksum proves that the bytes are those that were
 * written, not that they were right.
 */
final class SectionBounds {
  /** What an index slot can hold; a hint may name a row that comes later. */
  private static final long HINTED_ROWS_MAX = (1L << 37) - 1;

  /**
   * What the working image may grow to by row numbers that the log holds no values for. Asked where
   * there are many alone: the answer may be a part of the machine's memory.
   */
  private final LongSupplier memoryBytesMax;

  SectionBounds(LongSupplier memoryBytesMax) {
    this.memoryBytesMax = memoryBytesMax;
  }

  static GpdbException damaged(Section section, String what) {
    return new GpdbException(
        ErrorCode.CORRUPTION,
        "log section %s does not fit: %s, %s".formatted(section.kind(), what, section));
  }

  /** A tablet of which n rows are written. */
  private static Tablet tablet(Section section, TableStore store, int tablet, int n) {
    if (tablet < 0 || tablet >= store.tabletCount()) {
      throw damaged(section, "tablet does not exist");
    }
    if (n > Tablet.ROWS) {
      throw damaged(section, "more rows than a tablet has");
    }
    return store.tablet(tablet);
  }

  private static ElementType type(Section section, TableStore store, int column) {
    List<ColumnShape> columns = store.shape().columns();
    if (column < 0 || column >= columns.size()) {
      throw damaged(section, "column does not exist");
    }
    return columns.get(column).type();
  }

  /** Of a column of strings. */
  static Dictionary dictionary(Section section, TableStore store, int column) {
    boolean strings = type(section, store, column) == ElementType.CODE;
    Dictionary dictionary = strings ? store.dictionary(column) : null;
    if (dictionary == null) {
      throw damaged(section, "column has no dictionary");
    }
    return dictionary;
  }

  void requireInsert(InsertSection.Insert s, TableStore store) {
    requireRows(s, store, s.firstRow(), s.n());
    requireColumns(s, store, s.firstColumn(), s.columnCount());
  }

  void requireInsert(InsertSection.InsertInExtents s, TableStore store) {
    requireRows(s, store, s.firstRow(), s.n());
    requireColumns(s, store, s.firstColumn(), s.columns().size());
    for (int i = 0; i < s.columns().size(); i++) {
      requireValues(s, store, s.firstColumn() + i, s.n(), s.columns().get(i).values());
    }
  }

  private static void requireColumns(Section section, TableStore store, int first, int count) {
    if (first < 0 || count < 0 || first > store.shape().columns().size() - count) {
      throw damaged(section, "columns do not exist");
    }
  }

  private static void requireValues(
      Section section, TableStore store, int column, int n, ExtentReference values) {
    long bytes = (long) n * type(section, store, column).bytes();
    if (values.bytes() != bytes) {
      throw damaged(section, "values of %d bytes, not %d".formatted(values.bytes(), bytes));
    }
  }

  /** Rows from the first one on, all in one tablet. */
  void requireRows(Section section, TableStore store, long firstRow, int n) {
    if (firstRow < 0 || n == 0 || firstRow % Tablet.ROWS + n > Tablet.ROWS) {
      throw damaged(section, "not rows of one tablet");
    }
    requireRoom(section, store, firstRow + n);
  }

  /** Rows that were taken and rolled back leave numbers that no record is about. */
  void requireRoom(Section section, TableStore store, long rows) {
    long more = rows - store.rowLimit();
    if (rows >= 0 && more <= Tablet.ROWS) {
      return;
    }
    long width = Long.BYTES;
    for (ColumnShape column : store.shape().columns()) {
      width += column.type().bytes();
    }
    long bytesMax = memoryBytesMax.getAsLong();
    if (rows < 0 || more > bytesMax / width) {
      throw damaged(
          section,
          "row numbers to %d of %d, more than %d bytes hold"
              .formatted(rows, store.rowLimit(), bytesMax));
    }
  }

  static void requireUpdate(ChangeSection.Update s, TableStore store) {
    Tablet tablet = tablet(s, store, s.tablet(), s.n());
    int words = ColumnStores.entryWords(type(s, store, s.column()));
    if (!s.isWhole(words)) {
      throw damaged(s, "entries of %d words are not there".formatted(words));
    }
    if (s.n() >= ColumnStores.KERNEL_ROWS_MIN) {
      for (int row : s.rows(words)) {
        if (row >= tablet.rowCount()) {
          throw damaged(s, "row " + row + " of " + tablet.rowCount());
        }
      }
    }
  }

  static void requireDelete(ChangeSection.Delete s, TableStore store) {
    tablet(s, store, s.tablet(), s.n());
  }

  static void requireExtent(ChangeSection.Extent s, TableStore store) {
    Tablet tablet = tablet(s, store, s.tablet(), 0);
    if (s.chunk() != ChunkKind.LIVE) {
      type(s, store, s.column());
    }
    if (s.offset() < 0 || tablet.rowCount() == 0) {
      throw damaged(s, "no extent of a tablet");
    }
  }

  static void requireHints(ChangeSection.Hints s, TableStore store) {
    if (s.index() < 0 || s.index() >= store.indexCount()) {
      throw damaged(s, "index does not exist");
    }
    for (int i = 0; i < s.n(); i++) {
      if (s.row(i) < 0 || s.row(i) >= HINTED_ROWS_MAX) {
        throw damaged(s, "row " + s.row(i));
      }
    }
  }

  static void requireVersion(ChangeSection.Version s, TableStore store) {
    tablet(s, store, s.tablet(), s.n());
    requireValues(s, store, s.column(), s.n(), s.values());
  }
}
