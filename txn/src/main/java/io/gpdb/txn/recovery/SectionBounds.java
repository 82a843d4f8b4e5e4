package io.gpdb.txn.recovery;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.table.Dictionary;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.table.Tablet;
import io.gpdb.txn.change.ColumnStores;
import io.gpdb.txn.change.LoggedStrings;
import io.gpdb.txn.log.ExtentReference;
import io.gpdb.txn.log.FormatCodes;
import io.gpdb.txn.log.SectionKind;
import io.gpdb.txn.log.WalLayout;
import io.gpdb.txn.log.WalRecord.Section;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a log section may say: every number in it is held against the table and against its payload
 * before anything is allocated or stored by it. A checksum tells that the bytes are those that were
 * written, not that whoever wrote them was right.
 */
final class SectionBounds {
  /** What an index slot can hold; a hint may name a row that comes later. */
  private static final long HINTED_ROWS_MAX = (1L << 37) - 1;

  /** What the working image may grow to by row numbers that the log holds no values for. */
  private final long memoryBytesMax;

  SectionBounds(long memoryBytesMax) {
    this.memoryBytesMax = memoryBytesMax;
  }

  /**
   * Throws where the section does not fit.
   *
   * @param store the table that it names; null where there is none
   */
  void require(Section section, @Nullable TableStore store) {
    if (section.n() < 0 || section.payload().byteSize() % WalLayout.SECTION_ALIGNMENT != 0) {
      throw damaged(section, "payload of %d bytes".formatted(section.payload().byteSize()));
    }
    switch (section.kind()) {
      case CREATE_TABLE -> requirePayload(section, section.n());
      case DROP_TABLE -> {}
      case DICTIONARY -> requireStrings(section, existing(section, store));
      case STRINGS -> requireEvents(section, existing(section, store));
      case INSERT, INSERT_BESIDE -> requireInsert(section, existing(section, store));
      case UPDATE -> requireUpdate(section, existing(section, store));
      case DELETE -> {
        tablet(section, existing(section, store));
        requirePayload(section, (long) section.n() * Integer.BYTES);
      }
      case INSERT_IN_PLACE -> requireRows(section, existing(section, store));
      case EXTENT -> requireExtent(section, existing(section, store));
      case HINTS -> requireHints(section, existing(section, store));
      case ROW_LIMIT -> requireRoom(section, existing(section, store), section.extra());
      case VERSION -> requireVersion(section, existing(section, store));
    }
  }

  static GpdbException damaged(Section section, String what) {
    return new GpdbException(
        ErrorCode.CORRUPTION,
        "log section %s does not fit: %s, table=%d, tablet=%d, column=%d, n=%d, extra=%d"
            .formatted(
                section.kind(),
                what,
                section.tableId(),
                section.tablet(),
                section.column(),
                section.n(),
                section.extra()));
  }

  private static TableStore existing(Section section, @Nullable TableStore store) {
    if (store == null) {
      throw damaged(section, "table does not exist");
    }
    return store;
  }

  private static Tablet tablet(Section section, TableStore store) {
    if (section.tablet() < 0 || section.tablet() >= store.tabletCount()) {
      throw damaged(section, "tablet does not exist");
    }
    if (section.n() > Tablet.ROWS) {
      throw damaged(section, "more rows than a tablet has");
    }
    return store.tablet(section.tablet());
  }

  private static ElementType type(Section section, TableStore store, int column) {
    List<ColumnShape> columns = store.shape().columns();
    if (column < 0 || column >= columns.size()) {
      throw damaged(section, "column does not exist");
    }
    return columns.get(column).type();
  }

  private static void requirePayload(Section section, long bytes) {
    if (bytes > section.payload().byteSize()) {
      throw damaged(
          section,
          "%d bytes of %d that its payload has".formatted(bytes, section.payload().byteSize()));
    }
  }

  private static void requireStrings(Section section, TableStore store) {
    if (type(section, store, section.column()) != ElementType.CODE) {
      throw damaged(section, "column has no dictionary");
    }
    if (section.extra() < 0 || section.extra() > Integer.MAX_VALUE - section.n()) {
      throw damaged(section, "codes out of range");
    }
    long at = 0;
    for (int i = 0; i < section.n(); i++) {
      requirePayload(section, at + Integer.BYTES);
      int length = section.payload().get(JAVA_INT_UNALIGNED, at);
      if (length < 0 || length > Dictionary.MAX_LENGTH_BYTES) {
        throw damaged(section, "string of %d bytes".formatted(length));
      }
      at += Integer.BYTES + (long) length;
      requirePayload(section, at);
    }
  }

  private static void requireEvents(Section section, TableStore store) {
    if (type(section, store, section.column()) != ElementType.CODE || section.extra() < 0) {
      throw damaged(section, "no events of a dictionary");
    }
    long at = 0;
    for (int i = 0; i < section.n(); i++) {
      requirePayload(section, at + 2 * Integer.BYTES);
      int length = section.payload().get(JAVA_INT_UNALIGNED, at + Integer.BYTES);
      boolean freed = length == LoggedStrings.FREED;
      if (!freed && (length < 0 || length > Dictionary.MAX_LENGTH_BYTES)) {
        throw damaged(section, "string of %d bytes".formatted(length));
      }
      at += 2 * Integer.BYTES + (freed ? 0 : (long) length);
      requirePayload(section, at);
    }
  }

  private void requireInsert(Section section, TableStore store) {
    requireRows(section, store);
    int first = section.column();
    int count = section.tablet();
    if (first < 0 || count < 0 || first > store.shape().columns().size() - count) {
      throw damaged(section, "columns do not exist");
    }
    boolean beside = section.kind() == SectionKind.INSERT_BESIDE;
    long at = 0;
    for (int c = first; c < first + count; c++) {
      requirePayload(section, at + Long.BYTES);
      at += section.validityBytes(at);
      long bytes = (long) section.n() * type(section, store, c).bytes();
      at += beside ? reference(section, at, bytes) : aligned(bytes);
      requirePayload(section, at);
    }
  }

  private static long aligned(long bytes) {
    return WalLayout.align(bytes, WalLayout.SECTION_ALIGNMENT);
  }

  /** What the reference at that place takes, when it is of so many bytes. */
  private static long reference(Section section, long at, long bytes) {
    requirePayload(section, at + ExtentReference.CHECKSUMS_AT);
    MemorySegment payload = section.payload();
    int said = payload.get(JAVA_INT, at + ExtentReference.BYTES_AT);
    int blockBytes = payload.get(JAVA_INT, at + ExtentReference.BLOCK_BYTES_AT);
    if (said != bytes
        || blockBytes <= 0
        || payload.get(JAVA_LONG, at + ExtentReference.OFFSET_AT) < 0) {
      throw damaged(
          section, "extent of %d bytes, blocks of %d, not %d".formatted(said, blockBytes, bytes));
    }
    long blocks = Math.ceilDiv(bytes, blockBytes);
    return ExtentReference.CHECKSUMS_AT + aligned(blocks * Integer.BYTES);
  }

  /** Rows from {@code extra} on, all in one tablet. */
  private void requireRows(Section section, TableStore store) {
    long first = section.extra();
    if (first < 0 || section.n() == 0 || first % Tablet.ROWS + section.n() > Tablet.ROWS) {
      throw damaged(section, "not rows of one tablet");
    }
    requireRoom(section, store, first + section.n());
  }

  /** Rows that were taken and rolled back leave numbers that no record is about. */
  private void requireRoom(Section section, TableStore store, long rows) {
    long width = Long.BYTES;
    for (ColumnShape column : store.shape().columns()) {
      width += column.type().bytes();
    }
    long more = rows - store.rowLimit();
    if (rows < 0 || more > memoryBytesMax / width) {
      throw damaged(
          section,
          "row numbers to %d of %d, more than %d bytes hold"
              .formatted(rows, store.rowLimit(), memoryBytesMax));
    }
  }

  private static void requireUpdate(Section section, TableStore store) {
    Tablet tablet = tablet(section, store);
    int words = ColumnStores.entryWords(type(section, store, section.column()));
    long bytes =
        section.isRowMajor()
            ? (long) section.n() * words * HclLayout.WORD_BYTES
            : HclLayout.regionBytes(section.n(), words);
    requirePayload(section, bytes);
    boolean wide = section.n() >= ColumnStores.KERNEL_ROWS_MIN;
    for (int i = 0; wide && i < section.n(); i++) {
      int row = Replay.word(section, i, 0, words) & ~HclLayout.NULL_FLAG;
      if (row >= tablet.rowCount()) {
        throw damaged(section, "row " + row + " of " + tablet.rowCount());
      }
    }
  }

  private static void requireExtent(Section section, TableStore store) {
    Tablet tablet = tablet(section, store);
    if (FormatCodes.chunkKind(section.n()) != ChunkKind.LIVE) {
      type(section, store, section.column());
    }
    if (section.extra() < 0 || tablet.rowCount() == 0) {
      throw damaged(section, "no extent of a tablet");
    }
  }

  private static void requireHints(Section section, TableStore store) {
    if (section.column() < 0 || section.column() >= store.indexCount()) {
      throw damaged(section, "index does not exist");
    }
    requirePayload(section, (long) section.n() * 2 * Long.BYTES);
    for (int i = 0; i < section.n(); i++) {
      long row = section.payload().getAtIndex(JAVA_LONG, 2L * i + 1);
      if (row < 0 || row >= HINTED_ROWS_MAX) {
        throw damaged(section, "row " + row);
      }
    }
  }

  private static void requireVersion(Section section, TableStore store) {
    tablet(section, store);
    long bytes = (long) section.n() * type(section, store, section.column()).bytes();
    long at = reference(section, 0, bytes);
    long bitmap = aligned(Bitmaps.bytes(section.n()));
    at += section.isOfSomeRows() ? bitmap : 0;
    at += section.isNullable() ? bitmap : 0;
    requirePayload(section, at);
  }
}
