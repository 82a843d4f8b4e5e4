package io.gpdb.txn.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.txn.protocol.UndoLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Holds the section on logs of docs/internals/file-format.md against the constants. */
class LogFormatDocumentTest {
  private String document;

  @BeforeEach
  void read() throws IOException {
    document = Files.readString(Path.of("../docs/internals/file-format.md"));
  }

  private void assertField(int offset, int bytes, String field) {
    assertThat(document).contains("| " + offset + " | " + bytes + " | " + field);
  }

  private static String ascii(long magic, int bytes) {
    byte[] b = new byte[8];
    ByteBuffer.wrap(b).order(ByteOrder.LITTLE_ENDIAN).putLong(magic);
    return new String(b, 0, bytes, StandardCharsets.US_ASCII);
  }

  @Test
  void segmentFieldsAreWhereTheDocumentSays() {
    assertField(
        WalLayout.SEGMENT_MAGIC_AT,
        8,
        "segment magic: `" + ascii(WalLayout.SEGMENT_MAGIC, 8) + "`");
    assertField(WalLayout.SEGMENT_VERSION_AT, 4, "segment version: " + WalLayout.SEGMENT_VERSION);
    assertField(WalLayout.SEGMENT_BYTES_AT, 8, "segment bytes");
    assertField(WalLayout.SEGMENT_DATABASE_ID_AT, 16, "segment database id");
    assertField(
        WalLayout.SEGMENT_CRC_AT,
        4,
        "segment checksum of bytes 0 to " + (WalLayout.SEGMENT_HEADER_BYTES - 1));
    assertField(WalLayout.SEGMENT_NUMBER_AT, 8, "segment number");
    assertField(WalLayout.SEGMENT_START_AT, 8, "segment start");
    assertField(
        WalLayout.NEXT_MAGIC_AT, 8, "next segment magic: `" + ascii(WalLayout.NEXT_MAGIC, 8) + "`");
    assertField(WalLayout.NEXT_OWN_NUMBER_AT, 8, "next segment: number of this one");
    assertField(WalLayout.NEXT_NUMBER_AT, 8, "next segment number");
    assertField(
        WalLayout.NEXT_CRC_AT,
        4,
        "next segment checksum of bytes %d to %d"
            .formatted(WalLayout.NEXT_MAGIC_AT, WalLayout.NEXT_CRC_AT - 1));
    assertThat(document).contains("records begin at " + WalLayout.SEGMENT_RECORDS_AT);
  }

  @Test
  void recordFieldsAreWhereTheDocumentSays() {
    assertField(
        WalLayout.RECORD_MAGIC_AT, 4, "record magic: `" + ascii(WalLayout.RECORD_MAGIC, 4) + "`");
    assertField(WalLayout.RECORD_VERSION_AT, 2, "record version: " + WalLayout.VERSION);
    assertField(
        WalLayout.RECORD_KIND_AT, 2, "record kind: %d = changes".formatted(WalLayout.KIND_COMMIT));
    assertField(WalLayout.RECORD_POSITION_AT, 8, "record position");
    assertField(WalLayout.RECORD_BYTES_AT, 4, "record bytes");
    assertField(WalLayout.RECORD_SECTIONS_AT, 4, "record sections");
    assertField(WalLayout.RECORD_TRANSACTION_AT, 8, "record transaction id");
    assertField(WalLayout.RECORD_SEQUENCE_AT, 8, "record commit sequence");
    assertField(WalLayout.RECORD_BATCH_START_AT, 8, "record batch start");
    assertField(WalLayout.RECORD_EPOCH_AT, 4, "record epoch");
    assertField(WalLayout.RECORD_BODY_CRC_AT, 4, "record checksum of the body, bytes 64");
    assertField(
        WalLayout.RECORD_FLAGS_AT,
        4,
        "record flags: %d = the transaction's last record, %d = its first"
            .formatted(WalLayout.FLAG_LAST, WalLayout.FLAG_FIRST));
    assertField(
        WalLayout.RECORD_HEADER_CRC_AT,
        4,
        "record checksum of bytes 0 to " + (WalLayout.RECORD_HEADER_CRC_AT - 1));
    assertThat(document).contains("A record begins at a multiple of " + WalLayout.RECORD_ALIGNMENT);
  }

  @Test
  void sectionsAreThoseOfTheDocument() {
    assertField(WalLayout.SECTION_KIND_AT, 2, "section kind");
    assertField(
        WalLayout.SECTION_FLAGS_AT,
        2,
        "section flags: %d = entries row by row, %d = the column has a validity bitmap, %d = a version"
            .formatted(
                WalLayout.FLAG_ROW_MAJOR, WalLayout.FLAG_NULLABLE, WalLayout.FLAG_SOME_ROWS));
    assertField(WalLayout.SECTION_PAYLOAD_BYTES_AT, 4, "section payload bytes");
    assertField(WalLayout.SECTION_TABLE_AT, 4, "section table id");
    assertField(WalLayout.SECTION_TABLET_AT, 4, "section tablet");
    assertField(WalLayout.SECTION_N_AT, 4, "section n");
    assertField(WalLayout.SECTION_COLUMN_AT, 4, "section column");
    assertField(WalLayout.SECTION_EXTRA_AT, 8, "section extra");
    assertThat(document).contains("| " + WalLayout.SECTION_HEADER_BYTES + " | | payload |");
    for (SectionKind kind : SectionKind.values()) {
      assertThat(document).contains("| " + kind + " | " + kind.code() + " |");
      assertThat(SectionKind.of(kind.code(), 0)).isEqualTo(kind);
    }
  }

  @Test
  void extentReferencesAreAsTheDocumentSays() {
    assertField(ExtentReference.OFFSET_AT, 8, "reference offset");
    assertField(ExtentReference.BYTES_AT, 4, "reference bytes");
    assertField(ExtentReference.BLOCK_BYTES_AT, 4, "reference block bytes");
    assertThat(document).contains("| " + ExtentReference.CHECKSUMS_AT + " | | for each block");
  }

  @Test
  void undoFieldsAreWhereTheDocumentSays() {
    assertField(
        UndoLayout.FILE_MAGIC_AT, 8, "undo magic: `" + ascii(UndoLayout.FILE_MAGIC, 8) + "`");
    assertField(UndoLayout.FILE_VERSION_AT, 4, "undo version: " + UndoLayout.FILE_VERSION);
    assertField(
        UndoLayout.FILE_CRC_AT,
        4,
        "undo checksum of bytes 0 to " + (UndoLayout.FILE_HEADER_BYTES - 1));
    assertField(UndoLayout.FILE_EPOCH_AT, 8, "undo epoch");
    assertField(UndoLayout.FILE_COMMIT_AT, 8, "undo newest commit");
    assertField(UndoLayout.FILE_DATABASE_ID_AT, 16, "undo database id");
    assertThat(document).contains("at " + UndoLayout.FILE_HEADER_STEP + " (odd ones)");
    assertField(
        UndoLayout.MAGIC_AT, 4, "undo record magic: `" + ascii(UndoLayout.RECORD_MAGIC, 4) + "`");
    assertField(UndoLayout.VERSION_AT, 4, "undo record version: " + UndoLayout.VERSION);
    assertField(UndoLayout.FLAGS_AT, 4, "undo record flags: " + UndoLayout.FLAG_CONVENTIONAL);
    assertField(UndoLayout.HEADER_CRC_AT, 4, "undo record checksum of bytes 0 to 111");
    assertField(UndoLayout.EPOCH_AT, 8, "undo record epoch");
    assertField(UndoLayout.TRANSACTION_AT, 8, "undo record transaction id");
    assertField(UndoLayout.TABLE_AT, 4, "undo record table id");
    assertField(UndoLayout.TABLET_AT, 4, "undo record tablet");
    assertField(UndoLayout.COLUMN_AT, 4, "undo record column");
    assertField(UndoLayout.ELEMENT_AT, 4, "undo record element");
    assertField(UndoLayout.N_AT, 4, "undo record n");
    assertField(UndoLayout.REGION_BYTES_AT, 4, "undo record region bytes");
    assertField(UndoLayout.VALUES_OFFSET_AT, 8, "undo record offset of the values");
    assertField(UndoLayout.VALIDITY_OFFSET_AT, 8, "undo record offset of the validity");
    assertField(UndoLayout.REGION_CRC_AT, 4, "undo record checksum of the region");
    assertField(UndoLayout.PARTITIONS_AT, 4, "undo record partitions");
    assertField(UndoLayout.PARTITION_ENTRIES_AT, 4, "undo record entries of a partition");
    assertField(UndoLayout.PREVIOUS_AT, 8, "undo record before it");
    assertField(UndoLayout.MARK_AT, 8, "undo record mark");
    assertField(UndoLayout.DONE_AT, 8, "undo record mark, once more");
    assertThat(document).contains("| " + UndoLayout.HEADER_BYTES + " | | region");
  }
}
