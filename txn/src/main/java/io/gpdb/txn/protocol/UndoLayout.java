package io.gpdb.txn.protocol;

/**
 * Where the bytes of the in-place protocol's log are; little-endian. A record's header and region
 * are inside one MiB; a record that would not fit begins at the next one.
 *
 * <pre>
 *   file     0                 512               4096
 *            | header | zero ... | header | zero ... | records ...
 *   header   0       8         12      16      24             32           48
 *            | magic | version | crc32c | epoch | newestCommit | databaseId |
 *   record   0       4         8      12       16      24              32        36       40
 *            | magic | version | flags | headerCrc | epoch | transactionId | tableId | tablet |
 *            40       44        48  52             56             64               72
 *            | column | element | n | regionBytes | valuesOffset | validityOffset | regionCrc |
 *            76           80                 84     88         96              104    112
 *            | partitions | partitionEntries | zero | previous | durableBefore | zero |
 *            112    120    128
 *            | mark | mark | region ...
 * </pre>
 */
public final class UndoLayout {
  public static final String FILE_NAME = "undo.gpdb";
  public static final long FILE_MAGIC = 0x6f646e7542447067L; // "gpDBundo"
  public static final int VERSION = 3;

  /** Records do not say what was durable before them: it was all of the log. */
  static final int VERSION_ONE_BY_ONE = 2;

  /** The header ends with the epoch, and marks do not say how a transaction has ended. */
  static final int VERSION_WITHOUT_ENDING = 1;

  public static final int FILE_MAGIC_AT = 0;
  public static final int FILE_VERSION_AT = 8;
  public static final int FILE_CRC_AT = 12;
  public static final int FILE_EPOCH_AT = 16;

  /** The last commit of those that earlier epochs were marked with. */
  public static final int FILE_COMMIT_AT = 24;

  /** 16 bytes, as in the superblock. */
  public static final int FILE_DATABASE_ID_AT = 32;

  public static final int FILE_HEADER_BYTES = 48;

  /** Of the file's header; up to {@link #VERSION} it did not say whose the file is. */
  public static final int FILE_VERSION = 4;

  /** The second header's place; even epochs are in the first, odd ones in the second. */
  public static final int FILE_HEADER_STEP = 512;

  public static final int RECORDS_AT = 4096;

  public static final int RECORD_MAGIC = 0x55577067; // "gpWU"
  public static final int MAGIC_AT = 0;
  public static final int VERSION_AT = 4;
  public static final int FLAGS_AT = 8;
  public static final int HEADER_CRC_AT = 12;
  public static final int EPOCH_AT = 16;
  public static final int TRANSACTION_AT = 24;
  public static final int TABLE_AT = 32;
  public static final int TABLET_AT = 36;
  public static final int COLUMN_AT = 40;
  public static final int ELEMENT_AT = 44;
  public static final int N_AT = 48;
  public static final int REGION_BYTES_AT = 52;
  public static final int VALUES_OFFSET_AT = 56;
  public static final int VALIDITY_OFFSET_AT = 64;

  /** In the place of the validity's offset. */
  static final long NO_VALIDITY = -1;

  public static final int REGION_CRC_AT = 72;
  public static final int PARTITIONS_AT = 76;
  public static final int PARTITION_ENTRIES_AT = 80;

  /** Where the record before it begins, or 0. */
  public static final int PREVIOUS_AT = 88;

  /**
   * The last record before those that were appended together with this one, by its place, or 0: it
   * was durable before this one was written.
   */
  static final int DURABLE_BEFORE_AT = 96;

  /** How the record's transaction has ended ({@link UndoMark}); outside of the checksum. */
  public static final int MARK_AT = 112;

  /** The same once more. */
  public static final int DONE_AT = 120;

  public static final int HEADER_BYTES = 128;

  /** Records begin at multiples of this, and are inside one piece. */
  public static final int ALIGNMENT = 128;

  static final long PIECE_BYTES = 1L << 20;

  /** Entries are stored row by row in partitions. */
  public static final int FLAG_CONVENTIONAL = 1;

  private UndoLayout() {}
}
