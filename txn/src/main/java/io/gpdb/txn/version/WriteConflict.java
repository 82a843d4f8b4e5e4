package io.gpdb.txn.version;

import java.util.Arrays;

/**
 * The cause of a {@code SERIALIZATION_CONFLICT} at a row or a key: where it is, and who has written
 * there.
 */
public final class WriteConflict extends RuntimeException {
  /** Of a conflict at a key: no row is known. */
  public static final long NO_ROW = -1;

  private static final long serialVersionUID = 1L;

  private final transient CommitStamp writer;
  private final int tableId;
  private final long row;
  private final int indexOrdinal;
  private final long[] key;

  private WriteConflict(CommitStamp writer, int tableId, long row, int indexOrdinal, long[] key) {
    super("a conflict in table " + tableId, null, false, false);
    this.writer = writer;
    this.tableId = tableId;
    this.row = row;
    this.indexOrdinal = indexOrdinal;
    this.key = key.clone();
  }

  static WriteConflict atRow(CommitStamp writer, int tableId, long row) {
    return new WriteConflict(writer, tableId, row, -1, new long[0]);
  }

  static WriteConflict atKey(CommitStamp writer, int tableId, int indexOrdinal, long[] key) {
    return new WriteConflict(writer, tableId, NO_ROW, indexOrdinal, key);
  }

  public CommitStamp writer() {
    return writer;
  }

  public int tableId() {
    return tableId;
  }

  /** The row's number in its table, or {@link #NO_ROW}. */
  public long row() {
    return row;
  }

  /** Of a conflict at a key: the index, by its ordinal in the table's shape. */
  public int indexOrdinal() {
    return indexOrdinal;
  }

  /** Of a conflict at a key: the raw values of its columns. */
  public long[] key() {
    return Arrays.copyOf(key, key.length);
  }
}
