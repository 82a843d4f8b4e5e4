package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * One whole record of the log; its memory is good until the reader goes on.
 *
 * @param content header and sections
 */
public record WalRecord(long position, MemorySegment content) {
  public int kind() {
    return content.get(JAVA_SHORT, WalLayout.RECORD_KIND_AT);
  }

  public boolean isFirst() {
    return (flags() & WalLayout.FLAG_FIRST) != 0;
  }

  public boolean isLast() {
    return (flags() & WalLayout.FLAG_LAST) != 0;
  }

  private int flags() {
    return content.get(JAVA_INT, WalLayout.RECORD_FLAGS_AT);
  }

  public long transactionId() {
    return content.get(JAVA_LONG, WalLayout.RECORD_TRANSACTION_AT);
  }

  public long sequence() {
    return content.get(JAVA_LONG, WalLayout.RECORD_SEQUENCE_AT);
  }

  int epoch() {
    return content.get(JAVA_INT, WalLayout.RECORD_EPOCH_AT);
  }

  public long bytes() {
    return content.byteSize();
  }

  /** One section; fields as in {@link WalLayout}. */
  public record Section(
      SectionKind kind,
      int flags,
      int tableId,
      int tablet,
      int n,
      int column,
      long extra,
      MemorySegment payload) {
    public boolean isRowMajor() {
      return (flags & WalLayout.FLAG_ROW_MAJOR) != 0;
    }

    /** Of a version: the rows that it is for stand in a bitmap. */
    public boolean isOfSomeRows() {
      return (flags & WalLayout.FLAG_SOME_ROWS) != 0;
    }

    /** Of an insert: what the validity of a column at that place takes in the payload. */
    public long validityBytes(long at) {
      boolean bitmap = payload.get(JAVA_LONG, at) != 0;
      long words = WalLayout.align(Bitmaps.bytes(n), WalLayout.SECTION_ALIGNMENT);
      return Long.BYTES + (bitmap ? words : 0);
    }

    public boolean isNullable() {
      return (flags & WalLayout.FLAG_NULLABLE) != 0;
    }
  }

  public void forEachSection(Consumer<Section> action) {
    long at = WalLayout.RECORD_HEADER_BYTES;
    int sections = content.get(JAVA_INT, WalLayout.RECORD_SECTIONS_AT);
    for (int i = 0; i < sections; i++) {
      if (at + WalLayout.SECTION_HEADER_BYTES > content.byteSize()) {
        throw beyond(at);
      }
      long bytes =
          Integer.toUnsignedLong(content.get(JAVA_INT, at + WalLayout.SECTION_PAYLOAD_BYTES_AT));
      long payloadAt = at + WalLayout.SECTION_HEADER_BYTES;
      if (payloadAt + bytes > content.byteSize() || bytes % WalLayout.SECTION_ALIGNMENT != 0) {
        throw beyond(at);
      }
      action.accept(section(at, content.asSlice(payloadAt, bytes)));
      at = payloadAt + bytes;
    }
  }

  private Section section(long at, MemorySegment payload) {
    return new Section(
        SectionKind.of(content.get(JAVA_SHORT, at + WalLayout.SECTION_KIND_AT), position + at),
        content.get(JAVA_SHORT, at + WalLayout.SECTION_FLAGS_AT),
        content.get(JAVA_INT, at + WalLayout.SECTION_TABLE_AT),
        content.get(JAVA_INT, at + WalLayout.SECTION_TABLET_AT),
        content.get(JAVA_INT, at + WalLayout.SECTION_N_AT),
        content.get(JAVA_INT, at + WalLayout.SECTION_COLUMN_AT),
        content.get(JAVA_LONG, at + WalLayout.SECTION_EXTRA_AT),
        payload);
  }

  private GpdbException beyond(long at) {
    return new GpdbException(
        ErrorCode.CORRUPTION,
        "log section leaves its record: position=%d, at=%d, recordBytes=%d"
            .formatted(position, at, content.byteSize()));
  }
}
