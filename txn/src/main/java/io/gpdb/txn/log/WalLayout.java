package io.gpdb.txn.log;

/**
 * The layout of a log file; little-endian. See "Write-ahead log" in docs/internals/file-format.md.
 *
 * <pre>
 *   segment   0       8         12      16       24              32          40           56
 *             | magic | version | crc32c | number | startPosition | fileBytes | databaseId |
 *             4096
 *             | records ...
 *   record    0       4         6      8          16      20         24              32
 *             | magic | version | kind | position | bytes | sections | transactionId |
 *             32         40           48      52        56      60          64
 *             | sequence | batchStart | epoch | bodyCrc | flags | headerCrc | sections ... zero |
 *   section   0      2       4              8         12       16  20       24      32
 *             | kind | flags | payloadBytes | tableId | tablet | n | column | extra | payload ... |
 * </pre>
 */
public final class WalLayout {
  public static final String FILE_PREFIX = "wal-";
  static final String FILE_SUFFIX = ".gpdb";

  static final long SEGMENT_MAGIC = 0x676f6c7742447067L; // "gpDBwlog"
  static final int VERSION = 1;
  static final int SEGMENT_MAGIC_AT = 0;
  static final int SEGMENT_VERSION_AT = 8;
  static final int SEGMENT_CRC_AT = 12;
  static final int SEGMENT_NUMBER_AT = 16;
  public static final int SEGMENT_START_AT = 24;
  static final int SEGMENT_BYTES_AT = 32;

  /** 16 bytes, as in the superblock. */
  static final int SEGMENT_DATABASE_ID_AT = 40;

  static final int SEGMENT_HEADER_BYTES = 56;
  static final int SEGMENT_VERSION = 4;

  /** Headers of this version may be durable in a file that is not: it is shorter than they say. */
  static final int SEGMENT_VERSION_BEFORE_SIZE = 3;

  /** Headers of this version do not say whose the file is. */
  static final int SEGMENT_VERSION_WITHOUT_ID = 2;

  static final int SEGMENT_HEADER_WITHOUT_ID = 40;

  /** Headers of this version do not say how long the file is. */
  static final int SEGMENT_VERSION_WITHOUT_BYTES = 1;

  static final int SEGMENT_HEADER_WITHOUT_BYTES = 32;

  /** "gpDBnext" in ASCII: the segment is full and another one follows. */
  static final long NEXT_MAGIC = 0x7478656e42447067L;

  static final int NEXT_MAGIC_AT = 512;
  static final int NEXT_OWN_NUMBER_AT = 520;
  static final int NEXT_NUMBER_AT = 528;
  static final int NEXT_CRC_AT = 536;
  static final int NEXT_BYTES = 32;

  /** Where the records of a segment begin. */
  public static final int SEGMENT_RECORDS_AT = 4096;

  public static final int RECORD_MAGIC = 0x52577067; // "gpWR"
  static final int RECORD_MAGIC_AT = 0;
  static final int RECORD_VERSION_AT = 4;
  public static final int RECORD_KIND_AT = 6;
  static final int RECORD_POSITION_AT = 8;
  static final int RECORD_BYTES_AT = 16;
  static final int RECORD_SECTIONS_AT = 20;
  static final int RECORD_TRANSACTION_AT = 24;
  public static final int RECORD_SEQUENCE_AT = 32;
  public static final int RECORD_BATCH_START_AT = 40;
  static final int RECORD_EPOCH_AT = 48;
  static final int RECORD_BODY_CRC_AT = 52;
  static final int RECORD_FLAGS_AT = 56;
  public static final int RECORD_HEADER_CRC_AT = 60;
  public static final int RECORD_HEADER_BYTES = 64;

  /** Records begin at multiples of this. */
  public static final int RECORD_ALIGNMENT = 64;

  static final int RECORD_BYTES_MAX = 1 << 30;

  /** The transaction's last record: with it the transaction is committed. */
  public static final int FLAG_LAST = 1;

  /** The transaction's first record. */
  public static final int FLAG_FIRST = 2;

  /** Kind of a record: changes of a transaction that commits with its last record. */
  public static final int KIND_COMMIT = 1;

  public static final int SECTION_KIND_AT = 0;
  public static final int SECTION_FLAGS_AT = 2;
  public static final int SECTION_PAYLOAD_BYTES_AT = 4;
  public static final int SECTION_TABLE_AT = 8;
  public static final int SECTION_TABLET_AT = 12;
  public static final int SECTION_N_AT = 16;
  public static final int SECTION_COLUMN_AT = 20;
  public static final int SECTION_EXTRA_AT = 24;
  public static final int SECTION_HEADER_BYTES = 32;

  /** Sections and the arrays in them begin at multiples of this. */
  public static final int SECTION_ALIGNMENT = 8;

  /** Of an update: entries are stored row by row. */
  static final int FLAG_ROW_MAJOR = 1;

  /** Of an update or a version: the column has a validity bitmap. */
  static final int FLAG_NULLABLE = 2;

  /** Of a version: it holds for the rows of a bitmap only. */
  static final int FLAG_SOME_ROWS = 4;

  private WalLayout() {}

  public static String fileName(long number) {
    String digits = Long.toString(number);
    return FILE_PREFIX + "0".repeat(Math.max(0, 8 - digits.length())) + digits + FILE_SUFFIX;
  }

  public static boolean isFileName(String name) {
    return name.startsWith(FILE_PREFIX)
        && name.endsWith(FILE_SUFFIX)
        && name.length() > FILE_PREFIX.length() + FILE_SUFFIX.length()
        && name.substring(FILE_PREFIX.length(), name.length() - FILE_SUFFIX.length())
            .chars()
            .allMatch(c -> c >= '0' && c <= '9');
  }

  public static long number(String fileName) {
    return Long.parseLong(
        fileName.substring(FILE_PREFIX.length(), fileName.length() - FILE_SUFFIX.length()));
  }

  public static long align(long bytes, int alignment) {
    return (bytes + alignment - 1) / alignment * alignment;
  }
}
