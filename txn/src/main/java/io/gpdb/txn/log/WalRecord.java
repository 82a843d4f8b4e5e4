package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

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

  public void forEachSection(Consumer<Section> action) {
    long at = WalLayout.RECORD_HEADER_BYTES;
    int sections = content.get(JAVA_INT, WalLayout.RECORD_SECTIONS_AT);
    for (int i = 0; i < sections; i++) {
      if (at + WalLayout.SECTION_HEADER_BYTES > content.byteSize()) {
        throw beyond(at);
      }
      long bytes = SectionHeader.payloadBytes(content, at);
      long payloadAt = at + WalLayout.SECTION_HEADER_BYTES;
      if (payloadAt + bytes > content.byteSize() || bytes % WalLayout.SECTION_ALIGNMENT != 0) {
        throw beyond(at);
      }
      SectionHeader header = SectionHeader.read(content, at, position + at);
      action.accept(section(header, content.asSlice(payloadAt, bytes)));
      at = payloadAt + bytes;
    }
  }

  private static Section section(SectionHeader header, MemorySegment payload) {
    if (header.n() < 0) {
      throw header.damaged("a negative count");
    }
    return switch (header.kind()) {
      case CREATE_TABLE -> TableSection.CreateTable.read(header, payload);
      case DROP_TABLE -> TableSection.DropTable.read(header);
      case GROW_TABLE -> TableSection.GrowTable.read(header, payload);
      case DICTIONARY -> StringSection.Dictionary.read(header, payload);
      case STRINGS -> StringSection.Strings.read(header, payload);
      case INSERT -> InsertSection.Insert.read(header, payload);
      case INSERT_IN_EXTENTS -> InsertSection.InsertInExtents.read(header, payload);
      case INSERT_IN_PLACE -> InsertSection.InsertInPlace.read(header);
      case UPDATE -> ChangeSection.Update.read(header, payload);
      case VERSION -> ChangeSection.Version.read(header, payload);
      case DELETE -> ChangeSection.Delete.read(header, payload);
      case EXTENT -> ChangeSection.Extent.read(header);
      case HINTS -> ChangeSection.Hints.read(header, payload);
      case ROW_LIMIT -> TableSection.RowLimit.read(header);
    };
  }

  private GpdbException beyond(long at) {
    return new GpdbException(
        ErrorCode.CORRUPTION,
        "log section leaves its record: position=%d, at=%d, recordBytes=%d"
            .formatted(position, at, content.byteSize()));
  }
}
